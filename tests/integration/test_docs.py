"""What the documentation shows is what happens, and what it lists is what there is."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import get_args

import click
import pytest
import yaml

from agy_proxy.cli import fake_agy, main
from agy_proxy.cli.contract import shape
from agy_proxy.contract.compare import Compared, Comparison
from agy_proxy.contract.facts import FACTS
from agy_proxy.report.behaviours import difference_shape, profile_shape
from agy_proxy.run import summary
from fake_agy.double import write_double
from fake_agy.settings import DoubleSettings
from tests.support.console import Shown, agrees, blocks, sessions

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
AGY = DOCS / "reference" / "agy"


def named(page: Path) -> str:
    return str(page.relative_to(ROOT))


def run(shown: Shown, folder: Path, env: Mapping[str, str]) -> tuple[int, str]:
    ended = subprocess.run(
        ["/bin/sh", "-c", shown.command],
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return ended.returncode, ended.stdout


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """A person's environment: this tool, and an agy that is installed, which is the double in disguise."""
    double = write_double(tmp_path / "double", DoubleSettings())
    installed = tmp_path / "installed"
    installed.mkdir()
    (installed / "agy").write_text(f'#!/bin/sh\nexec {double} "$@"\n')
    (installed / "agy").chmod(0o755)
    path = f"{installed}:{Path(sys.executable).parent}:/usr/bin:/bin"
    return {**os.environ, "PATH": path, "LANG": "C.UTF-8"}


def shows_git(page: Path) -> bool:
    return any(shown.command.startswith("git ") for shown in sessions(page))


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=pytest.mark.system if shows_git(page) else (), id=named(page))
        for page in PAGES
        if any(sessions(page))
    ],
)
def test_what_a_page_shows_is_what_is_printed(page: Path, tmp_path: Path, env: dict[str, str]) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    for shown in sessions(page):
        status, printed = run(shown, folder, env)
        where = f"{named(page)}:{shown.line}: $ {shown.command}"
        assert agrees(shown.output, printed), f"{where}\nshown:\n{shown.output}\nprinted:\n{printed}"
        assert status == 0, f"{where}\nexit {status}"


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_link_to_a_file_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text("utf-8"))
    inside = [link for link in links if "://" not in link]
    assert [link for link in inside if not (page.parent / link).exists()] == []


def test_every_page_can_be_found_from_the_first() -> None:
    reached, todo = set[Path](), [ROOT / "README.md"]
    while todo:
        page = todo.pop().resolve()
        if page in reached or page.suffix != ".md":
            continue
        reached.add(page)
        links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8"))
        todo += [page.parent / link for link in links]
    assert [named(page) for page in PAGES if page.resolve() not in reached] == []


def options_of(command: click.Command) -> set[str]:
    names = [
        max(each.opts, key=len)
        for each in command.params
        if isinstance(each, click.Option) and not each.hidden
    ]
    return {name for name in names if name != "--help"}


def commands() -> Iterator[tuple[str, click.Command]]:
    """Every verb by the name that a person types."""
    context = click.Context(main.command)
    for verb in main.VERBS:
        found = main.command.get_command(context, verb)
        assert found is not None
        yield f"agy-proxy {verb}", found
    group = fake_agy.command
    assert isinstance(group, click.Group)
    for verb in group.list_commands(click.Context(group)):
        found = group.get_command(click.Context(group), verb)
        assert found is not None
        yield f"fake-agy {verb}", found


def documented_options() -> dict[str, set[str]]:
    """The options in the tables of options.md, by the command of the heading above them."""
    found: dict[str, set[str]] = {}
    current = set[str]()
    for line in (DOCS / "reference" / "options.md").read_text("utf-8").splitlines():
        if heading := re.match(r"## `(.+)`$", line):
            current = found.setdefault(heading[1], set())
        elif row := re.match(r"\| `(--[a-z-]+)", line):
            current.add(row[1])
    return found


def test_the_options_in_the_reference_are_those_of_the_commands() -> None:
    assert documented_options() == {name: options_of(command) for name, command in commands()}


@pytest.mark.parametrize("verb", main.VERBS)
def test_every_verb_and_option_has_a_help_text(verb: str) -> None:
    command = dict(commands())[f"agy-proxy {verb}"]
    assert command.help
    without = [each.opts[0] for each in command.params if isinstance(each, click.Option) and not each.help]
    assert without == []


def test_the_status_words_of_a_summary_are_in_the_reference() -> None:
    text = (DOCS / "reference" / "json.md").read_text("utf-8")
    assert [word for word in get_args(summary.Status) if f"`{word}`" not in text] == []


def keys(shape: object) -> object:
    """The keys of an object, and of the objects in it; of a list, those of its first item."""
    if isinstance(shape, dict):
        return {key: keys(value) for key, value in shape.items()}
    return [keys(each) for each in shape[:1] if isinstance(each, dict)] if isinstance(shape, list) else None


def test_the_objects_about_versions_in_the_reference_have_the_keys_of_those_that_are_printed() -> None:
    shown = [json.loads("\n".join(lines)) for _, lines in blocks(DOCS / "reference" / "json.md", "json")]
    compared = Compared(fact=FACTS[0], verdict="differs", real="a", double="b")
    comparison = Comparison(
        agy="agy", version="1.2.10", said="1.2.10", assumed=False, updated=None, facts=(compared,)
    )
    # Of versions that differ in behaviours, flags and subcommands.
    printed = [shape(comparison), profile_shape((1, 1, 11)), difference_shape((1, 1, 7), (1, 1, 16))]
    for each in printed:
        assert keys({"version": 1, **each}) in [keys(one) for one in shown]


def test_the_cassette_in_the_reference_is_yaml_with_the_keys_that_it_explains() -> None:
    ((_, lines),) = blocks(DOCS / "reference" / "cassette.md", "yaml")
    shown = yaml.safe_load("\n".join(lines))
    assert [sorted(record) for record in shown["interactions"]] == [
        ["end", "files", "id", "process", "recorded", "request", "response"],
        ["end", "id", "mark", "note", "recorded"],
    ]


CITED = re.compile(r"\b(contract|stores)\.md (\d+(?:\.\d+)?)(?:(?:, | and )(\d+(?:\.\d+)?))*")


def numbers(page: Path) -> set[str]:
    return set(re.findall(r"^#+ (\d+(?:\.\d+)?)\.? ", page.read_text("utf-8"), re.MULTILINE))


def test_every_fact_about_agy_that_the_code_cites_is_in_the_reference() -> None:
    known = {page.stem: numbers(page) for page in (AGY / "contract.md", AGY / "stores.md")}
    missing = []
    for folder in ("cassettes", "fake_agy", "proxy", "tests"):
        for source in sorted((ROOT / folder).rglob("*.py")):
            for cited in CITED.finditer(source.read_text("utf-8")):
                wanted = set(re.findall(r"\d+(?:\.\d+)?", cited[0].partition(".md ")[2]))
                missing += [f"{named(source)}: {cited[0]}" for _ in wanted - known[cited[1]]]
    assert missing == []

"""Options that several verbs share, and what they mean."""

import os
import socket
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from agy_cassettes.errors import UserError
from agy_cassettes.redact.names import facts_of
from agy_cassettes.redact.own import load_redactors
from agy_cassettes.redact.redactor import Redactor
from agy_proxy.cli import page
from agy_proxy.cli.entry import silence
from agy_proxy.run.client import end_like
from agy_proxy.run.summary import Summary, as_lines, write_json
from fake_agy.profile.resolve import read_switch
from fake_agy.profile.row import Value
from fake_agy.settings import DoubleSettings

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


class Absolute(click.ParamType[Path]):
    """A path, made absolute against the working directory without following symlinks."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The absolute path; a usage error for an empty one."""
        if not value:
            self.fail("is empty", param, ctx)
        return Path(value).absolute()


class Output(Absolute):
    """The absolute path of a file that can be written: that is found out before anything is done."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path; a usage error where no file can be written there."""
        path = super().convert(value, param, ctx)
        if path.is_dir():
            self.fail(f"{path} is a folder, name a file in it", param, ctx)
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            self.fail(f"{path} can't be written", param, ctx)
        return path


ABSOLUTE = Absolute()
OUTPUT = Output()


class Speed(click.ParamType[float | None]):
    """A number above 0, or ``max``, which is None: no waits."""

    name = "N|max"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float | None:
        """The number, or None."""
        if value is None or value == "max":
            return None
        try:
            speed = float(value)
        except ValueError:
            speed = 0.0
        if not 0 < speed < float("inf"):
            self.fail(f"{value!r} is no number above 0 and not max", param, ctx)
        return speed


class Names(click.ParamType[tuple[str, ...]]):
    """Names with commas between them, as a tuple."""

    name = "A,B"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """The names; raises a usage error for none."""
        if isinstance(value, tuple):
            return value
        names = tuple(name.strip() for name in str(value).split(",") if name.strip())
        if not names:
            self.fail("names one at least, with commas between them", param, ctx)
        return names


class Switch(click.ParamType[tuple[str, Value]]):
    """``NAME=VALUE``: a behaviour of the double that is not the one of its version."""

    name = "NAME=VALUE"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, Value]:
        """The pair; raises `UserError` with the choices where there is no such name or value."""
        del param, ctx
        if isinstance(value, tuple):
            return value
        try:
            return read_switch(value)
        except ValueError as wrong:
            raise UserError(f"--switch {value}: {wrong}") from None


def switch_option(function: Decorated) -> Decorated:
    """Adds ``--switch NAME=VALUE``, which may be repeated, as the parameter `switches`."""
    text = "Change one behaviour of the version; repeatable. `fake-agy profile` lists them."
    return click.option("--switch", "switches", type=Switch(), multiple=True, help=text)(function)


def client_argument(function: Decorated) -> Decorated:
    """Adds ``-- CLIENT...`` as the parameter `client`."""
    argument = click.argument(
        "client", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- CLIENT..."
    )
    return argument(function)


def summary_option(function: Decorated) -> Decorated:
    """Adds ``--summary-json FILE`` as the parameter `summary_json`."""
    text = "Write the summary of the run to FILE as JSON."
    return click.option("--summary-json", type=OUTPUT, metavar="FILE", help=text)(function)


def redact_options(function: Decorated) -> Decorated:
    """Adds ``--redact`` and ``--redactors``."""
    for option in (
        click.option(
            "--redactors",
            type=ABSOLUTE,
            metavar="FILE.py",
            help="Redactors of your own, beside the built-in ones.",
        ),
        click.option(
            "--redact",
            type=click.Choice(["default", "off"]),
            default="default",
            show_default=True,
            help="Whether secrets are replaced before anything is saved.",
        ),
    ):
        function = option(function)
    return function


def double_options(function: Decorated) -> Decorated:
    """Adds what the double is told: ``--scenario --agy-version --switch --speed --seed --clock``."""
    for option in (
        click.option("--clock", metavar="ISO", help="Stand the double's clock still at this time."),
        click.option("--seed", type=int, default=1, show_default=True, help="Another seed gives other ids."),
        click.option("--speed", type=Speed(), default="max", help="Divide every wait; max leaves them out."),
        switch_option,
        click.option(
            "--agy-version",
            default=DoubleSettings().agy_version,
            show_default=True,
            metavar="V",
            help="The version as which the double behaves.",
        ),
        click.option("--scenario", metavar="NAME|FILE", help="What the double plays; none come with it yet."),
    ):
        function = option(function)
    return function


def double_settings(
    *,
    scenario: str | None,
    agy_version: str,
    switches: tuple[tuple[str, Value], ...] = (),
    speed: float | None,
    seed: int,
    clock: str | None,
) -> DoubleSettings:
    """The double's settings; raises `UserError` for a scenario, of which this version has none."""
    if scenario is not None:
        raise UserError(f"there is no scenario {scenario!r}; this version has none, leave --scenario out")
    return DoubleSettings(agy_version=agy_version, seed=seed, speed=speed, clock=clock, switches=switches)


def redactor_for(redact: str, redactors: Path | None, env: Mapping[str, str]) -> Redactor | None:
    """The redactor of a run; None where it is switched off. Raises `UserError` for a bad file."""
    if redact == "off":
        if redactors is not None:
            raise UserError("--redact off and --redactors contradict each other; leave one out")
        return None
    own = () if redactors is None else load_redactors(redactors)
    return Redactor(facts=facts_of(env, socket.gethostname()), own=own)


def finish(summary: Summary, summary_json: Path | None) -> None:
    """Ends a verb that ran a client: the summary on stderr and in its file, then the client's own end.

    A stderr that takes nothing must not hide how the client ended.
    """
    try:
        for line in as_lines(summary):
            page.tell(line)
    except OSError:
        silence(sys.stderr)
    if summary_json is not None:
        try:
            write_json(summary, summary_json)
        except OSError as failed:
            page.tell(f"--summary-json {summary_json}: {(failed.strerror or '').lower()}")
    end_like(summary.ended)


def environment() -> dict[str, str]:
    """The caller's environment."""
    return dict(os.environ)

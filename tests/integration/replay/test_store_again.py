"""A store of the double's, told by a cassette and written again: what a reader and a later call find."""

import _sqlite3
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from agy_cassettes.edits import apply
from agy_cassettes.interaction import FileEvent, Recorded
from agy_cassettes.places import Places, to_stored
from agy_proxy.record.decoded import facts_value, step_value
from fake_agy.settings import DoubleSettings
from fake_agy.stores.decoding import read_facts, read_steps
from tests.support.double import Double, make_double
from tests.support.interactions import BY, interaction
from tests.support.players import player

TIME = re.compile(
    r"20\d\d-\d\d-\d\d[T ][0-9:.]+(?:Z|\+00:00)|\b[IWEF]\d{4} [0-9:.]+|\b\d{19}\b|\b20\d{6}_\d{6}\b"
)
MERGED = ("last_conversations.json", "projects.json", "conversation_metadata.json")


def events(double: Double) -> Iterator[FileEvent]:
    """What calls left in the store, as a cassette tells it."""
    places = Places(bytes(double.home), bytes(double.cwd))

    def event(path: Path, text: bytes, op: Any = "create", **extra: Any) -> FileEvent:
        stored = apply(text, to_stored(text, places))
        name = f"${{AGY_HOME}}/{path.relative_to(double.root)}"
        return FileEvent(op=op, path=name, text=stored, extra=extra)

    for path in sorted(double.root.rglob("*")):
        if path.is_symlink():
            name = f"${{AGY_HOME}}/{path.relative_to(double.root)}"
            yield FileEvent(op="symlink", path=name, target=str(path.readlink()))
        elif path.is_file() and path.name in MERGED:
            yield event(path, path.read_bytes(), "replace", merge=True)
        elif path.is_file() and (".system_generated" in path.parts or path.parent.name == "log"):
            yield event(path, path.read_bytes())
        elif path.suffix == ".db" and path.parent.name == "conversations":
            yield event(path, b"".join(decoded(path)), decoded=True)


def decoded(path: Path) -> Iterator[bytes]:
    """The lines of a database."""
    with closing(_sqlite3.connect(str(path))) as connection:
        facts = read_facts(connection)
        assert facts is not None
        listed = dict(zip(("title", "preview"), *rows(path.parents[1], "title, preview"), strict=True))
        yield json.dumps({"facts": facts_value(facts) | listed}, sort_keys=True).encode() + b"\n"
        for step, _ in read_steps(connection):
            yield json.dumps({"step": step_value(step)}, sort_keys=True).encode() + b"\n"


def rows(root: Path, what: str = "*") -> list[tuple[Any, ...]]:
    """The list of conversations."""
    with closing(_sqlite3.connect(str(root / "conversation_summaries.db"))) as connection:
        found: list[tuple[Any, ...]] = connection.execute(
            f"SELECT {what} FROM conversation_summaries"
        ).fetchall()
        return found


class Both:
    """The double whose store was told, and the same double in the HOME that a replay wrote."""

    def __init__(self, folder: Path, version: str) -> None:
        began = datetime.now(UTC)
        self.first = make_double(folder / "double", DoubleSettings(agy_version=version))
        assert self.first.call("-p", "My parrot is called Ada.").code == 0
        assert self.first.call("-c", "-p", "What did I tell you?").code == 0
        at = f"{began:%Y-%m-%dT%H:%M:%S}.{began.microsecond // 1000:03}Z"
        recorded = Recorded(at=at, by=BY, agy=version)
        self.agy = player(folder / "player", interaction(recorded=recorded, files=list(events(self.first))))
        assert self.agy.run("-p", "What is left?", cwd=self.first.cwd).returncode == 0
        assert (self.agy.folder / "errors.log").read_text() == ""
        self.again = Double(self.first.agy, self.agy.home, self.first.cwd)


@pytest.fixture(scope="module", params=["1.2.10", "1.3.1", "1.1.2"])
def both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Both:
    return Both(tmp_path_factory.mktemp("stores"), request.param)


def test_the_same_files_hold_the_same_but_for_times(both: Both) -> None:
    def texts(double: Double) -> Mapping[str, str]:
        found = {
            TIME.sub("T", str(path.relative_to(double.root))): path
            for path in double.root.rglob("*")
            if path.is_file() and (".system_generated" in path.parts or path.name in MERGED)
        }
        return {
            name: TIME.sub("T", path.read_text()).replace(str(double.home), "HOME")
            for name, path in found.items()
        }

    again = texts(both.again)

    assert again == texts(both.first)
    assert {"cache/last_conversations.json", "cache/conversation_metadata.json"} < set(again)


def test_the_link_to_the_newest_log_leads_to_what_was_logged(both: Both) -> None:
    first, again = (
        TIME.sub("T", (double.root / "log/cli.log").read_text()).replace(str(double.home), "HOME")
        for double in (both.first, both.again)
    )

    assert again == first


def test_the_same_databases_tell_the_same_steps_and_facts(both: Both) -> None:
    def told(double: Double) -> Mapping[str, Any]:
        found = {}
        for path in (double.root / "conversations").glob("*.db"):
            with closing(_sqlite3.connect(str(path))) as connection:
                facts = read_facts(connection)
                steps = [step._replace(created=0, finished=0) for step, _ in read_steps(connection)]
                calls = connection.execute("SELECT count(*) FROM gen_metadata").fetchall()
                found[path.name] = (facts and facts._replace(created=0), steps, calls)
        return found

    again = told(both.again)

    assert again == told(both.first)
    assert all(len(steps) >= 5 for _, steps, _ in again.values())


def test_the_same_conversations_are_listed(both: Both) -> None:
    first, again = (
        [tuple(TIME.sub("T", str(value)) for value in row) for row in rows(double.root)]
        for double in (both.first, both.again)
    )

    assert again == first
    assert len(again) == 1


def test_times_are_after_the_replay_began(both: Both) -> None:
    path = next(both.again.root.glob("brain/*/.system_generated/logs/transcript.jsonl"))
    written = [json.loads(line)["created_at"] for line in path.read_text().splitlines()]
    first = next(both.first.root.glob("brain/*/.system_generated/logs/transcript.jsonl"))
    before = [json.loads(line)["created_at"] for line in first.read_text().splitlines()]

    assert all(new >= old for new, old in zip(written, before, strict=True))


def test_the_double_goes_on_where_the_replay_ended(both: Both) -> None:
    answered = both.again.call("-c", "-p", "And now?")

    assert answered.code == 0
    assert "My parrot is called Ada." in answered.out

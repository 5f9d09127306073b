"""One turn of the double beside the bare interpreter, with an empty store and with a large one."""

import json
import shutil
import sqlite3
import uuid
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from fake_agy.double import write_double
from fake_agy.settings import DoubleSettings
from tests.bench.bed import MANY, Bed
from tests.bench.command import Command, run
from tests.bench.pairs import median, paired_ratio
from tests.bench.row import Row, at_most
from tests.bench.trouble import BenchError

BARE, ALONE, CROWDED = "python -IS -c pass", "the double", f"the double, {MANY:,} conversations"


class Doubles:
    """Each round takes one fresh turn in each of two HOMEs, in a drawn order."""

    def __init__(self, bed: Bed, *, rounds: int = 100) -> None:
        self.rounds = rounds
        self._bed = bed
        self._seconds: dict[str, list[float]] = {}
        self._commands = {
            BARE: bed.bare,
            ALONE: self._double("alone", 0),
            CROWDED: self._double("crowded", MANY),
        }

    def run(self, _number: int, /) -> None:
        """One call of each."""
        for name in self._bed.draw.sample(list(self._commands), len(self._commands)):
            ended = run(self._commands[name], self._bed.env)
            self._seconds.setdefault(name, []).append(ended.seconds)

    def rows(self) -> Sequence[Row]:
        """The double against the floor, and against itself with many conversations."""
        return (self._ratio(ALONE, BARE, 6), self._ratio(CROWDED, ALONE, 1.25))

    def _double(self, name: str, conversations: int) -> Command:
        folder = self._bed.made(f"doubles/{name}")
        agy = write_double(folder / "bin", DoubleSettings(home=str(folder / "home"), seed=self._bed.seed))
        (folder / "home").mkdir()
        command = Command((str(agy), "-p", "a prompt to answer"), None)
        run(command, self._bed.env)
        fill(folder / "home" / ".gemini" / "antigravity-cli", conversations)
        return command

    def _ratio(self, ours: str, theirs: str, limit: float) -> Row:
        one, other = self._seconds[ours], self._seconds[theirs]
        return Row(
            what=f"{ours} / {theirs}",
            figure=paired_ratio(one, other),
            unit="x",
            bound=at_most(limit),
            detail=f"{median(one) * 1e3:.1f} and {median(other) * 1e3:.1f} ms",
        )


def fill(root: Path, count: int) -> None:
    """Copy the store's one conversation `count` times under new ids, listed where agy would list them."""
    made = list((root / "brain").iterdir())
    if len(made) != 1:
        raise BenchError(f"{root} holds {len(made)} conversations, one was to be copied")
    ids = [str(uuid.uuid4()) for _ in range(count)]
    databases = [path for path in (root / "conversations").iterdir() if path.suffix == ".db"]
    for identity in ids:
        shutil.copytree(made[0], root / "brain" / identity)
        for path in databases:
            shutil.copyfile(path, path.with_name(f"{identity}.db"))
    with closing(sqlite3.connect(root / "conversation_summaries.db")) as summaries, summaries:
        cursor = summaries.execute("SELECT * FROM conversation_summaries")
        names = [column[0] for column in cursor.description]
        row = dict(zip(names, cursor.fetchone(), strict=True))
        summaries.executemany(
            f"INSERT INTO conversation_summaries VALUES ({', '.join('?' * len(names))})",
            [tuple((row | {"conversation_id": identity}).values()) for identity in ids],
        )
    last = root / "cache" / "last_conversations.json"
    entries = json.loads(last.read_text())
    last.write_text(
        json.dumps(entries | {f"/work/{number}": identity for number, identity in enumerate(ids)})
    )

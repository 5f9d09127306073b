"""What one recording costs in reads, writes and bytes, in a small cassette and in a large one."""

import os
import random
import statistics
import string
import time
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from agy_cassettes.emitter import emit_record, header
from agy_cassettes.interaction import FileEvent
from agy_cassettes.redact.placeholders import Placeholders, placeholder
from agy_cassettes.redact.records import redact_interaction
from agy_cassettes.redact.redactor import Redactor
from agy_proxy.record.cassette_notes import catch_up
from agy_proxy.record.finish import Target, finish_run
from agy_proxy.record.ledger import open_ledger
from tests.support.interactions import interaction
from tests.support.recorded_call import RecordedCall, Store, row

FEW, MANY = 10, 3_000
CALLS = 15
PAGE = 4096 + 8
"""Bytes of a page of the ledger, and of its copy in the ledger's journal."""


class Cost(NamedTuple):
    """As the kernel counts: bytes and calls of reading and of writing."""

    bytes_read: int
    bytes_written: int
    reads: int
    writes: int


def so_far() -> Cost:
    told = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return Cost(*(int(told[name]) for name in ("rchar", "wchar", "syscr", "syscw")))


def api_key(draw: random.Random) -> str:
    return "AIza" + "".join(draw.choices(string.ascii_letters + string.digits, k=35))


def cassette_of(count: int, path: Path) -> None:
    """A cassette with a conversation and a secret for each call."""
    with path.open("wb") as file:
        file.write(header())
        for number in range(count):
            name = f"${{AGY_HOME}}/brain/{uuid.UUID(int=number)}/.system_generated/logs/transcript.jsonl"
            made = interaction(f"01J0-{number}", stdout=placeholder("api-key", number + 1))
            file.write(emit_record(replace(made, files=(FileEvent(op="create", path=name, text=b"{}\n"),))))


def costs(count: int, folder: Path) -> Iterator[Cost]:
    """Record further calls into a cassette of `count`, each with a conversation and a secret of its own."""
    draw, redactor, store = random.Random(count), Redactor(), Store(folder / "home")
    target = Target(
        cassette=folder / "c.agy.yaml",
        state=folder,
        redact=lambda made, placeholders: redact_interaction(made, redactor, placeholders),
        ask_version=lambda _: None,
    )
    cassette_of(count, target.cassette)
    with open_ledger(folder / "ledger.sqlite") as ledger:
        give = Placeholders(ledger)
        for _ in range(count):
            give("api-key", api_key(draw).encode())
        catch_up(ledger, target.cassette)
        ledger.commit()
    for number in range(CALLS):
        call = RecordedCall(folder / "journals", store.home, b"-p", b"turn %d" % number)
        conversation = str(uuid.UUID(int=draw.getrandbits(128), version=4))
        store.append(conversation, row("USER_INPUT", f"turn {number}"))
        # A real agy takes longer to write than the kernel's tick is, which is the grain of this time.
        os.utime(store.transcript(conversation), ns=(time.time_ns(), time.time_ns()))
        call.say("o", f"the key is {api_key(draw)}\n".encode())
        call.end()
        before = so_far()
        report = finish_run(folder / "journals", target)
        after = so_far()
        assert (len(report.saved), report.errors) == (1, ())
        yield Cost(*(late - early for late, early in zip(after, before, strict=True)))


def test_recording_costs_no_more_in_a_large_cassette_than_in_a_small_one(tmp_path: Path) -> None:
    usual: dict[int, Cost] = {}
    for count in (FEW, MANY):
        folder = tmp_path / str(count)
        folder.mkdir()
        found = list(costs(count, folder))
        usual[count] = Cost(*(int(statistics.median(each)) for each in zip(*found, strict=True)))
        text = (folder / "c.agy.yaml").read_text()
        assert text.count("REDACTED-api-key-") == count + CALLS
        assert text.count("op: create") == count + CALLS
    few, many = usual[FEW], usual[MANY]
    print(f"{few}\n{many}")
    # A table of thousands has two levels more than one of ten, which costs a page each.
    assert many.bytes_read - few.bytes_read <= 5 * PAGE
    assert many.bytes_written - few.bytes_written <= 2 * PAGE
    # What is read of processes differs by a call or two.
    assert many.reads - few.reads <= 7
    assert many.writes - few.writes <= 2


def test_recording_puts_no_file_in_the_place_of_another(tmp_path: Path) -> None:
    recording = costs(FEW, tmp_path)
    next(recording)
    before = {path.name: path.stat().st_ino for path in tmp_path.iterdir() if path.is_file()}
    list(recording)
    assert {path.name: path.stat().st_ino for path in tmp_path.iterdir() if path.is_file()} == before

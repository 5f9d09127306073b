"""Streams and files in one order: all of them are one file here, to which each write is appended."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agy_cassettes.interaction import FileEvent, Interaction
from tests.support.interactions import interaction
from tests.support.players import Player, player

LOGS = "brain/9b1d/.system_generated/logs"
NAMES = ("transcript.jsonl", "transcript_full.jsonl", "transcript/00000000.jsonl")
STREAM = ("--input-format", "stream-json")
MESSAGE = b'{"text":"go on"}\n'
Step = tuple[str, bytes]
"""What is written where: ``o``, ``e``, the name of a file, ``log``, or ``i`` for an awaited message."""


def recorded(steps: list[Step], waits: list[int]) -> Interaction:
    """A call that did these steps, each so many ms after the one before."""
    files = [
        FileEvent(
            op="append",
            path="${LOG_FILE}" if where == "log" else f"${{AGY_HOME}}/{LOGS}/{where}",
            text=text,
        )
        for where, text in steps
        if where not in ("o", "e", "i")
    ]
    ticks = [
        (wait, where, len(text)) if where in ("o", "e", "i") else (wait, "f", 1)
        for (where, text), wait in zip(steps, waits, strict=True)
    ]
    said = b"".join(text for where, text in steps if where == "i")
    return interaction(
        argv=("agy", "--log-file", "${LOG_FILE}", *STREAM, "-p", "${PROMPT}"),
        stdin=said.decode(),
        stdout=b"".join(text for where, text in steps if where == "o"),
        stderr=b"".join(text for where, text in steps if where == "e"),
        timing=[*ticks, (0, "x", 1)],
        files=files,
    )


def into_one(folder: Path, agy: Player, said: bytes) -> bytes:
    """What a call writes, wherever it does, in the order of writing."""
    one = folder / "all"
    one.touch()
    for name in NAMES:
        path = agy.store / LOGS / name
        path.parent.mkdir(parents=True, exist_ok=True)
        os.link(one, path)
    messages = folder / "messages"
    messages.write_bytes(said)
    with one.open("ab") as stream, messages.open("rb") as stdin:
        argv = ("--log-file", str(one), *STREAM, "-p", "What is left?")
        with agy.start(*argv, stdin=stdin, stdout=stream, stderr=stream) as process:
            assert process.wait(60) == 0
    return one.read_bytes()


PLACES = st.sampled_from(["o", "e", "log", "i", *NAMES])


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(places=st.lists(PLACES, max_size=24), data=st.data())
def test_every_write_comes_in_recorded_order_and_none_is_missing(
    places: list[str], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    steps = [
        (where, MESSAGE if where == "i" else f"{at} {where}\n".encode()) for at, where in enumerate(places)
    ]
    waits = data.draw(st.lists(st.integers(0, 4), min_size=len(steps), max_size=len(steps)))
    speed = data.draw(st.sampled_from([1, "max"]))
    folder = tmp_path_factory.mktemp("order")
    agy = player(folder, recorded(steps, waits), speed=speed)

    found = into_one(folder, agy, MESSAGE * places.count("i"))

    assert found == b"".join(text for where, text in steps if where != "i")


def test_files_that_were_seen_together_come_together_in_their_order(tmp_path: Path) -> None:
    files = [
        FileEvent(op="append", path=f"${{AGY_HOME}}/{LOGS}/{NAMES[at % 3]}", text=b"%d\n" % at)
        for at in range(9)
    ]
    whole = recorded([("o", b"first\n"), ("o", b"last\n")], [0, 0])
    response = whole.response
    timing = (response.timing[0], response.timing[0]._replace(code="f", count=9), *response.timing[1:])
    call = Interaction(
        id=whole.id,
        recorded=whole.recorded,
        request=whole.request,
        response=response.__class__(exit=response.exit, stdout=response.stdout, timing=timing),
        files=tuple(files),
    )
    agy = player(tmp_path, call)

    lines = into_one(tmp_path, agy, b"").split()

    assert lines == [b"first", *(b"%d" % at for at in range(9)), b"last"]

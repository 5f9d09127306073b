"""Every row of the table of behaviours makes a difference that a caller or a reader can see."""

import itertools
import os
import pty
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fake_agy.profile.resolve import as_text
from fake_agy.profile.row import Behaviour, Row, Value
from fake_agy.profile.table import BEHAVIOURS, TOPICS
from fake_agy.settings import DoubleSettings
from fake_agy.version import Version
from tests.contract.flips import FLIPS
from tests.contract.flips.flip import Call, Flip
from tests.support.double import Double, make_double
from tests.support.store import snapshot

VERSIONS = tuple(
    (major, minor, patch)
    for major, minor, last in ((1, 0, 16), (1, 1, 28), (1, 2, 17), (1, 3, 3))
    for patch in range(last + 1)
)
"""Every version whose changes are known (contract.md 8)."""

CLOCK = "2026-09-01T12:00:00Z"
LIMIT = 30.0


def _cases() -> Iterator[Any]:
    for behaviour in BEHAVIOURS:
        for row in behaviour.rows:
            version = ".".join(map(str, row.since))
            for other in behaviour.values:
                if other != row.value:
                    yield pytest.param(
                        behaviour, row, other, id=f"{behaviour.name}-{version}-not-{as_text(other)}"
                    )


def test_every_behaviour_has_a_flip_and_every_flip_a_behaviour() -> None:
    assert set(FLIPS) == {behaviour.name for behaviour in BEHAVIOURS}


def test_no_behaviour_stands_twice() -> None:
    names = [behaviour.name for behaviour in BEHAVIOURS]

    assert sorted(names) == sorted(set(names))
    assert sum(map(len, TOPICS.values())) == len(BEHAVIOURS)


@pytest.mark.parametrize("behaviour", BEHAVIOURS, ids=lambda each: each.name)
def test_the_rows_of_a_behaviour_cover_every_version_in_order_and_each_changes_it(
    behaviour: Behaviour,
) -> None:
    since = [row.since for row in behaviour.rows]
    values = [row.value for row in behaviour.rows]

    assert since[0] == (1, 0, 0)
    assert since == sorted(set(since))
    assert all(before != after for before, after in itertools.pairwise(values))
    assert len(behaviour.values) > 1


@pytest.mark.parametrize(("behaviour", "row", "other"), tuple(_cases()))
def test_a_row_taken_otherwise_gives_another_output_or_store(
    behaviour: Behaviour, row: Row, other: Value, tmp_path: Path
) -> None:
    flip = FLIPS[behaviour.name]
    for version in ends_of(behaviour, row):
        as_it_is = outcome(flip, version, (), tmp_path)
        assert as_it_is == outcome(flip, version, (), tmp_path), "the calls must come out the same twice"
        if as_it_is != outcome(flip, version, ((behaviour.name, other),), tmp_path):
            return
    pytest.fail(f"{behaviour.name} makes no difference")


def ends_of(behaviour: Behaviour, row: Row) -> tuple[Version, ...]:
    """The last and the first version a row holds for: a flag that shows it may be newer than the row."""
    until = behaviour.until(row) or (2, 0, 0)
    held = [version for version in VERSIONS if row.since <= version < until]
    return tuple(dict.fromkeys((held[-1], held[0])))


def outcome(flip: Flip, version: Version, switch: tuple[tuple[str, Value], ...], folder: Path) -> Any:
    """What the calls print, how they end and what they leave behind, with one behaviour switched."""
    switches = (*(pair for pair in flip.switches if pair[0] not in dict(switch)), *switch)
    settings = DoubleSettings(
        agy_version=".".join(map(str, version)),
        clock=CLOCK,
        switches=switches,
        turns=tuple(flip.turns),
    )
    place = folder / "double"
    double = make_double(place, settings)
    prepare = flip.prepare
    if prepare is not None:
        prepare(double)
    seen = [played(call, double) for call in flip.calls]
    kept = snapshot(double.home), snapshot(double.cwd)
    place.rename(folder / f"done-{len(list(folder.iterdir()))}")
    return seen, kept


def played(call: Call, double: Double) -> tuple[int, bytes, bytes]:
    """Plays one call to its end."""
    known = double.newest_conversation()
    if call.before is not None:
        call.before(double)
    argv = [word.replace("{id}", known).replace("{cwd}", str(double.cwd)) for word in call.argv]
    command = double.command(*argv)
    env = {**command["env"], **dict(call.env)}
    if not call.home:
        del env["HOME"]
    if call.terminal:
        return on_a_terminal(command | {"env": env}, call)
    reading, writing = os.pipe()
    try:
        stdin: int = subprocess.DEVNULL if call.stdin is None and not call.open_stdin else reading
        process = subprocess.Popen(
            command["args"],
            cwd=command["cwd"],
            env=env,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        if call.stdin is not None:
            os.write(writing, call.stdin)
        if not call.open_stdin:
            os.close(writing)
            writing = -1
        first = b""
        if call.signal is not None:
            first = wait_for_the_turn(process, double, call.after)
            if not call.after:
                wait_for_rest(process.pid)
            process.send_signal(call.signal)
        try:
            out, err = process.communicate(timeout=3.0 if call.open_stdin else LIMIT)
        except subprocess.TimeoutExpired:
            if not call.open_stdin:
                raise
            process.kill()  # an open pipe at stdin that agy waits for: that is the outcome
            out, err = process.communicate()
        return process.returncode, first + out, err
    finally:
        os.close(reading)
        if writing >= 0:
            os.close(writing)


def wait_for_the_turn(process: subprocess.Popen[bytes], double: Double, after: bytes) -> bytes:
    """Waits until the call has printed `after`, or has its prompt in a transcript; gives what it printed."""
    assert process.stdout is not None
    before, seen = len(double.prompts()), b""
    deadline = time.monotonic() + LIMIT
    while time.monotonic() < deadline:
        if select.select([process.stdout], [], [], 0.01)[0]:
            seen += os.read(process.stdout.fileno(), 1 << 16)
        if process.poll() is not None or (after and after in seen):
            return seen
        if not after and (seen or len(double.prompts()) > before):
            return seen
    raise AssertionError(f"the call did not come as far as {after!r}; it printed {seen!r}")


def wait_for_rest(pid: int) -> None:
    """Waits until the call waits: what it writes behind its prompt is written by then, or not begun."""
    before = ""
    deadline = time.monotonic() + LIMIT
    while time.monotonic() < deadline:
        state, *rest = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        used = f"{state} {rest[10:14]}"
        if state in "SZ" and used == before:
            return
        before = used
        select.select([], [], [], 0.02)
    raise AssertionError(f"process {pid} never came to rest")


def on_a_terminal(command: dict[str, Any], call: Call) -> tuple[int, bytes, bytes]:
    """Runs a call on a terminal of its own; what is typed goes out once the screen says something new."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        **command, stdin=follower, stdout=follower, stderr=follower, start_new_session=True
    )
    os.close(follower)
    seen, typed, taken = b"", list(call.typed_after), 0
    deadline = time.monotonic() + LIMIT
    try:
        while time.monotonic() < deadline:
            if typed and typed[0][0] in seen[taken:]:
                after, keys = typed.pop(0)
                taken = seen.index(after, taken) + len(after)
                os.write(leader, keys)
                continue
            if not select.select([leader], [], [], 0.05)[0]:
                if process.poll() is not None:
                    break
                continue
            try:
                chunk = os.read(leader, 1 << 16)
            except OSError:  # the terminal's other side is gone
                break
            if not chunk:
                break
            seen += chunk
        else:
            process.send_signal(signal.SIGKILL)
            raise AssertionError(f"the call on a terminal did not end; it showed {seen!r}")
        return process.wait(timeout=LIMIT), seen, b""
    finally:
        os.close(leader)

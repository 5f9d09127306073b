import fcntl
import os
import random
import re
import signal
import stat
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agy_cassettes.cassette import Cassette
from agy_cassettes.edits import apply
from agy_cassettes.interaction import Interaction
from agy_cassettes.places import Places, to_live
from agy_cassettes.redact.placeholders import Placeholders
from agy_cassettes.redact.records import redact_interaction
from agy_cassettes.redact.redactor import Redactor
from agy_cassettes.verify import verify
from agy_proxy.record import finish
from agy_proxy.record.finish import FinishReport, Target, finish_run
from agy_proxy.record.stored import is_text
from agy_proxy.record.witness import Witness
from tests.support.figures import drawn_seed, scaled
from tests.support.journals import BEGAN, MONOTONIC, MS, end_frames, frame, start_frame, write_journal
from tests.support.recorded_call import RecordedCall, Store, row

OLD = "9b1d8d5e-0000-4000-8000-000000000001"
KEY = b"AIzaSyD3xv0kQe8Zr1TnW7uYb2Lp5Hc9Mj4Fg6R"
OTHER_KEY = b"AIzaSyB9qK2mVt5Xc8Lw1Pz4Rn7Hd0Jf3Gs6TyE"


def no_version(_real: bytes) -> str | None:
    return None


def redacted(interaction: Interaction, placeholders: Placeholders) -> Interaction:
    return redact_interaction(interaction, Redactor(), placeholders)


def a_target(folder: Path, **changes: object) -> Target:
    state = folder / "state"
    state.mkdir(mode=0o700, exist_ok=True)
    given: dict[str, object] = {
        "cassette": folder / "c.agy.yaml",
        "state": state,
        "redact": redacted,
        "errors_log": folder / "errors.log",
        "ask_version": no_version,
        **changes,
    }
    return Target(**given)  # type: ignore[arg-type]  # what a test changes is its own affair


@pytest.fixture
def journals(tmp_path: Path) -> Path:
    return tmp_path / "journals"


def one_journal(folder: Path, number: int = 0, *parts: bytes) -> Path:
    began, pid = BEGAN + number * 1000 * MS, 4000 + number
    start = start_frame((b"agy", b"-p", b"prompt %d" % number), realtime_ns=b"%d" % began, pid=b"%d" % pid)
    body = parts or (frame("o", MONOTONIC, b"answer %d\n" % number),)
    return write_journal(folder, start, *body, end_frames(), began=began, pid=pid)


def a_key(number: int) -> bytes:
    return KEY[:-4] + b"%04d" % number


def numbers_in(cassette: Path) -> list[bytes]:
    """The placeholders in the calls' output, where each call had one secret of its own."""
    outputs = [each.response.stdout for each in Cassette.open(cassette).interactions()]
    return [
        found
        for out in outputs
        if isinstance(out, bytes)
        for found in re.findall(rb"REDACTED-[a-z-]+\d+", out)
    ]


def prompts(cassette: Path) -> list[str]:
    return [str(each.request.prompt) for each in Cassette.open(cassette).interactions()]


def only(cassette: Path) -> Interaction:
    (interaction,) = Cassette.open(cassette).interactions()
    return interaction


def test_every_call_is_saved_in_the_order_they_began_and_its_journal_deleted(
    tmp_path: Path, journals: Path
) -> None:
    for number in (2, 0, 1):
        one_journal(journals, number)
    target = a_target(tmp_path)
    report = finish_run(journals, target)
    assert prompts(target.cassette) == ["prompt 0", "prompt 1", "prompt 2"]
    assert report.saved == tuple(entry.id for entry in Cassette.open(target.cassette).entries)
    assert (report.incomplete, report.turns, report.errors, report.live) == ((), 3, (), ())
    assert list(journals.iterdir()) == []
    assert finish_run(journals, target) == FinishReport()
    assert verify(target.cassette).is_sound()


def test_a_probe_is_a_call_but_no_turn_and_tells_the_version(tmp_path: Path, journals: Path) -> None:
    start = start_frame((b"agy", b"--version"))
    write_journal(journals, start, frame("o", MONOTONIC, b"1.2.10\n"), end_frames())
    one_journal(journals, 1)
    target = a_target(tmp_path)
    report = finish_run(journals, target)
    assert (len(report.saved), report.turns) == (2, 1)
    assert [each.recorded.agy for each in Cassette.open(target.cassette).interactions()] == [
        "1.2.10",
        "1.2.10",
    ]


def test_a_binary_is_asked_for_its_version_once_and_again_when_it_changed(
    tmp_path: Path, journals: Path
) -> None:
    agy = tmp_path / "agy"
    asked: list[bytes] = []

    def ask(real: bytes) -> str:
        asked.append(real)
        return f"1.0.{len(asked)}"

    target = a_target(tmp_path, ask_version=ask)
    for number, text in enumerate(("one", "one", "other")):
        agy.write_text(text)
        os.utime(agy, ns=(5, 5))
        facts = {"real": bytes(agy), "real_size": b"%d" % len(text), "real_mtime_ns": b"5"}
        start = start_frame((b"agy", b"-p", b"a"), realtime_ns=b"%d" % (BEGAN + number), **facts)
        write_journal(journals, start, end_frames(), began=BEGAN + number)
        finish_run(journals, target)
    assert [each.recorded.agy for each in Cassette.open(target.cassette).interactions()] == [
        "1.0.1",
        "1.0.1",
        "1.0.2",
    ]
    assert asked == [bytes(agy)] * 2


def test_secrets_never_reach_the_cassette_and_keep_their_numbers_from_run_to_run(
    tmp_path: Path, journals: Path
) -> None:
    one_journal(
        journals, 0, frame("o", MONOTONIC, KEY[:20]), frame("o", MONOTONIC + 9 * MS, KEY[20:] + b"\n")
    )
    target = a_target(tmp_path)
    finish_run(journals, target)
    first = only(target.cassette)
    assert first.recorded.redacted == 1
    placeholder = first.response.stdout
    one_journal(journals, 1, frame("e", MONOTONIC, KEY + b"\n"))
    finish_run(journals, target)
    kept = list((tmp_path / "state").glob("ledger*"))
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept} == {0o600}
    assert not any(KEY in path.read_bytes() for path in kept)
    for path in kept:
        path.unlink()
    one_journal(journals, 2, frame("o", MONOTONIC, OTHER_KEY + b"\n"))
    finish_run(journals, target)
    _, second, third = Cassette.open(target.cassette).interactions()
    assert second.response.stderr == placeholder
    assert third.response.stdout != placeholder
    assert KEY not in target.cassette.read_bytes()


def test_redaction_can_be_off_and_says_so(tmp_path: Path, journals: Path) -> None:
    one_journal(journals, 0, frame("o", MONOTONIC, KEY))
    target = a_target(tmp_path, redact=None)
    finish_run(journals, target)
    assert only(target.cassette).recorded.redaction == "off"
    assert only(target.cassette).response.stdout == KEY


def test_a_killed_recorders_call_is_saved_as_incomplete(tmp_path: Path, journals: Path) -> None:
    whole = start_frame() + frame("o", MONOTONIC, b"so far") + frame("o", MONOTONIC, b"torn")
    write_journal(journals, whole[:-2])
    target = a_target(tmp_path)
    report = finish_run(journals, target)
    assert report.incomplete == report.saved
    saved = only(target.cassette)
    assert (saved.response.stdout, saved.recorded.complete, saved.response.exit.unknown) == (
        b"so far",
        False,
        True,
    )


def test_a_recording_that_lost_bytes_is_incomplete_though_its_exit_was_seen(
    tmp_path: Path, journals: Path
) -> None:
    one_journal(journals, 0, frame("n", MONOTONIC, b"the recording is incomplete: no space left on device"))
    target = a_target(tmp_path)
    assert len(finish_run(journals, target).incomplete) == 1
    process = only(target.cassette).process
    assert process is not None
    assert process.extra["notes"] == ["the recording is incomplete: no space left on device"]


def test_a_journal_that_holds_no_call_is_told_and_taken_away(tmp_path: Path, journals: Path) -> None:
    path = write_journal(journals, start_frame()[:40], pid=2**22 + 1)
    report = finish_run(journals, a_target(tmp_path))
    assert report.errors == (f"{path}: the recorder was killed before it wrote down the call",)
    assert not path.exists()
    assert str(path) in (tmp_path / "errors.log").read_text()
    begun = write_journal(journals, b"", pid=os.getpid())
    assert finish_run(journals, a_target(tmp_path)).live == (begun,)
    assert begun.exists()


def test_a_live_call_is_left_alone_and_holds_back_later_ones_where_order_is_wanted(
    tmp_path: Path, journals: Path
) -> None:
    live = one_journal(journals, 0)
    one_journal(journals, 1)
    target = a_target(tmp_path)
    with live.open("ab") as standby:
        fcntl.flock(standby, fcntl.LOCK_SH)
        assert finish_run(journals, target, in_order=True) == FinishReport(live=(live,))
        report = finish_run(journals, target)
        assert (len(report.saved), report.live) == (1, (live,))
        forced = finish_run(journals, target, force=True)
        assert len(forced.saved) == len(forced.incomplete) == 1
    assert prompts(target.cassette) == ["prompt 1", "prompt 0"]


def test_what_cannot_be_saved_keeps_its_journal_and_is_told(tmp_path: Path, journals: Path) -> None:
    path = one_journal(journals)
    (tmp_path / "c.agy.yaml").mkdir()
    report = finish_run(journals, a_target(tmp_path))
    assert (report.saved, len(report.errors)) == ((), 1)
    assert "is a directory" in report.errors[0].lower()
    assert path.exists()
    (tmp_path / "c.agy.yaml").rmdir()
    assert len(finish_run(journals, a_target(tmp_path)).saved) == 1


def test_the_errors_log_has_what_cannot_be_saved_once_for_each_journal_however_often_it_is_tried(
    tmp_path: Path, journals: Path
) -> None:
    paths = [one_journal(journals, number) for number in range(2)]
    (tmp_path / "c.agy.yaml").mkdir()
    reports = [finish_run(journals, a_target(tmp_path)) for _ in range(3)]
    assert [len(report.errors) for report in reports] == [2, 2, 2]
    lines = (tmp_path / "errors.log").read_text().splitlines()
    assert [line.split(" ", 2)[2] for line in lines] == list(reports[0].errors)
    assert [str(path) in line for path, line in zip(paths, lines, strict=True)] == [True, True]


def test_one_call_that_cannot_be_converted_does_not_cost_the_others(tmp_path: Path, journals: Path) -> None:
    def failing(interaction: Interaction, placeholders: Placeholders) -> Interaction:
        if interaction.request.prompt == "prompt 0":
            raise RuntimeError(f"no good: {KEY.decode()}")
        return redacted(interaction, placeholders)

    path = one_journal(journals, 0)
    one_journal(journals, 1)
    report = finish_run(journals, a_target(tmp_path, redact=failing))
    assert report.errors == (f"{path}: RuntimeError: no good: REDACTED-api-key-0",)
    assert prompts(tmp_path / "c.agy.yaml") == ["prompt 1"]
    assert path.exists()


def test_journals_are_kept_on_request_and_not_saved_twice(tmp_path: Path, journals: Path) -> None:
    path = one_journal(journals)
    target = a_target(tmp_path, keep_journals=True)
    report = finish_run(journals, target)
    assert report.kept == (path.with_suffix(".saved"),)
    assert report.kept[0].exists()
    assert finish_run(journals, target) == FinishReport()


def test_output_in_a_file_is_read_back_from_where_the_call_began(tmp_path: Path, journals: Path) -> None:
    out = tmp_path / "out.txt"
    out.write_bytes(b"before mine after")
    fact = f"{out.stat().st_dev}:{out.stat().st_ino} ".encode() + bytes(out)
    start = start_frame(stdout=b"file", stdout_file=fact, stdout_offset=b"7")
    ends = frame("x", MONOTONIC, b"0") + frame("f", MONOTONIC, b"10:stdout_end,2:11,") + frame("E", MONOTONIC)
    write_journal(journals, start, ends)
    target = a_target(tmp_path)
    assert finish_run(journals, target).incomplete == ()
    assert only(target.cassette).response.stdout == b"mine"
    write_journal(
        journals, start_frame(stdout=b"file", stdout_file=fact, stdout_offset=b"7", pid=b"9"), ends, pid=9
    )
    out.unlink()
    assert len(finish_run(journals, target).incomplete) == 1


def test_what_a_conversation_held_before_is_told_once(tmp_path: Path, journals: Path, home: Path) -> None:
    store = Store(home)
    before = row("USER_INPUT", "long ago")
    store.append(OLD, before)
    path = store.transcript(OLD)
    target = a_target(tmp_path)
    for number in range(2):
        witness = Witness(journals, home)
        call = RecordedCall(
            journals, home, b"--conversation", OLD.encode(), b"-p", b"%d" % number, before=[path]
        )
        store.append(OLD, row("USER_INPUT", str(number)))
        call.end()
        witness.stop()
        finish_run(journals, target, witness=witness)
    first, second = Cassette.open(target.cassette).interactions()
    assert [(event.op, event.extra) for event in first.files] == [("create", {"stood": True}), ("append", {})]
    assert (first.files[0].text, first.files[1].before) == (before, len(before))
    assert [event.op for event in second.files] == ["append"]


def test_an_installed_shims_call_gets_its_rows_from_the_sizes_before(
    tmp_path: Path, journals: Path, home: Path
) -> None:
    store = Store(home)
    call = RecordedCall(journals, home, b"-p", b"hello")
    store.append(OLD, row("USER_INPUT", "hello"))
    call.end()
    target = a_target(tmp_path)
    finish_run(journals, target)
    assert [(event.op, event.approx) for event in only(target.cassette).files] == [("create", True)]


def in_a_child(work: Callable[[], object]) -> int:
    """Run in a process of its own, and return its wait status."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
        finally:
            os._exit(0)
    return os.waitpid(pid, 0)[1]


def dying(name: str, after: bool) -> Callable[[pytest.MonkeyPatch], None]:
    """Make a step of a finisher its last."""

    def patch(monkeypatch: pytest.MonkeyPatch) -> None:
        owner: object = finish
        *path, last = name.split(".")
        for each in path:
            owner = getattr(owner, each)
        real = getattr(owner, last)

        def step(*args: object, **named: object) -> object:
            if after:
                real(*args, **named)
            os.kill(os.getpid(), signal.SIGKILL)
            return None

        monkeypatch.setattr(owner, last, step)

    return patch


@pytest.mark.parametrize(
    ("step", "after"),
    [
        ("read_journal", True),
        ("to_interaction", True),
        ("_redacted", True),
        ("catch_up", True),
        ("Ledger.commit", False),
        ("Ledger.commit", True),
        ("time.monotonic_ns", False),
        ("os.write", True),
        ("_put_away", False),
        ("_put_away", True),
    ],
)
def test_a_finisher_killed_at_any_step_loses_and_doubles_nothing(
    tmp_path: Path, journals: Path, step: str, after: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_journal(journals, 0, frame("o", MONOTONIC, KEY))
    one_journal(journals, 1)
    target = a_target(tmp_path)

    def killed() -> None:
        dying(step, after)(monkeypatch)
        finish_run(journals, target)

    assert os.WTERMSIG(in_a_child(killed)) == signal.SIGKILL
    assert finish_run(journals, target).errors == ()
    assert prompts(target.cassette) == ["prompt 0", "prompt 1"]
    assert verify(target.cassette).is_sound()
    assert list(journals.iterdir()) == []


def test_a_record_cut_off_in_its_middle_is_written_again(
    tmp_path: Path, journals: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_journal(journals, 0)
    one_journal(journals, 1)
    target = a_target(tmp_path)
    real = os.write

    def torn(fd: int, data: bytes) -> int:
        if data.startswith(b"- id:") and b"prompt 1" in data:
            real(fd, data[: len(data) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        return real(fd, data)

    def killed() -> None:
        monkeypatch.setattr(os, "write", torn)
        finish_run(journals, target)

    assert os.WTERMSIG(in_a_child(killed)) == signal.SIGKILL
    assert finish_run(journals, target).errors == ()
    assert prompts(target.cassette) == ["prompt 0", "prompt 1"]


@pytest.mark.stress
def test_finishers_killed_at_random_lose_and_double_nothing(tmp_path: Path, journals: Path) -> None:
    draw = random.Random(drawn_seed())
    target = a_target(tmp_path)
    made = 0
    kills = 0
    while kills < scaled(500):
        while len(list(journals.glob("*.journal")) if journals.exists() else []) < 6:
            secret = frame("o", MONOTONIC + MS, b"\n%s\n" % a_key(made))
            one_journal(journals, made, frame("e", MONOTONIC, draw.randbytes(20_000)), secret)
            made += 1
        pids = []
        for _ in range(2):
            pid = os.fork()
            if pid == 0:
                try:
                    finish_run(journals, target)
                finally:
                    os._exit(0)
            pids.append(pid)
        # The wait is not for something to happen: it chooses the moment of the kill.
        time.sleep(draw.random() * 0.06)
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
            kills += os.WIFSIGNALED(os.waitpid(pid, 0)[1])
    report = finish_run(journals, target)
    assert report.errors == ()
    assert Counter(prompts(target.cassette)) == Counter(f"prompt {number}" for number in range(made))
    assert len(set(numbers_in(target.cassette))) == made
    assert verify(target.cassette).is_sound()
    assert list(journals.glob("*.journal")) == []


def test_finishers_at_once_save_each_call_once(tmp_path: Path, journals: Path) -> None:
    for number in range(24):
        one_journal(journals, number, frame("o", MONOTONIC, a_key(number)))
    target = a_target(tmp_path)
    pids = []
    for _ in range(4):
        pid = os.fork()
        if pid == 0:
            try:
                finish_run(journals, target)
            finally:
                os._exit(0)
        pids.append(pid)
    assert [os.waitpid(pid, 0)[1] for pid in pids] == [0] * 4
    finish_run(journals, target)
    assert sorted(prompts(target.cassette)) == sorted(f"prompt {number}" for number in range(24))
    assert sorted(numbers_in(target.cassette)) == sorted(
        b"REDACTED-api-key-%d" % number for number in range(1, 25)
    )


pieces = st.lists(st.tuples(st.sampled_from("oe"), st.binary(max_size=60)), max_size=12)


@given(pieces)
def test_any_bytes_on_any_stream_survive_from_the_journal_through_the_cassette(
    tmp_path_factory: pytest.TempPathFactory, given_pieces: list[tuple[str, bytes]]
) -> None:
    folder = tmp_path_factory.mktemp("r")
    one_journal(folder / "j", 0, b"", *(frame(code, MONOTONIC, data) for code, data in given_pieces))
    target = a_target(folder, redact=None)
    assert finish_run(folder / "j", target).errors == ()
    response = only(target.cassette).response
    places = Places(b"/home/ada", b"/home/ada/project", tmp=b"/tmp")
    for code, body in (("o", response.stdout), ("e", response.stderr)):
        assert isinstance(body, bytes)
        live = apply(body, to_live(body, places)) if is_text(body) else body
        assert live == b"".join(data for which, data in given_pieces if which == code)


def test_a_large_body_lies_beside_the_cassette(tmp_path: Path, journals: Path) -> None:
    data = random.Random(1).randbytes(100_000) * 30
    one_journal(
        journals, 0, *(frame("o", MONOTONIC + at * MS, data[at * 65536 :][:65536]) for at in range(46))
    )
    target = a_target(tmp_path, redact=None)
    assert finish_run(journals, target).errors == ()
    cassette = Cassette.open(target.cassette)
    assert cassette.read(only(target.cassette).response.stdout) == data
    assert sys.getsizeof(target.cassette.read_bytes()) < 10_000

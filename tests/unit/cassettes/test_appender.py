import errno
import os
import random
import re
import stat
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from agy_cassettes import appender as module
from agy_cassettes.appender import open_for_append
from agy_cassettes.cassette import Cassette
from agy_cassettes.emitter import emit_record, header
from agy_cassettes.errors import CassetteError, UserError
from agy_cassettes.interaction import FileEvent, Interaction, Record, Recorded, Sidecar
from agy_cassettes.limits import Limits
from agy_cassettes.rewrite import replace_whole
from agy_cassettes.verify import verify
from tests.support.cassettes import cassette_of, clock
from tests.support.figures import drawn_seed, scaled
from tests.support.interactions import interaction, mark

TORN_NAME = "a.agy.yaml.torn-20261201T023700.000000Z"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.agy.yaml"


def ids(path: Path) -> list[str]:
    return [record.id for record in Cassette.open(path).records()]


def test_a_new_cassette_is_its_header_and_its_records(path: Path) -> None:
    records: list[Record] = [interaction("01J0-1"), mark("01J0-2m")]
    with open_for_append(path, clock=clock) as tail:
        for record in records:
            assert tail.append(record) == record
    assert path.read_bytes() == header() + b"".join(map(emit_record, records))


def test_folders_of_a_new_cassette_are_made(tmp_path: Path) -> None:
    path = cassette_of(tmp_path / "cassettes" / "test_it" / "a.agy.yaml", [interaction()])
    assert ids(path) == ["01J0-1"]


def test_the_umask_alone_says_who_may_read_it(path: Path) -> None:
    before = os.umask(0o027)
    try:
        cassette_of(path, [interaction()])
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_nothing_appended_leaves_no_file(path: Path) -> None:
    with open_for_append(path, clock=clock):
        pass
    assert not path.exists()


def test_an_empty_file_becomes_a_cassette(path: Path) -> None:
    path.touch()
    cassette_of(path, [interaction()])
    assert ids(path) == ["01J0-1"]


@pytest.mark.parametrize("cut", range(1, len(header())))
def test_a_header_that_was_cut_is_written_anew(cut: int, path: Path) -> None:
    path.write_bytes(header()[:cut])
    cassette_of(path, [interaction()])
    assert path.read_bytes() == header() + emit_record(interaction())


def test_a_header_without_records_is_appended_to(path: Path) -> None:
    path.write_bytes(header())
    cassette_of(path, [interaction()])
    assert path.read_bytes() == header() + emit_record(interaction())


def test_a_torn_tail_is_cut_off_at_the_next_append_and_kept_beside(path: Path) -> None:
    cassette_of(path, [interaction("01J0-1"), interaction("01J0-2")])
    whole = path.read_bytes()
    os.truncate(path, len(whole) - 40)
    with open_for_append(path, clock=clock) as tail:
        assert tail.torn is not None
        assert tail.torn.id == "01J0-2"
        assert tail.torn_file == path.with_name(TORN_NAME)
        tail.append(interaction("01J0-3"))
    torn = path.with_name(TORN_NAME)
    assert torn.read_bytes() == emit_record(interaction("01J0-2"))[:-40]
    assert stat.S_IMODE(torn.stat().st_mode) == 0o600
    assert ids(path) == ["01J0-1", "01J0-3"]


def test_a_second_torn_tail_of_the_same_time_is_kept_too(path: Path) -> None:
    path.with_name(TORN_NAME).write_text("an earlier one")
    cassette_of(path, [interaction("01J0-1")])
    os.truncate(path, path.stat().st_size - 40)
    cassette_of(path, [interaction("01J0-2")])
    assert path.with_name(TORN_NAME).read_text() == "an earlier one"
    assert path.with_name(f"{TORN_NAME}-2").exists()


def test_a_record_whose_last_newline_is_missing_is_kept(path: Path) -> None:
    cassette_of(path, [interaction("01J0-1")])
    os.truncate(path, path.stat().st_size - 1)
    cassette_of(path, [interaction("01J0-2")])
    assert path.read_bytes() == header() + emit_record(interaction("01J0-1")) + emit_record(
        interaction("01J0-2")
    )


def test_comments_at_the_end_are_kept(path: Path) -> None:
    cassette_of(path, [interaction("01J0-1")])
    path.write_bytes(path.read_bytes() + b"# and so on\n\n")
    cassette_of(path, [interaction("01J0-2")])
    assert b"# and so on\n\n- id:" in path.read_bytes()
    assert ids(path) == ["01J0-1", "01J0-2"]


@pytest.mark.stress
def test_no_cut_inside_a_record_loads_silently_and_each_is_repaired(path: Path) -> None:
    seed = drawn_seed()
    draw = random.Random(seed)
    texts = (
        b"plain\n",
        b"\n\n\n",
        b"\x1b[31mred\r\n" * 5,
        bytes(range(256)),
        b'  end: "x"\n- id: "y"\n',
        b"",
    )
    for _ in range(scaled(400)):
        path.unlink(missing_ok=True)
        last = interaction("01J0-2", stdout=draw.choice(texts), stderr=draw.choice(texts), prompt="a\nb\n")
        cassette_of(path, [interaction("01J0-1"), last])
        start = len(header() + emit_record(interaction("01J0-1")))
        cut = draw.randrange(start + 1, path.stat().st_size)
        lost = cut < path.stat().st_size - 1
        os.truncate(path, cut)
        cassette = Cassette.open(path)
        assert cassette.notices
        assert (cassette.torn is not None) == lost
        assert bool(verify(path).errors) == lost
        cassette_of(path, [interaction("01J0-3")])
        kept = ["01J0-1", "01J0-3"] if lost else ["01J0-1", "01J0-2", "01J0-3"]
        assert ids(path) == kept
        assert verify(path).errors == ()


def counted(path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    seen: list[tuple[str, int]] = []

    def count(call: str, real: Callable[..., object]) -> Callable[..., object]:
        def counting(*arguments: object) -> object:
            result = real(*arguments)
            seen.append((call, result if isinstance(result, int) else len(result)))  # type: ignore[arg-type]  # bytes
            return result

        return counting

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", count("write", os.write))
        patch.setattr(os, "pread", count("read", os.pread))
        cassette_of(path, [interaction(name)])
    return seen


def test_the_10000th_append_reads_and_writes_as_much_as_the_10th(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cassette_of(path, [interaction(f"01J0-{number:05}") for number in range(9)])
    tenth = counted(path, "01J0-00009", monkeypatch)
    with path.open("ab") as file:
        for number in range(10, 9_999):
            file.write(emit_record(interaction(f"01J0-{number:05}")))
    last = counted(path, "01J0-09999", monkeypatch)
    assert last == tenth
    assert [call for call, _ in last].count("write") == 1
    assert sum(count for _, count in last) < 4 * 4096


def test_a_record_is_one_write(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = counted(path, "01J0-1", monkeypatch)
    assert [count for call, count in seen if call == "write"] == [path.stat().st_size]


def test_bodies_above_a_mebibyte_lie_beside_the_cassette(path: Path) -> None:
    large = b"x" * (1024 * 1024 + 1)
    event = FileEvent(op="create", path="${AGY_HOME}/x", text=large)
    record = interaction(stdout=large, stderr=large[1:], files=[event])
    record = replace(record, request=replace(record.request, stdin=large.decode()))
    with open_for_append(path, clock=clock) as tail:
        saved = tail.append(record)
    (sidecar,) = path.with_name("a.agy.yaml.d").iterdir()
    expected = Sidecar(sidecar.name, len(large))
    assert isinstance(saved, Interaction)
    assert saved.request.stdin == saved.response.stdout == saved.files[0].text == expected
    assert saved.response.stderr == large[1:]
    assert Cassette.open(path).record(0) == saved
    assert sidecar.read_bytes() == large


@pytest.mark.parametrize("written", ["nothing", "a part", "an error"])
def test_a_write_that_fails_leaves_the_cassette_as_it_was(
    written: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cassette_of(path, [interaction("01J0-1")])
    before = path.read_bytes()
    real = os.write

    def write(fd: int, data: bytes) -> int:
        if written == "nothing":
            return 0
        count = real(fd, data[:100])
        if written == "an error":
            raise OSError(errno.ENOSPC, "No space left on device")
        return count

    with open_for_append(path, clock=clock) as tail:
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", write)
            with pytest.raises(
                UserError, match=r"record 01J0-2 was not saved: (the disk took|No space left)"
            ):
                tail.append(interaction("01J0-2"))
        assert path.read_bytes() == before
        tail.append(interaction("01J0-3"))
    assert ids(path) == ["01J0-1", "01J0-3"]


def test_what_does_not_read_back_the_same_is_not_saved(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "emit_record", lambda _: emit_record(interaction(stdout=b"another\n")))
    with (
        open_for_append(path, clock=clock) as tail,
        pytest.raises(UserError, match="did not read back the same"),
    ):
        tail.append(interaction())
    assert not path.exists()


REFUSED: dict[str, tuple[Record, str]] = {
    "time": (interaction(recorded=Recorded(at="yesterday", by="x")), "recorded.at is 'yesterday'"),
    "argv": (interaction(argv=()), "request.argv is empty"),
    "code": (interaction(code=999), "response.exit.code must lie"),
    "path": (interaction(files=[FileEvent(op="create", path="/etc/passwd")]), "files.path is '/etc/passwd'"),
    "events": (interaction(timing=[(0, "f", 2)]), "response.timing counts 2 file events"),
    "id": (interaction("a b"), "record.id is 'a b'"),
    "mark": (mark("x" * 200), "record.id is"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_a_reader_would_refuse_is_not_saved(what: str, path: Path) -> None:
    record, told = REFUSED[what]
    cassette_of(path, [interaction("01J0-0")])
    before = path.read_bytes()
    with (
        open_for_append(path, clock=clock) as tail,
        pytest.raises(UserError, match=re.escape("was not saved: " + told)),
    ):
        tail.append(record)
    assert path.read_bytes() == before
    with pytest.raises(UserError, match=re.escape("was not saved: " + told)):
        replace_whole(path, [record])
    assert path.read_bytes() == before


def test_a_cassette_never_grows_larger_than_a_reader_takes(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cassette_of(path, [interaction("01J0-0")])
    monkeypatch.setattr(module, "LIMITS", Limits(file_bytes=path.stat().st_size + 100))
    with pytest.raises(UserError, match="would be larger than"):
        cassette_of(path, [interaction("01J0-1")])
    assert ids(path) == ["01J0-0"]


def test_a_full_disk_is_told_in_one_line(path: Path) -> None:
    cassette_of(path, [interaction("01J0-1")])
    size = path.stat().st_size
    code = (
        "import resource, sys, time; from pathlib import Path\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({size + 100}, {size + 100}))\n"
        "from tests.support.cassettes import cassette_of\n"
        "from tests.support.interactions import interaction\n"
        "from agy_cassettes.errors import UserError\n"
        "try: cassette_of(Path(sys.argv[1]), [interaction('01J0-2')])\n"
        "except UserError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-B", "-c", code, str(path)],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"{path}: record 01J0-2 was not saved: the disk took only a part of it\n"
    assert ids(path) == ["01J0-1"]
    assert path.stat().st_size == size


def test_what_a_cassette_cannot_hold_is_told(path: Path) -> None:
    with (
        open_for_append(path, clock=clock) as tail,
        pytest.raises(UserError, match=r"record 01J0-1 can't be saved: .*surrogate"),
    ):
        tail.append(interaction(prompt="\ud800"))


def test_a_writer_that_ignores_the_lock_is_noticed(path: Path) -> None:
    with open_for_append(path, clock=clock) as tail:
        tail.append(interaction("01J0-1"))
        with path.open("ab") as file:
            file.write(b"# x\n")
        with pytest.raises(UserError, match="in spite of the lock"):
            tail.append(interaction("01J0-2"))


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"# Read me\n", "no cassette"),
        (b"version: 2\ninteractions:\n", "version 2 .* version 1"),
        (header() + b"<<<<<<< ours\n" + emit_record(interaction()), "conflict marker"),
        (header() + emit_record(interaction()) + b"notes: x\n", "belongs to no record"),
        (b"version: 1\ninteractions: []\n", "write 'interactions:' with nothing behind it"),
    ],
)
def test_a_file_that_is_no_sound_cassette_is_left_alone(content: bytes, what: str, path: Path) -> None:
    path.write_bytes(content)
    with pytest.raises(CassetteError, match=what) as caught, open_for_append(path, clock=clock):
        raise AssertionError
    assert caught.value.line is not None
    assert path.read_bytes() == content
    assert list(path.parent.iterdir()) == [path]


def test_a_directory_and_a_fifo_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    for place in (tmp_path, tmp_path / "fifo"):
        with pytest.raises(CassetteError), open_for_append(place, clock=clock):
            raise AssertionError


def test_a_symbolic_link_is_followed_and_sidecars_lie_beside_the_real_file(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    link = tmp_path / "link.agy.yaml"
    link.symlink_to(tmp_path / "real" / "a.agy.yaml")
    cassette_of(link, [interaction(stdout=b"x" * 1_100_000)])
    assert link.is_symlink()
    assert sorted(item.name for item in (tmp_path / "real").iterdir()) == ["a.agy.yaml", "a.agy.yaml.d"]
    Cassette.open(link).validate()

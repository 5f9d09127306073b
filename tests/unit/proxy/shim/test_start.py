import os
from pathlib import Path

from agy_proxy.record.journal import Start, read_start
from agy_proxy.shim.isolated.start import call_of, start_record
from agy_proxy.shim.isolated.streams import Streams

FACTS = {
    b"version": b"1",
    b"run_id": b"r",
    b"realtime_ns": b"2",
    b"monotonic_ns": b"3",
    b"shim_path": b"/s/agy",
}


def _start(*words: bytes) -> Start:
    argv = [b"agy", *words]
    start = read_start(start_record(FACTS, argv, b"/bin/sh", Streams(), call_of(argv)))
    assert start is not None
    return start


def test_the_reader_gets_what_the_shim_wrote() -> None:
    start = _start(b"-p", b"caf\xe9\n", b"")
    assert start.argv == (b"agy", b"-p", b"caf\xe9\n", b"")
    assert (start.version, start.run_id, start.realtime_ns, start.monotonic_ns) == ("1", "r", 2, 3)
    assert (start.pid, start.ppid, start.shim) == (os.getpid(), os.getppid(), b"/s/agy")
    assert (start.real, start.real_size) == (b"/bin/sh", Path("/bin/sh").stat().st_size)
    assert (start.cwd, start.home) == (bytes(Path.cwd()), os.fsencode(os.environ["HOME"]))


def test_what_stood_in_the_files_that_agy_may_write_is_told(home: Path, tmp_path: Path) -> None:
    logs = home / ".gemini/antigravity-cli/brain/the-id/.system_generated/logs"
    logs.mkdir(parents=True)
    (logs / "transcript.jsonl").write_bytes(b"12345")
    log = tmp_path / "agy.log"
    log.write_bytes(b"12")
    start = _start(b"--conversation", b"the-id", b"--log-file", os.fsencode(log), b"-p", b"x")
    sizes = {Path(os.fsdecode(path)).name: size for path, size in start.before.items()}
    assert sizes == {
        "transcript.jsonl": 5,
        "transcript_full.jsonl": None,
        "last_conversations.json": None,
        "agy.log": 2,
    }


def test_an_id_that_is_a_path_is_not_followed() -> None:
    start = _start(b"--conversation", b"../../x", b"-p", b"x")
    assert [Path(os.fsdecode(path)).name for path in start.before] == ["last_conversations.json"]

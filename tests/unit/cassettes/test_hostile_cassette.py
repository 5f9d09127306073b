"""A cassette comes from a stranger: each of these is one clear line, and nothing is written anywhere."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from agy_cassettes.cassette import Cassette
from agy_cassettes.emitter import emit_record, end_line, header
from agy_cassettes.errors import CassetteError
from agy_cassettes.interaction import FileEvent
from agy_cassettes.layout import scan_layout
from agy_cassettes.limits import Limits
from tests.support.cassettes import cassette_of
from tests.support.interactions import interaction

GOOD = emit_record(
    interaction(
        "01J0-1",
        files=[FileEvent(op="symlink", path="${AGY_HOME}/brain/x", before=4, text=b"row\n", target="target")],
        timing=[(5, "o", 6), (0, "f", 1), (0, "x", 1)],
    )
)
LAUGHS = b"[" + b", ".join(b"&%c [*%c,*%c]" % (97 + n, 96 + n, 96 + n) for n in range(1, 26)) + b"]"


def with_hash(record: bytes) -> bytes:
    """The record with the right hash, so that nothing but its content tells that it is hostile."""
    lines = record[: record.rindex(b"\n  end: ") + 1]
    return lines + end_line("01J0-1", lines)


CONTENT = [
    ("an alias bomb", b"  process: null", b"  process: null\n  x: " + LAUGHS, "anchor or alias"),
    ("an alias alone", b"prompt: |-", b"prompt: *x\n    x: |-", "anchor or alias"),
    ("deep nesting", b"env: {}", b"env: " + b"[" * 500, "nested deeper than 24"),
    ("very deep nesting", b"env: {}", b"env: " + b"[" * 100_000, "nest"),
    ("a python tag", b"env: {}", b"env: !!python/object/apply:os.system [touch x]", "the tag"),
    ("a python name", b'cwd: "${CWD}"', b"cwd: !!python/name:os.system ''", "the tag"),
    ("a merge key", b"env: {}", b"env: {<<: {a: b}}", "the key '<<'"),
    ("a key twice", b"env: {}", b"env: {}\n    env: {}", "the key 'env' twice"),
    ("a huge count in timing", b'"5o6', b'"5o' + b"9" * 30, "timing holds"),
    ("a huge wait", b'"5o6', b'"' + b"9" * 15 + b"o6", "more than can be"),
    ("more file events than files", b"0f1", b"0f9", "counts 9 file events"),
    ("a huge size before", b"{bytes: 4}", b"{bytes: " + b"9" * 30 + b"}", "must lie between"),
    ("a number of many digits", b"{bytes: 4}", b"{bytes: " + b"9" * 5000 + b"}", "number of 5000 digits"),
    ("a negative size", b"{bytes: 4}", b"{bytes: -1}", "must lie between"),
    ("an impossible exit code", b"{code: 0}", b"{code: 256}", "must lie between 0 and 255"),
    ("an impossible signal", b"{code: 0}", b"{signal: 0}", "must lie between 1 and 64"),
    ("two ends", b"{code: 0}", b"{code: 0, signal: 9}", "exit must be"),
    ("no end", b"{code: 0}", b"{}", "exit must be"),
    ("an end that is a list", b"{code: 0}", b"[0]", "not a mapping"),
    ("a path with ..", b"${AGY_HOME}/brain/x", b"${AGY_HOME}/../../x", "without '..'"),
    ("an absolute path", b"${AGY_HOME}/brain/x", b"/etc/passwd", "files.path is '/etc/passwd'"),
    ("a path in HOME", b"${AGY_HOME}/brain/x", b"${HOME}/.bashrc", "must be ${LOG_FILE}"),
    ("a path in TMP", b"${AGY_HOME}/brain/x", b"${TMP}/x", "must be ${LOG_FILE}"),
    ("a relative path", b"${AGY_HOME}/brain/x", b"brain/x", "must be ${LOG_FILE}"),
    ("a path with NUL", b"${AGY_HOME}/brain/x", b"${AGY_HOME}/x\\0", "must be ${LOG_FILE}"),
    ("a path below the log", b"${AGY_HOME}/brain/x", b"${LOG_FILE}/x", "must be ${LOG_FILE}"),
    ("a path with empty parts", b"${AGY_HOME}/brain/x", b"${AGY_HOME}//etc", "must be ${LOG_FILE}"),
    ("a path of no length", b"${AGY_HOME}/brain/x", b"", "must be ${LOG_FILE}"),
    ("an absolute link", b'target: "target"', b'target: "/etc"', "leads out of the store"),
    ("a link upwards", b'target: "target"', b'target: "a/../../../x"', "leads out of the store"),
    ("an unknown operation", b"op: symlink", b"op: exec", "must be one of create"),
    ("a sidecar at /", b'text: "row\\n"', b'text: {file: "/etc/passwd", bytes: 1}', "must be SHA256.bin"),
    ("a sidecar upwards", b'text: "row\\n"', b'text: {file: "../x.bin", bytes: 1}', "must be SHA256.bin"),
    ("an argv that is text", b'argv: ["agy", "-p", "${PROMPT}"]', b'argv: "agy"', "argv is text, not a list"),
    ("an argv of numbers", b'"-p"', b"1", "argv is a number, not text"),
    ("an empty argv", b'argv: ["agy", "-p", "${PROMPT}"]', b"argv: []", "argv is empty"),
    ("an argv of another program", b'argv: ["agy", ', b'argv: ["rm", ', "argv begins with 'rm'"),
    ("an environment of numbers", b"env: {}", b"env: {A: 1}", "env is a number, not text"),
    ("an environment that is a list", b"env: {}", b"env: []", "env is not a mapping"),
    ("a stream of no kind", b'stdin: "null"', b'stdin: "disk"', "stdio.stdin must be one of"),
    ("stdout that is same", b'stdout: "pipe"', b'stdout: "same"', "stdio.stdout must be one of"),
    ("a mapping as prompt", b"prompt: |-\n      What is left?", b"prompt: {}", "is a mapping, not text"),
    ("timing that is a list", b'timing: "5o6 0f1 0x"', b"timing: []", "timing is a list, not text"),
    ("a time that is none", b'at: "2026-12-01T02:37:00Z"', b'at: "yesterday"', "recorded.at is 'yesterday'"),
    ("a day that is none", b'at: "2026-12-01T02:37:00Z"', b'at: "2026-13-01T02:37:00Z"', "recorded.at is"),
    ("a redaction of another kind", b"redaction: 1", b'redaction: "1"', "recorded.redaction must be"),
    ("an origin of another kind", b"origin: captured", b"origin: stolen", "origin must be one of captured"),
    ("complete that is text", b"complete: true", b'complete: "true"', "complete is text, not true or false"),
    ("no request", b"  request:\n", b"  demand:\n", "record has no request"),
    ("an id of another shape", b'- id: "01J0-1"', b'- id: "01J0-1 "', "the end mark of"),
    ("base64 that is none", b'"-p"', b'!!binary "%"', "no base64"),
    ("text that is not UTF-8", b'"-p"', b'"\xff"', "not UTF-8"),
    ("a character that is none", b'"-p"', b'"\x07"', "does not allow"),
    ("a second document", b"  process: null\n", b"--- \n", "first column"),
]  # fmt: skip


def told(path: Path, limits: Limits = Limits()) -> str:  # noqa: B008  # frozen
    before = sorted(path.parent.rglob("*"))
    with pytest.raises(CassetteError) as caught:
        Cassette.open(path, limits=limits).validate()
    assert sorted(path.parent.rglob("*")) == before
    message = str(caught.value)
    assert caught.value.status == 2
    assert "\n" not in message
    assert len(message) < 400
    assert message.startswith(f"{path}:")
    return message


@pytest.mark.parametrize(
    ("old", "new", "what"), [row[1:] for row in CONTENT], ids=[row[0] for row in CONTENT]
)
def test_hostile_content_is_one_clear_line(old: bytes, new: bytes, what: str, tmp_path: Path) -> None:
    path = tmp_path / "a.agy.yaml"
    assert old in GOOD
    path.write_bytes(header() + with_hash(GOOD.replace(old, new, 1)))
    message = told(path)
    assert what in message
    assert message.removeprefix(f"{path}:").split(":")[0].isdigit()


def test_the_record_that_these_were_made_of_is_sound(tmp_path: Path) -> None:
    path = tmp_path / "a.agy.yaml"
    path.write_bytes(header() + with_hash(GOOD))
    Cassette.open(path).validate()


@pytest.mark.parametrize(
    ("limits", "what"),
    [
        (Limits(argv=2), "more than 2 items"),
        (Limits(files=0), "more than 0 items"),
        (Limits(nodes=20), "more than 20 values"),
        (Limits(ticks=2), "more than 2 entries"),
        (Limits(record_bytes=99), "more than 99 bytes"),
        (Limits(file_bytes=99), "larger than 99 bytes"),
    ],
)
def test_every_count_has_an_end(limits: Limits, what: str, tmp_path: Path) -> None:
    path = tmp_path / "a.agy.yaml"
    path.write_bytes(header() + GOOD)
    assert what in told(path, limits)


def a_directory(path: Path) -> None:
    path.mkdir()


def a_fifo(path: Path) -> None:
    os.mkfifo(path)


def a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(path))


def a_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def a_loop(path: Path) -> None:
    path.symlink_to(path)


def nothing(_: Path) -> None:
    return


def an_empty_file(path: Path) -> None:
    path.touch()


def a_newer_version(path: Path) -> None:
    path.write_bytes(b"version: 7\nrecords: {}\n")


def a_torn_file(path: Path) -> None:
    path.write_bytes((header() + GOOD)[:-9])


def a_cut_header(path: Path) -> None:
    path.write_bytes(header()[:-9])


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (a_directory, "is a directory"),
        (a_fifo, "is no regular file"),
        (a_socket, "can't be read"),
        (a_device, "is no regular file"),
        (a_loop, "can't be read"),
        (nothing, "no such cassette"),
        (an_empty_file, "empty"),
        (a_newer_version, "version 7 of the format, and this agy-proxy reads version 1; install a newer"),
        (a_torn_file, "record 01J0-1 is torn"),
        (a_cut_header, "cut short"),
    ],
)
def test_what_is_no_whole_cassette_is_one_clear_line(
    make: Callable[[Path], None], what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "a.agy.yaml")
    assert what in told(tmp_path / "a.agy.yaml")


def test_an_unreadable_file_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = cassette_of(tmp_path / "a.agy.yaml", [interaction()])
    path.chmod(0)
    if os.geteuid() == 0:
        # Root reads everything: what any other user gets is given in its place.
        def refuse(*_: object, **__: object) -> int:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(os, "open", refuse)
    assert "can't be read: Permission denied" in told(path)


def test_a_hostile_layout_is_found_in_one_pass(tmp_path: Path) -> None:
    path = tmp_path / "a.agy.yaml"
    path.write_bytes(header() + b"- id: x\n" * 100_000)
    with path.open("rb") as file:
        assert len(scan_layout(file, path.stat().st_size).problems) == 100

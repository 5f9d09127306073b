import os
import tempfile
from pathlib import Path

import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agy_cassettes.cassette import Cassette
from agy_proxy.record.finish import Target, finish_run
from tests.support.journals import BEGAN, MONOTONIC, MS, end_frames, frame, start_frame, write_journal
from tests.support.players import player

ODD = st.sampled_from(
    [b"\r\n", b"\r", b"\x1b[31m", b"\x85", "\u2028\ufeff".encode(), b"\n\n", b" \n", b"\t", b"---\n"]
)
PIECE = st.one_of(st.binary(max_size=40), st.text(max_size=20).map(str.encode), ODD)
CHUNKS = st.lists(st.tuples(st.sampled_from("oe"), PIECE), max_size=8)


def recorded_by_the_shim(folder: Path, chunks: list[tuple[str, bytes]], stdin: bytes) -> Path:
    """A journal of a call that read its prompt from stdin, saved into a cassette."""
    at = [MONOTONIC + (number + 2) * MS for number in range(len(chunks))]
    frames = [frame(code, when, data) for (code, data), when in zip(chunks, at, strict=True) if data]
    taken = [frame("i", MONOTONIC + MS, stdin)] if stdin else []
    start = start_frame((b"agy",), stdin=b"pipe", cwd=os.fsencode(folder), home=os.fsencode(folder))
    end = MONOTONIC + (len(chunks) + 3) * MS
    closed = frame("z", MONOTONIC + MS)
    write_journal(folder / "journals", start, *taken, closed, *frames, end_frames(end), began=BEGAN)
    cassette = folder / "c.agy.yaml"
    (folder / "state").mkdir()
    report = finish_run(folder / "journals", Target(cassette=cassette, state=folder / "state", redact=None))
    assert (report.errors, len(report.saved)) == ((), 1)
    return cassette


@settings(max_examples=40)
@given(chunks=CHUNKS, stdin=PIECE)
@example(chunks=[("o", bytes(range(256))), ("e", bytes(range(255, -1, -1)))], stdin=bytes(range(256)))
@example(chunks=[("o", b"${HOME}"), ("o", b"$${CWD} $"), ("e", b"{")], stdin=b"${PROMPT}")
@example(chunks=[("o", b"\xf0\x9f"), ("o", b"\x98\x80"), ("e", b"")], stdin=b"")
def test_any_bytes_on_any_stream_come_back_from_the_cassette(
    chunks: list[tuple[str, bytes]], stdin: bytes
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        cassette = recorded_by_the_shim(folder, chunks, stdin)
        (interaction,) = Cassette.open(cassette).interactions()
        text = cassette.read_text("utf-8")
        (folder / "player").mkdir()
        ended = player(folder / "player", interaction, speed="max").run(stdin=stdin)

    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == b"".join(data for code, data in chunks if code == "o")
    assert ended.stderr == b"".join(data for code, data in chunks if code == "e")
    assert yaml.load(text, yaml.CSafeLoader) == yaml.load(text, yaml.SafeLoader)

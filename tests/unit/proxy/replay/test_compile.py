import os
import posix
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agy_cassettes.errors import CassetteError
from agy_cassettes.interaction import FileEvent, Interaction
from agy_cassettes.match_on import select
from agy_cassettes.matchers import find_match, same
from agy_cassettes.request_view import view_of_interaction
from agy_proxy.replay.compile import compile_play_file
from agy_proxy.shim.isolated import play_counts, play_file
from agy_proxy.shim.isolated.play_counts import claim
from agy_proxy.shim.isolated.play_file import open_play_file
from agy_proxy.shim.isolated.play_key import key_of, without_numbers
from tests.support.interactions import interaction
from tests.support.players import InMemory


def compiled(folder: Path, *records: Interaction) -> Path:
    return compile_play_file(InMemory(records), folder / "play").path


def prompts(*texts: str) -> list[Interaction]:
    return [interaction(str(at), prompt=text) for at, text in enumerate(texts)]


def test_every_call_is_found_with_its_equals_in_recorded_order(tmp_path: Path) -> None:
    texts = [f"prompt {at % 40}" for at in range(120)]

    with closing(open_play_file(os.fspath(compiled(tmp_path, *prompts(*texts))))) as play:
        for text in dict.fromkeys(texts):
            group = play.find(key_of(text.encode(), [b"-p", b"${PROMPT}"]))
            assert group is not None
            members = [play.member(group, place) for place in range(group.count)]
            assert members == [at for at, other in enumerate(texts) if other == text]
            assert [play.record(at).facts["id"] for at in members] == [str(at) for at in members]
        assert play.find(key_of(b"another", [b"-p", b"${PROMPT}"])) is None


def test_a_play_file_is_its_users_alone_and_appears_whole(tmp_path: Path) -> None:
    path = compiled(tmp_path, interaction())

    assert path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_what_was_compiled_is_told(tmp_path: Path) -> None:
    records = [interaction("1"), interaction("2", argv=("agy", "--version"), prompt=None)]

    assert compile_play_file(InMemory(records), tmp_path / "play")[1:] == (2, 1)


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "${HOME}/.bashrc",
        "${TMP}/x",
        "relative",
        "${AGY_HOME}",
        "${AGY_HOME}/",
        "${AGY_HOME}//x",
        "${AGY_HOME}/../x",
        "${AGY_HOME}/a/../../../x",
        "${AGY_HOME}/./x",
        "${AGY_HOME}/a\0b",
        "${CWD}/../x",
        "${LOG_FILE}/x",
        "${AGY_HOME}x/y",
    ],
)
def test_a_file_outside_the_replays_own_places_is_an_error(path: str, tmp_path: Path) -> None:
    with pytest.raises(CassetteError, match="interaction 01J0-1: files: "):
        compiled(tmp_path, interaction(files=[FileEvent(op="create", path=path, text=b"x")]))

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("op", "target"),
    [
        ("rename", None),
        ("rename", "/etc/x"),
        ("rename", "${CWD}/x"),
        ("rename", "${AGY_HOME}/../x"),
        ("symlink", None),
        ("symlink", "/etc/passwd"),
        ("symlink", "../x"),
        ("symlink", ".."),
    ],
)
def test_a_target_outside_is_an_error(op: str, target: str | None, tmp_path: Path) -> None:
    event = replace(FileEvent(op="rename", path="${AGY_HOME}/a", target=target), op=op)  # type: ignore[arg-type] # both are a FileOp

    with pytest.raises(CassetteError, match="files: "):
        compiled(tmp_path, interaction(files=[event]))


def counted(monkeypatch: pytest.MonkeyPatch) -> Callable[[], tuple[int, int]]:
    """Counts the reads of the play file and the counts file, and their bytes."""
    sizes: list[int] = []

    def pread(fd: int, count: int, offset: int) -> bytes:
        found = posix.pread(fd, count, offset)
        sizes.append(len(found))
        return found

    wrapped = SimpleNamespace(**{**vars(posix), "pread": pread})
    monkeypatch.setattr(play_file, "posix", wrapped)
    monkeypatch.setattr(play_counts, "posix", wrapped)
    return lambda: (len(sizes), sum(sizes))


@pytest.mark.parametrize("wanted", [0, 99], ids=["the first", "the last"])
def test_a_call_reads_as_much_of_a_big_cassette_as_of_a_small_one(
    wanted: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures = []
    for size in (100, 10_000):
        texts = [f"prompt {at:06}" for at in range(size)]
        folder = tmp_path / str(size)
        folder.mkdir()
        path = compiled(folder, *prompts(*texts))
        with monkeypatch.context() as context:
            figure = counted(context)
            with closing(open_play_file(os.fspath(path))) as play:
                text = texts[wanted * size // 100].encode()
                group = play.find(key_of(text, [b"-p", b"${PROMPT}"]))
                got = claim(play, os.fspath(folder / "counts"), group, 1, turn=True, repeats=False)
                assert got.index is not None
                assert play.record(got.index).facts["id"] == str(got.index)
            figures.append(figure())

    (few_reads, few_bytes), (many_reads, many_bytes) = figures
    assert many_reads == few_reads <= 12
    # The header is read ahead, and a bucket may hold a neighbour.
    assert many_bytes <= few_bytes + 1_000


VARIANTS = [
    interaction("plain"),
    interaction("other prompt", prompt="Why?"),
    interaction("no prompt", argv=("agy",), prompt=None),
    interaction("empty stdin", argv=("agy",), prompt="", stdin="${PROMPT}"),
    interaction("by stdin", argv=("agy",), prompt="What is left?", stdin="${PROMPT}"),
    interaction("by equals", argv=("agy", "--print=${PROMPT}")),
    interaction("with a model", argv=("agy", "--model", "m", "-p", "${PROMPT}")),
    interaction("resumed", argv=("agy", "--conversation", "9b1d", "-p", "${PROMPT}")),
    interaction("resumed with equals", argv=("agy", "-conversation=9b1d", "-p", "${PROMPT}")),
    interaction("another one resumed", argv=("agy", "--conversation", "77aa", "-p", "${PROMPT}")),
    interaction("continued", argv=("agy", "-c", "-p", "${PROMPT}")),
    interaction("not continued", argv=("agy", "-c=false", "-p", "${PROMPT}")),
    interaction("json", argv=("agy", "--output-format", "json", "-p", "${PROMPT}")),
    interaction("text", argv=("agy", "--output-format", "text", "-p", "${PROMPT}")),
    interaction("stream", argv=("agy", "--input-format", "stream-json"), prompt=None),
    interaction("an unknown flag", argv=("agy", "--bogus", "-p", "${PROMPT}")),
    interaction("version", argv=("agy", "--version"), prompt=None),
    interaction("short version", argv=("agy", "-version"), prompt=None),
    interaction("models", argv=("agy", "models"), prompt=None),
    interaction("update", argv=("agy", "update"), prompt=None),
    interaction("a placeholder", prompt="REDACTED-token-1"),
    interaction("its other number", prompt="REDACTED-token-22"),
    interaction("another class", prompt="REDACTED-csrf-1"),
]


def test_keys_are_equal_exactly_where_the_default_matchers_match() -> None:
    views = [view_of_interaction(each) for each in VARIANTS]
    keys = [
        key_of(None if view.prompt is None else view.prompt.encode(), [word.encode() for word in view.argv])
        for view in views
    ]

    for live, key in zip(views, keys, strict=True):
        for recorded, other in zip(views, keys, strict=True):
            matched = find_match(live, [recorded], select(), {}).match == "hit"
            assert (key == other) is matched, (live.id, recorded.id)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a REDACTED-token-1 b", "a REDACTED-token-0 b"),
        ("REDACTED-api-key-12,REDACTED-x-3", "REDACTED-api-key-0,REDACTED-x-0"),
        ("REDACTED-token-1-", "REDACTED-token-0-"),
        ("REDACTED-token", "REDACTED-token"),
        ("REDACTED-1", "REDACTED-1"),
        ("REDACTED-", "REDACTED-"),
        ("REDACTED-token-1x", "REDACTED-token-1x"),
        ("REDACTED-token1", "REDACTED-token1"),
    ],
)
def test_the_numbers_of_placeholders_do_not_count(text: str, expected: str) -> None:
    assert without_numbers(text.encode()).decode() == expected


@given(st.text(alphabet="REDACT-a1 ", max_size=30).map(lambda text: f"REDACTED-{text}REDACTED-{text}"))
def test_numbers_are_left_out_as_the_matchers_leave_them_out(text: str) -> None:
    assert without_numbers(text.encode()).decode() == same(text)

"""Both transcripts and their chunks, by version (stores.md 1.3, 2, 7)."""

import json
from pathlib import Path

import pytest

from fake_agy.profile.resolve import Profile, profile_of
from fake_agy.profile.row import Value
from fake_agy.stores.chunks import ROLLED_AT, kept_bytes
from fake_agy.stores.layout import Layout, layout_of, logs
from fake_agy.stores.step import Step, ToolCall
from fake_agy.stores.transcript import append_steps
from fake_agy.version import Version

ID = "6a459081-19d6-465b-a339-76a50db44af6"


@pytest.fixture
def place(tmp_path: Path) -> Layout:
    return layout_of(str(tmp_path))


def profile(version: Version, **switches: Value) -> Profile:
    return profile_of(version, tuple((name.replace("_", "-"), value) for name, value in switches.items()))


def said(index: int, text: str, kind: str = "PLANNER_RESPONSE") -> Step:
    return Step(index, "MODEL", kind, 0.0, 1.0, content=text)


def kept(place: Layout, name: str = "transcript") -> bytes:
    return (Path(logs(place, ID)) / f"{name}.jsonl").read_bytes()


def chunks(place: Layout, name: str = "transcript") -> list[bytes]:
    folder = Path(logs(place, ID)) / "chunks" / name
    return [path.read_bytes() for path in sorted(folder.glob("*"))]


@pytest.mark.parametrize("name", ["transcript", "transcript_full"])
def test_chunks_are_byte_identical_to_the_flat_file_while_it_is_small(place: Layout, name: str) -> None:
    for index in range(5):
        append_steps(place, ID, [said(index, "ü" * 3000)], profile((1, 1, 13)))

    assert chunks(place, name) == [kept(place, name)]
    assert kept(place, "transcript") != kept(place, "transcript_full")


def test_there_are_no_chunks_before_1_1_13(place: Layout) -> None:
    append_steps(place, ID, [said(0, "x")], profile((1, 1, 12)))

    assert chunks(place) == []
    assert [path.name for path in sorted(Path(logs(place, ID)).iterdir())] == [
        "transcript.jsonl",
        "transcript_full.jsonl",
    ]


def test_a_full_chunk_is_followed_by_the_next(place: Layout) -> None:
    for index in range(60):
        append_steps(place, ID, [said(index, "x" * 4000)], profile((1, 2, 0)))
    pieces = chunks(place)

    assert b"".join(pieces) == kept(place)
    assert len(pieces) == 3
    assert all(piece.endswith(b"}\n") for piece in pieces)
    assert all(ROLLED_AT <= len(piece) < ROLLED_AT + 5000 for piece in pieces[:-1])


def test_chunks_end_in_the_middle_of_a_line_where_a_switch_says_so(place: Layout) -> None:
    cut = profile((1, 2, 0), chunk_cut="mid-line")
    append_steps(place, ID, [said(0, "x" * 250_000)], cut)
    append_steps(place, ID, [said(1, "y" * 10)], cut)
    pieces = chunks(place, "transcript_full")

    assert b"".join(pieces) == kept(place, "transcript_full")
    assert [len(piece) for piece in pieces[:-1]] == [ROLLED_AT, ROLLED_AT]
    assert kept_bytes(f"{logs(place, ID)}/chunks/transcript_full") == len(kept(place, "transcript_full"))


def test_chunks_hold_the_first_turn_alone_where_a_switch_says_so(place: Layout) -> None:
    first = profile((1, 2, 0), chunks="first-turn")
    append_steps(place, ID, [said(0, "one", "USER_INPUT")], first)
    append_steps(place, ID, [said(1, "answer")], first)
    after_one = kept(place)
    append_steps(place, ID, [said(2, "two", "USER_INPUT")], first)
    append_steps(place, ID, [said(3, "answer")], first)

    assert chunks(place) == [after_one]
    assert len(kept(place)) > len(after_one)


def test_steps_that_are_not_logged_leave_a_gap(place: Layout) -> None:
    title = said(1, "title")._replace(logged=False)
    append_steps(place, ID, [said(0, "x"), title, said(2, "y")], profile((1, 1, 5)))
    append_steps(place, ID, [title], profile((1, 1, 5)))

    assert [json.loads(line)["step_index"] for line in kept(place).splitlines()] == [0, 2]


@pytest.mark.parametrize(
    ("version", "rows"), [((1, 1, 28), [0, 1]), ((1, 2, 0), [0]), ((1, 2, 3), [0]), ((1, 2, 4), [0, 1])]
)
def test_failed_tools_have_no_row_from_1_2_0_until_1_2_4(
    version: Version, rows: list[int], place: Layout
) -> None:
    failed = said(1, "wrong", "GENERIC")._replace(status="ERROR", answers=ToolCall("x", {}))
    append_steps(place, ID, [said(0, "x"), failed], profile(version))

    assert [json.loads(line)["step_index"] for line in kept(place).splitlines()] == rows


@pytest.mark.parametrize(("version", "keyed"), [((1, 1, 10), False), ((1, 1, 11), True)])
def test_the_exit_code_of_a_command_is_a_key_from_1_1_11(
    version: Version, keyed: bool, place: Layout
) -> None:
    append_steps(place, ID, [said(0, "x", "RUN_COMMAND")._replace(exit_code=3)], profile(version))

    assert (json.loads(kept(place)).get("exit_code") == 3) is keyed

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agy_cassettes.terminal_replies import LONGEST, split

REPLIES = {
    "the cursor's place": b"\x1b[12;40R",
    "the cursor's place and page": b"\x1b[?1;1;1R",
    "what it is": b"\x1b[?62;22c",
    "which one it is": b"\x1b[>0;276;0c",
    "a mode": b"\x1b[?2026;2$y",
    "an ANSI mode": b"\x1b[4;2$y",
    "its status": b"\x1b[0n",
    "dark or light": b"\x1b[?997;1n",
    "how keys are told": b"\x1b[?0u",
    "its size": b"\x1b[8;24;80t",
    "focus gained": b"\x1b[I",
    "focus lost": b"\x1b[O",
    "a colour of the palette": b"\x1b]4;1;rgb:cccc/0000/0000\x07",
    "the text's colour": b"\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
    "the background": b"\x1b]11;rgb:1e1e/1e1e/1e1e\x07",
    "the cursor's colour": b"\x1b]12;rgb:ffff/ffff/ffff\x1b\\",
    "its version": b"\x1bP>|XTerm(379)\x1b\\",
    "its number": b"\x1bP!|00000000\x1b\\",
    "a setting": b"\x1bP1$r0m\x1b\\",
    "a capability": b"\x1bP1+r544e=787465726d\x1b\\",
}
TYPED = {
    "text": "fix it, bitte schön\r".encode(),
    "escape": b"\x1b",
    "escape twice": b"\x1b\x1b",
    "an arrow": b"\x1b[A",
    "an arrow of the keypad": b"\x1bOA",
    "F3": b"\x1bOR",
    "F5 with a modifier": b"\x1b[15;2~",
    "a paste": b"\x1b[200~some ; text\x1b[201~",
    "a key of kitty": b"\x1b[97;5u",
    "the mouse": b"\x1b[<0;10;5M",
    "alt and a letter": b"\x1bc",
    "alt and a bracket, then text": b"\x1b[R and \x1b]4 and \x1bP>",
    "a string that breaks off": b"\x1b]11;rgb:1e\rmore",
    "the setting of a colour": b"\x1b]0;title\x07",
    "control keys": b"\x03\x04\x1a\x1c\x7f",
    "not utf-8": b"\xff\xfe\x9b1;1R",
}


def fed(data: bytes, cuts: list[int]) -> tuple[bytes, bytes]:
    """What was typed and what was answered, where the input comes in these pieces."""
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    typed = replies = held = b""
    for low, high in itertools.pairwise(edges):
        some, more, held = split(data[low:high], held)
        typed += some
        replies += more
    return typed + held, replies


@pytest.mark.parametrize("reply", REPLIES.values(), ids=REPLIES)
def test_an_answer_is_not_typing(reply: bytes) -> None:
    assert split(b"be" + reply + b"fore", b"") == (b"before", reply, b"")


@pytest.mark.parametrize("reply", REPLIES.values(), ids=REPLIES)
def test_an_answer_is_held_until_it_is_whole(reply: bytes) -> None:
    for cut in range(1, len(reply)):
        assert split(reply[:cut], b"") == (b"", b"", reply[:cut])


@pytest.mark.parametrize("typed", TYPED.values(), ids=TYPED)
def test_what_is_typed_stays(typed: bytes) -> None:
    assert fed(typed, []) == (typed, b"")


def test_text_is_never_held() -> None:
    assert split(b"some text", b"") == (b"some text", b"", b"")


def test_alt_and_a_letter_is_known_at_once() -> None:
    assert split(b"\x1bPhello", b"") == (b"\x1bPhello", b"", b"")


def test_a_sequence_without_an_end_is_let_go() -> None:
    endless = b"\x1b]11;" + b"x" * 2 * LONGEST

    typed, replies, held = split(endless, b"")

    assert (typed, replies, held) == (endless, b"", b"")


PIECES = st.one_of(
    st.sampled_from([*REPLIES.values(), *TYPED.values()]),
    st.sampled_from([reply[:-1] for reply in REPLIES.values()]),
    st.text("\x1b[]P>?;19R\\c\x07ytu$", max_size=12).map(str.encode),
    st.binary(max_size=6),
)


@given(pieces=st.lists(PIECES, max_size=12), cuts=st.lists(st.integers(0, 200), max_size=12))
def test_any_chunking_gives_the_same_typing_and_the_same_answers(
    pieces: list[bytes], cuts: list[int]
) -> None:
    data = b"".join(pieces)

    assert fed(data, cuts) == fed(data, []) == fed(data, list(range(len(data))))


@given(cuts=st.lists(st.integers(0, 3 * LONGEST), max_size=6), size=st.integers(LONGEST - 8, LONGEST + 8))
def test_any_chunking_of_a_long_sequence_gives_the_same(cuts: list[int], size: int) -> None:
    data = b"a\x1bP>|" + b"x" * (size - 6) + b"\x1b\\b"

    assert fed(data, cuts) == fed(data, [])


@given(st.lists(PIECES, max_size=12).map(b"".join))
def test_nothing_is_lost(data: bytes) -> None:
    typed, replies = fed(data, [])

    assert sorted(typed + replies) == sorted(data)

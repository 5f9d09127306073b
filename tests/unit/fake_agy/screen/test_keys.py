import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_agy.screen.keys import Key, decode

TEXT = "text"


def keys(data: bytes, *, bursts: bool = False) -> list[Key]:
    """Read bytes of which all have come."""
    decoded, held = decode(data, settled=False, bursts=bursts)
    last, rest = decode(held, settled=True, bursts=bursts)
    assert rest == b""
    return [*decoded, *last]


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (b"\r", ["enter"]),
        (b"\n", ["newline"]),
        (b"\x7f", ["backspace"]),
        (b"\x03", ["ctrl+c"]),
        (b"\x04\x04", ["ctrl+d", "ctrl+d"]),
        (b"\x1b", ["esc"]),
        (b"\x1b\x1b", ["esc", "esc"]),
        (b"\x1b[A\x1b[B", ["up", "down"]),
        (b"\x1bOA", ["up"]),
        (b"\x1b[1;2A", ["up"]),
        (b"\x1b[Z", ["shift+tab"]),
        (b"\x1b[3~", ["delete"]),
        (b"\x1b\r", ["newline"]),
        (b"\x1b[13u", ["enter"]),
        (b"\x1b[13;2u", ["newline"]),
        (b"\x1b[27u", ["esc"]),
        (b"\x1b[99;5u", ["ctrl+c"]),
        (b"\x1b[9;2u", ["shift+tab"]),
    ],
)
def test_a_key_has_its_name_in_every_encoding(data: bytes, names: list[str]) -> None:
    assert [key.name for key in keys(data)] == names


@pytest.mark.parametrize(
    "reply",
    [
        b"\x1b[?62;22c",
        b"\x1b[>1;10;0c",
        b"\x1b[?1u",
        b"\x1bP>|xterm(380)\x1b\\",
        b"\x1b]11;rgb:0000/0000/0000\x07",
        b"\x1b]11;rgb:0000/0000/0000\x1b\\",
        b"\x1b_Gi=31;OK\x1b\\",
        b"\x1b[?2026;2$y",
        b"\x1b[24;80R",
        b"\x1b[I",
        b"\x1b[<0;10;10M",
        b"\x1b[M !!",
        b"\x1b[97;1:3u",
        b"\x1b[1;1:3A",
        b"\x1b[57441;2u",
        b"\x1bx",
    ],
)
def test_what_is_no_typing_gives_no_key_and_leaves_what_stands_around_it(reply: bytes) -> None:
    assert keys(b"a" + reply + b"b") == [Key(TEXT, "a"), Key(TEXT, "b")]


def test_a_key_of_the_kitty_protocol_is_text() -> None:
    assert keys(b"\x1b[97u\x1b[97;2u") == [Key(TEXT, "a"), Key(TEXT, "A")]


def test_a_bracketed_paste_is_one_text_with_its_lines() -> None:
    pasted = b"\x1b[200~one\r\ntwo\rthree\x1b[201~\r"

    assert keys(pasted) == [Key("paste", "one\ntwo\nthree"), Key("enter")]


def test_a_paste_may_hold_what_looks_like_keys() -> None:
    assert keys(b"\x1b[200~\x03\x1b[A\x1b[201~") == [Key("paste", "\x03\x1b[A")]


@pytest.mark.parametrize(
    ("bursts", "read"),
    [
        (False, [Key(TEXT, "one"), Key("enter"), Key(TEXT, "two"), Key("enter")]),
        (True, [Key("paste", "one\ntwo\n")]),
    ],
)
def test_lines_that_come_at_once_are_keys_or_a_paste(bursts: bool, read: list[Key]) -> None:
    assert keys(b"one\rtwo\r", bursts=bursts) == read


@pytest.mark.parametrize("alone", [b"\r", b"\r\r", b"\x1b[A\r", b"text"])
def test_keys_without_text_beside_them_are_no_paste(alone: bytes) -> None:
    assert "paste" not in [key.name for key in keys(alone, bursts=True)]


def test_an_esc_alone_waits_for_what_may_follow_it() -> None:
    assert decode(b"a\x1b", settled=False, bursts=False) == ((Key(TEXT, "a"),), b"\x1b")


PIECES = st.lists(
    st.sampled_from(
        [
            b"a",
            "ß".encode(),
            "漢".encode(),
            "🙂".encode(),
            b"\r",
            b"\x03",
            b"\x1b[A",
            b"\x1b[13;2u",
            b"\x1b[?62;22c",
            b"\x1b]11;rgb:0/0/0\x07",
            b"\x1b_Gi=31;OK\x1b\\",
            b"\x1b[200~x\ry\x1b[201~",
        ]
    )
)


@given(PIECES, st.data())
def test_input_means_the_same_however_it_is_cut(pieces: list[bytes], data: st.DataObject) -> None:
    whole = b"".join(pieces)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(whole)))))
    read: list[Key] = []
    held = b""
    for start, end in zip([0, *cuts], [*cuts, len(whole)], strict=True):
        found, held = decode(held + whole[start:end], settled=False, bursts=False)
        read += found

    assert held == b""
    assert joined(read) == joined(keys(whole))


def joined(read: list[Key]) -> list[Key]:
    """Put texts that follow each other together."""
    put: list[Key] = []
    for key in read:
        if put and key.name == put[-1].name == TEXT:
            put[-1] = Key(TEXT, put[-1].text + key.text)
        else:
            put.append(key)
    return put


@given(st.binary(), st.booleans(), st.booleans())
def test_any_bytes_are_read_without_an_error(data: bytes, settled: bool, bursts: bool) -> None:
    _, held = decode(data, settled=settled, bursts=bursts)

    assert data.endswith(held)

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agy_cassettes.redact.find import find
from agy_cassettes.redact.legible import Legible
from agy_cassettes.redact.names import facts_of
from agy_cassettes.redact.redactor import Redactor
from agy_cassettes.redact.rules import RULES
from tests.support.figures import drawn_seed

TEXTS = {
    "prefix": (b"it uses ", b"ghp_16C7e42F292c6912E7710c838347Ae178B4a", b" for now"),
    "short prefix": (b"key: ", b"AKIAIOSFODNN7EXAMPLQ", b"."),
    "key block": (
        b"",
        b"-----BEGIN PRIVATE KEY-----\n" + b"MIIEpAIBAAKCAQEA7x1y2z\n" * 9 + b"-----END PRIVATE KEY-----",
        b"\n",
    ),
    "keyed": (b'{"access_token": "', b"3f2a9c1e77aa4b1c", b'", "n": 1}'),
    "variable": (b"ANTIGRAVITY_CSRF_TOKEN=", b"0b8f2f6e-2a52-4d0f-9a39-6f8f0d3f9a11", b" "),
    "address": (b"written by ", b"jane.doe@corp-mail.com", b" and others"),
    "colour within": (b"it is \x1b[1m", b"ya29.a0AfB\x1b[0m_byC-dEfGhIjKlMnOp", b"\x1b[0m now"),
}


def noise(size: int) -> bytes:
    """Bytes of which none is of a text's."""
    return bytes(random.Random(size).choices([*range(1, 7), *range(128, 192)], k=size))


STREAMS: dict[str, Callable[[bytes], bytes]] = {
    "a transcript cut within a letter": lambda text: (
        b"\xaa\xbd first\n" + text + "\nthe end \u6211".encode()[:-1]
    ),
    "latin-1": lambda text: (
        "Gr\u00fc\u00dfe, f\u00fcr \u00dcbung: ".encode("latin-1") + text + b" M\xfc\xdfiggang\nEnde\n"
    ),
    "colours with a stray byte": lambda text: b"\x1b[32mok\x1b[0m \xff" + text + b"\x1b[K\r\n",
    "a program's strings": lambda text: noise(999) + b"\0" + text + b"\0" + noise(500),
    "noise in one line": lambda text: noise(9000) + text + noise(9000),
    "noise in lines": lambda text: noise(300) + b"\n" + text + b"\n" + noise(300) + b"\n",
    "words of a command line": lambda text: b"agy\0-p\0" + text + b"\0\xff\xfe",
}


@pytest.mark.parametrize("stream", STREAMS)
@pytest.mark.parametrize("kind", TEXTS)
def test_a_secret_is_found_in_what_is_no_text_and_nothing_else_is_altered(kind: str, stream: str) -> None:
    before, secret, behind = TEXTS[kind]
    data = STREAMS[stream](before + secret + behind)
    with pytest.raises(UnicodeDecodeError):
        data.decode()
    (span,) = find(data, RULES)
    assert data[span.start : span.end] == secret


def test_a_flag_tells_of_the_word_behind_it_also_beside_a_word_that_is_no_text() -> None:
    (span,) = find(b"agy\0--csrf_token\0abcd1234\0-p\0gr\xfc\xdf dich", RULES)
    assert span.secret == b"abcd1234"


def test_a_known_token_is_found_in_what_is_no_text() -> None:
    known = {b"0123456789abcdef": "csrf-token"}.get
    (span,) = find(noise(100) + b"0123456789abcdef" + noise(100), (), known)
    assert (span.start, span.end) == (100, 116)


def test_random_bytes_are_not_altered() -> None:
    seed = drawn_seed()
    redactor = Redactor(facts_of({"HOME": "/home/jdoe", "USER": "jdoe"}, "build7"))
    for number in range(seed, seed + 3):
        data = random.Random(number).randbytes(8_000_000)
        assert redactor.redact(data).data == data
        # What the rules look at: without this they took 17 seconds.
        assert len(Legible(data).text) < len(data) // 1000


def test_the_strings_of_a_program_are_looked_at_once_and_together() -> None:
    data = (noise(40) + b"a string of a program") * 1000
    text = Legible(data).text
    assert text.count(b"a string of a program") == 1000
    assert len(text) < 26 * 1000


def test_a_key_block_does_not_go_on_in_another_part() -> None:
    head, foot = b"-----BEGIN PRIVATE KEY-----", b"-----END PRIVATE KEY-----"
    data = head + noise(5000) + foot
    assert all(span.end <= len(head) for span in find(data, RULES))


PIECES = st.sampled_from(
    [noise(40), b"\xff", b"\n", b"\0", b"words of text ", b"\xc3\xa9", b"x" * 16, b"token="]
)


@given(st.lists(PIECES, max_size=20).map(b"".join))
def test_each_legible_byte_leads_back_to_itself(data: bytes) -> None:
    legible = Legible(data)
    places = []
    for at, byte in enumerate(legible.text):
        start, end = legible.origin(at, at + 1)
        if end > start:
            assert data[start] == byte
            places.append(start)
    assert places == sorted(set(places))

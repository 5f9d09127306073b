import base64
import html
import json
import signal
import urllib.parse
from collections.abc import Callable, Iterator
from types import FrameType

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agy_cassettes.edits import apply
from agy_cassettes.redact import find as find_module
from agy_cassettes.redact.find import find, replacement
from agy_cassettes.redact.redactor import Redactor
from agy_cassettes.redact.rules import RULES

SECRETS = [
    "ya29.a0AfB_byC-dEfGhIjKlMnOp",
    "1//0gFakeRefresh-Token_AbC",
    "4/0AeaYSHBx3yZk_qWERtyuiOP",
    "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_X",
    "jane.doe@corp-mail.com",
]
SPELLINGS: dict[str, Callable[[str], str]] = {
    "bare": lambda secret: secret,
    "json": lambda secret: json.dumps({"x": f"a\n{secret}\tb"}),
    "json in json": lambda secret: json.dumps({"y": json.dumps({"x": f"a\n{secret}\n"})}),
    "json with all escaped": lambda secret: '"x\\u003d' + secret.replace("/", "\\/") + '\\u0026y"',
    "url": lambda secret: "https://x.example/cb?a=1&v=" + urllib.parse.quote(secret, safe="") + "&b=2",
    "json in url": lambda secret: urllib.parse.quote(json.dumps({"v": secret}), safe=""),
    "html": lambda secret: html.escape(f'<a b="{secret}">'),
    "shell": lambda secret: "v\\=" + secret.replace("@", "\\@") + "\\&",
    "coloured": lambda secret: f"\x1b[1m{secret}\x1b[0m",
    "colour within": lambda secret: f"{secret[:7]}\x1b[0m\x1b[31m{secret[7:]}",
    "colour within, in json": lambda secret: json.dumps(f"{secret[:7]}\x1b[0m\x1b[31m{secret[7:]}"),
    "title": lambda secret: f"\x1b]0;{secret}\x07",
    "title cut off": lambda secret: f"\x1b]0;{secret}",
    "title in json": lambda secret: json.dumps(f"\x1b]0;{secret}\x1b\\"),
    "link": lambda secret: f"\x1b]8;;https://x.example/?t={secret}\x1b\\here\x1b]8;;\x1b\\",
}


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_one_secret_in_every_spelling(secret: str, spelling: str) -> None:
    data = SPELLINGS[spelling](secret).encode()
    assert [span.secret for span in find(data, RULES)] == [secret.encode()]


def test_what_stands_around_a_secret_stays_whole() -> None:
    redactor = Redactor()
    secret = SECRETS[1]
    assert json.loads(redactor.redact_text(json.dumps({"x": f"\n{secret}\n"}))) == {
        "x": "\nREDACTED-oauth-token-0\n"
    }
    assert redactor.redact_text(SPELLINGS["coloured"](secret)) == "\x1b[1mREDACTED-oauth-token-0\x1b[0m"
    assert redactor.redact_text(SPELLINGS["colour within"](secret)) == "REDACTED-oauth-token-0\x1b[0m\x1b[31m"
    assert (
        redactor.redact_text(SPELLINGS["url"](secret))
        == "https://x.example/cb?a=1&v=REDACTED-oauth-token-0&b=2"
    )


def test_a_letter_of_an_escape_is_no_part_of_a_word() -> None:
    text = "a\nroot@localhost:~# ls\ngit@host.example:org/repo.git\tjane.doe@corp-mail.com\njdoe@build7:~$"
    for spelled in (
        text,
        json.dumps(text),
        json.dumps(json.dumps(text)),
        repr(text),
        urllib.parse.quote(text),
    ):
        spans = find(spelled.encode(), RULES)
        assert [span.secret for span in spans] == [b"jane.doe@corp-mail.com", b"jdoe", b"build7"]
    assert [span.secret for span in find(rb"C:\Users\nick\x", RULES)] == [b"nick"]


def test_what_is_within_a_key_block_does_not_break_it_up() -> None:
    key = "-----BEGIN PRIVATE KEY-----\n4/AbCd1234EfGh5678IjKl\n1//0AbCd1234EfGh\n-----END PRIVATE KEY-----"
    for spelled in (key, json.dumps(key), json.dumps(json.dumps(key)), repr(key)):
        assert [span.secret for span in find(spelled.encode(), RULES)] == [key.encode()]


def test_a_clipboard_that_holds_a_secret_is_one() -> None:
    for inside, count in ((f"key {SECRETS[0]}", 1), ("an ordinary sentence", 0)):
        data = b"\x1b]52;c;" + base64.b64encode(inside.encode()) + b"\x07"
        assert len(find(data, RULES)) == count


def test_a_placeholder_is_no_secret() -> None:
    data = b'{"access_token": "REDACTED-oauth-token-1"} Cookie: a=REDACTED-a-1REDACTED-b-2'
    assert find(data, RULES) == ()


def test_a_known_token_is_found_bare() -> None:
    known = {b"0123456789abcdef": "csrf-token"}.get
    (span,) = find(b"x=\x1b[1m0123456789abcdef\x1b[0m 0123456789abcdef0", (), known)
    assert (span.start, span.end, span.cls) == (6, 22, "csrf-token")


def test_a_long_text_is_looked_at_in_pieces_that_cut_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find_module, "BLOCK_BYTES", 40)
    key = "-----BEGIN PRIVATE KEY-----\n" + "MIIEpAIBAAKCAQEA7x1y2z\n" * 9 + "-----END PRIVATE KEY-----"
    text = f"\n{SECRETS[0]} and so on\nx\n{key}\n" + f"{SECRETS[1]}\n" * 3
    spans = find(text.encode(), RULES)
    assert [text[span.start : span.end] for span in spans] == [SECRETS[0], key, *[SECRETS[1]] * 3]
    assert find((key[:200] + "x" * 100).encode(), RULES)


WORDS = st.sampled_from(
    [
        "a",
        "\n",
        " ",
        "=",
        "@",
        ":",
        "/",
        "//",
        '"',
        "'",
        "\\",
        "&",
        "?",
        ";",
        "%3D",
        "\\n",
        "\\u003d",
        "\x1b[1m",
    ]
    + [
        "\x1b]0;",
        "\x07",
        "token",
        "access_token",
        "Cookie: ",
        "Bearer ",
        "https://",
        "oauth",
        "/home/",
        "ssh ",
    ]
    + [
        "jdoe",
        "host",
        ".com",
        "3f2a9c1e77aa4b1c",
        "-----BEGIN PRIVATE KEY-----",
        "eyJ",
        "sk-",
        "code=",
        "1//0",
    ]
    + [f" {secret} " for secret in SECRETS]
)


@given(st.lists(WORDS, max_size=14).map("".join))
@example("https://a@b.com:jane.doe@corp-mail.com")
@example("\\n1//0gFakeRefresh-Token_AbC%3D")
def test_spans_are_apart_and_redacting_twice_is_redacting_once(text: str) -> None:
    data = text.encode()
    spans = find(data, RULES)
    at = 0
    for span in spans:
        assert at <= span.start < span.end <= len(data)
        at = span.end
    redactor = Redactor()
    once = redactor.redact_bytes(data)
    assert redactor.redact_bytes(once) == once
    assert not any(secret.encode() in once for secret in SECRETS)
    edits = [(span.start, span.end, replacement(data, span, b"REDACTED-x-0")) for span in spans]
    assert apply(data, edits).count(b"REDACTED-x-0") == len(spans)


@given(st.binary(max_size=200))
def test_any_bytes_can_be_looked_at(data: bytes) -> None:
    find(data, RULES)


HOSTILE = [
    b"a", b"\n", b"token", b"token=", b"token:", b'"token":"', b"-token ", b"eyJ", b"eyJ-",
    b"eyJabcdefgh.", b"@", b"a@", b"a.b@c.d.", b"http://", b"://a:", b"://a", b"https://a/oauth?a=",
    b"-----BEGIN PRIVATE KEY-----", b"-----BEGIN PRIVATE KEY-----\n", b"cookie: a=b; ", b"cookie:",
    b"cookie a=", b"sk-", b"sk-abcdefghijklmnopqr ", b"1//", b"1/", b"4/", b"\x1b[m", b"\x1b]", b"\x1b[",
    b"\\", b"\\u0041", b"%41", b"&amp;", b"/home/", b"/home/ab ", b"C:\\users\\a ", b"basic ", b"bearer ",
    b"authorization:", b"SID=", b"__Secure-", b"ssh a@b ", b"ssh ", b"file://",
    b'"name":"token","value":"', b'csrf" ', b"code ABCD-", b"\tTRUE\t", b"1:AA", b"REDACTED-a",
    b"hooks.slack.com/", b"SG.", b"ya29.", b"ya29.a.", b"password='", b"\xc3\xa9", b"\x1b]52;c;",
    b"x_key", b"sig=", b"a-code ",
]  # fmt: skip
"""What many rules begin with, over and over: a search that began anew at each would never end."""


@pytest.fixture
def a_minute_of_work() -> Iterator[None]:
    """Fails a test that computes for a minute: 100 times what it needs, a trifle of what a square would."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, 60)
    yield
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.signal(signal.SIGPROF, before)


@pytest.mark.usefixtures("a_minute_of_work")
@pytest.mark.parametrize("begin", HOSTILE)
def test_no_text_takes_more_than_its_length(begin: bytes) -> None:
    find(begin * (120_000 // len(begin)), RULES)


@pytest.mark.usefixtures("a_minute_of_work")
@pytest.mark.parametrize(
    "begin", [*HOSTILE, b"\xff\n", b"\xffa\n", b"abcdefghijklmnop\xff\x00", b"\xc3", b"\0"]
)
@pytest.mark.parametrize("stray", ["at the end", "everywhere"])
def test_no_bytes_take_more_than_their_length(begin: bytes, stray: str) -> None:
    data = begin * (20_000 // len(begin))
    find(data + b"\xff" if stray == "at the end" else data.replace(begin * 9, begin * 9 + b"\xff"), RULES)

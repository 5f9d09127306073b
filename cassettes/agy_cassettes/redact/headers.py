"""Rules for what HTTP carries in its headers, and for cookies wherever they are written so."""

import re
from base64 import b64decode
from binascii import Error
from collections.abc import Iterator

from agy_cassettes.redact.rule import Found, Rule
from agy_cassettes.redact.values import has_digit_and_letter, is_random, is_reference, is_stand_in

_SCHEMES = (
    rb"bearer|basic|token|apikey|api-key|key|negotiate|ntlm|hawk|sapisidhash|googlelogin|ghtoken|splunk"
)
_COOKIE_NAME = rb"[!#$%&'*+.^_`|~0-9A-Za-z\-]{1,256}"
_COOKIE_VALUE = rb"\"?(?P<v>[^;\s\"'\\<>\x00-\x1f\x7f]{1,8192})"
_COOKIE = re.compile(rb"(?P<n>" + _COOKIE_NAME + rb")=" + _COOKIE_VALUE)
_COOKIE_NEXT = re.compile(rb"\"?[ \t]*;[ \t]*")


def _authorization(match: re.Match[bytes]) -> Iterator[Found]:
    value, scheme = match["s"], match["scheme"]
    if is_reference(value) or is_stand_in(value):
        return
    if scheme is not None or (is_random(value) and len(value) >= 12):
        is_basic = scheme is not None and scheme.lower() == b"basic"
        yield Found(*match.span("s"), "password" if is_basic else "token")


def _bearer(match: re.Match[bytes]) -> Iterator[Found]:
    if is_random(match["s"]):
        yield Found(*match.span("s"), "token")


def decoded(text: bytes) -> bytes:
    """Return what base64 `text` means, or nothing where it is none."""
    try:
        return b64decode(text.rstrip(b"=") + b"=" * (-len(text.rstrip(b"=")) % 4), validate=True)
    except Error:
        return b""


def _basic(match: re.Match[bytes]) -> Iterator[Found]:
    plain = decoded(match["s"])
    if b":" in plain and plain.decode("utf-8", "replace").isprintable():
        yield Found(*match.span("s"), "password")


def _cookies(match: re.Match[bytes]) -> Iterator[Found]:
    """The value of each pair; a ``Set-Cookie`` has one pair, what follows are its attributes."""
    text, at = match.string, match.end()
    if match["flag"] is not None and not text.endswith(b"--", 0, match.start()):
        return
    single = match["set"] is not None
    while (pair := _COOKIE.match(text, at)) is not None:
        value = pair["v"]
        if not is_reference(value) and not is_stand_in(value):
            yield Found(*pair.span("v"), "cookie")
        following = _COOKIE_NEXT.match(text, pair.end())
        if single or following is None:
            return
        at = following.end()


def _named_cookie(match: re.Match[bytes]) -> Iterator[Found]:
    if has_digit_and_letter(match["s"]):
        yield Found(*match.span("s"), "cookie")


HEADERS: tuple[Rule, ...] = (
    Rule(
        cls="token",
        why="Authorization: what follows the scheme gives access; without a scheme it must look generated",
        anchors=(b"authorization",),
        pattern=re.compile(
            rb"(?<![A-Za-z0-9])authorization[\"'`]?\]?[ \t]*(?:=>|[:=,])[ \t]*\[?[\"'`]?"
            rb"(?:(?P<scheme>"
            + _SCHEMES
            + rb")(?:[ \t]+|%20|\+))?(?P<s>[^\s\"'`\\,;<>\x00-\x1f\x7f]{6,8192})",
            re.IGNORECASE,
        ),
        fold=True,
        judge=_authorization,
        whole=True,
    ),
    Rule(
        cls="token",
        why="Bearer with a generated value, as in headers that are not named; 'bearer of news' has none",
        anchors=(b"bearer",),
        pattern=re.compile(
            rb"(?<![A-Za-z0-9])bearer[ \t:]+[\"'`]?(?P<s>[\w\-.~+/]{12,}={0,2})", re.IGNORECASE
        ),
        fold=True,
        judge=_bearer,
        whole=True,
    ),
    Rule(
        cls="password",
        why="Basic with base64 of NAME:PASSWORD",
        anchors=(b"basic ",),
        pattern=re.compile(rb"(?<![A-Za-z0-9])basic[ \t]+(?P<s>[A-Za-z0-9+/]{8,4096}={0,2})", re.IGNORECASE),
        fold=True,
        judge=_basic,
        whole=True,
    ),
    Rule(
        cls="cookie",
        why="Cookie: every value; Set-Cookie: the first; names and attributes stay",
        anchors=(b"cookie",),
        pattern=re.compile(
            rb"(?:(?<![A-Za-z0-9_\-])|(?<=(?P<set>set-))|(?<=--))cookie2?(?P<close>[\"'`]?)"
            rb"(?:[ \t]*(?::|=>)[ \t]*[\[(]?[ \t]*[\"'`]?"
            rb"|[ \t]*[=,][ \t]*[\"'`]|(?P<flag>[ \t\0]+)[\"'`]?)"
            rb"(?=" + _COOKIE_NAME + rb"=)",
            re.IGNORECASE,
        ),
        fold=True,
        judge=_cookies,
    ),
    Rule(
        cls="cookie",
        why="sign-in cookies by their well-known names, in dumps that have no header",
        anchors=(
            b"SID=",
            b"SIDCC=",
            b"SIDTS=",
            b"NID=",
            b"sessionid=",
            b"__Secure-",
            b"__Host-",
            b"connect.sid=",
        ),
        pattern=re.compile(
            rb"(?<![\w\-.])[\w\-.]{0,48}?(?:SID|SIDCC|SIDTS|NID|sessionid|session|token|connect\.sid)="
            rb"(?P<s>[^;,\s\"'\\<>&\x00-\x1f\x7f]{12,8192})"
        ),
        back=b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-",
        whole=True,
        judge=_named_cookie,
    ),
    Rule(
        cls="cookie",
        why="cookie files of curl and wget: seven columns, the last is the value",
        anchors=(b"\tTRUE\t", b"\tFALSE\t"),
        pattern=re.compile(
            rb"\t(?:TRUE|FALSE)\t/[^\t\r\n]{0,1024}\t(?:TRUE|FALSE)\t[0-9]{1,20}\t[^\t\r\n]{1,256}"
            rb"\t(?P<s>[^\t\r\n\0]{1,8192})"
        ),
    ),
)

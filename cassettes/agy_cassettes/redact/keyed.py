"""Rules for secrets that are known by the name before them: ``"access_token": "…"``, ``X_API_KEY=…``.

The same names stand in programs and prose, so the value is judged too, and the more strictly the weaker the
name and the looser the form.
"""

import re
from collections.abc import Iterator

from agy_cassettes.redact.rule import Found, Rule
from agy_cassettes.redact.values import (
    has_digit_and_letter,
    is_code,
    is_random,
    is_reference,
    is_stand_in,
)

_NAMES = (
    rb"token|secret|passw(?:or)?d|passphrase|passwd|credentials?|api[_-]?key|(?:access|secret|private|signing|auth"
    rb"|encryption|master|account|service|license)[_-]?key|(?:csrf|xsrf)(?:[_-]?(?:key|nonce|middleware[_-]?token))?"
    rb"|code[_-]?verifier|(?:device|auth|authorization|sign[_-]?in)[_-]?code|signature|sig"
)
_ANCHORS = (
    b"token secret passw passphrase credential csrf xsrf verifier signature sig= _key -key ikey skey tkey"
    b" ekey gkey hkey nkey rkey _code -code ecode hcode ncode"
)
"""Parts of the names: ``ikey`` is of apiKey, ``skey`` of accessKey, and so on."""

_PATTERN = re.compile(
    rb"(?<![\w.\-])(?P<key>-{0,2}[\w.\-]{0,64}?(?:" + _NAMES + rb"))(?![\w\-])"
    rb"(?P<close>[\"'`]?\]?)"
    rb"(?P<sep>[ \t]*(?::[ \t]*[A-Za-z_][\w\[\]|, ]{0,40}=|=>|:=|[:=])[ \t]*|(?P<flag>[ \t\0]+))"
    rb"(?:(?P<quote>[\"'`])(?P<q>(?:(?!(?P=quote))[^\s\\\x00-\x1f\x7f]){1,8192})"
    rb"|(?P<u>[\w\-+/.~%$({<\[*!@#^&?]{1,8192}={0,2}))",
    re.IGNORECASE,
)
_NAME = re.compile(rb"(?:" + _NAMES + rb")\Z", re.IGNORECASE)
_COOKIE_NAME = re.compile(rb"(?:SID|SIDCC|SIDTS|NID|session(?:id)?|\.sid)\Z|\A__(?:Secure|Host)-")
_QUERY_VALUE = re.compile(rb"[^\s&#;\"'<>\\\x00-\x1f\x7f]{1,8192}")
_UNQUOTED = re.compile(rb"[\w\-+/.~%]+={0,2}")
_COUNTED = re.compile(
    rb"(?:next|prev|previous|page|continuation|sync|resume|cursor|eos|bos|pad|unk|mask|sep|cls|stop|cancel"
    rb"|cancellation|special|start|end|first|last|max|min|num|type|per|current)[_-]?token\Z",
    re.IGNORECASE,
)
_STRONG = re.compile(
    rb"(?:access|refresh|id|auth|oauth|bearer|session|security|bot|push|api|jwt|identity|personal[_-]access)[_-]?token"
    rb"|client[_-]?secret|key\Z|[cx]srf|code[_-]?verifier|device[_-]?code|auth(?:orization)?[_-]?code",
    re.IGNORECASE,
)
_CLASSES = (
    (re.compile(rb"[cx]srf", re.IGNORECASE), "csrf-token"),
    (re.compile(rb"passw|passphrase", re.IGNORECASE), "password"),
    (re.compile(rb"client[_-]?secret", re.IGNORECASE), "client-secret"),
    (re.compile(rb"key\Z", re.IGNORECASE), "api-key"),
    (re.compile(rb"(?:access|refresh|id|oauth|auth)[_-]?token|verifier", re.IGNORECASE), "oauth-token"),
    (re.compile(rb"code\Z", re.IGNORECASE), "oauth-code"),
    (re.compile(rb"sig(?:nature)?\Z", re.IGNORECASE), "signature"),
)


def class_of(key: bytes) -> str:
    """Return the class of what is called `key`."""
    return next((cls for pattern, cls in _CLASSES if pattern.search(key)), "token")


def _keyed(match: re.Match[bytes]) -> Iterator[Found]:
    key = match["key"].lstrip(b"-")
    cls = class_of(key)
    if _COUNTED.search(key):
        return
    if _is_parameter(match):
        value = _QUERY_VALUE.match(match.string, match.end("sep"))
        if value is not None and _in_query(value[0]):
            yield Found(*value.span(), cls)
        return
    by_flag = match["flag"] is not None
    if cls == "signature" or (by_flag and (match["close"] or not match["key"].startswith(b"-"))):
        return
    if match["q"] is not None:
        if _quoted(key, match["q"]):
            yield Found(*match.span("q"), cls)
        return
    value = _UNQUOTED.match(match.string, match.start("u"))
    if value is None or is_reference(match["u"]):
        return
    text = value[0].rstrip(b".")
    after = match.string[value.end() : value.end() + 1]
    if _unquoted(key, text, _form(match), after):
        yield Found(value.start(), value.start() + len(text), cls)


def _is_parameter(match: re.Match[bytes]) -> bool:
    begin = match.start("key")
    return match["sep"] == b"=" and match.string[max(begin - 1, 0) : begin] in (b"?", b"&", b"#", b";")


def _form(match: re.Match[bytes]) -> str:
    """How a bare value is given: ``env`` (KEY=…), ``set`` (--key …, x-key: …), ``tight``, or in ``code``."""
    key, sep = match["key"], match["sep"]
    if sep == b"=" and key.isupper():
        return "env"
    if key.startswith(b"-") or (b"-" in key and sep.startswith(b":")):
        return "set"
    return "tight" if sep in (b"=", b": ", b":") else "code"


def _in_query(value: bytes) -> bool:
    return len(value) >= 6 and not is_reference(value) and not is_stand_in(value) and not value.isdigit()


def _quoted(key: bytes, value: bytes) -> bool:
    if is_reference(value) or is_stand_in(value) or value.startswith(b"-----"):
        return False
    cls = class_of(key)
    if cls == "csrf-token":
        return len(value) >= 4
    if value.isdigit() or len(value) < 6:
        return False
    if _STRONG.search(key):
        return has_digit_and_letter(value) or len(value) >= 12
    if cls == "password":
        return not value.isalpha()
    return is_random(value) or (len(value) >= 12 and has_digit_and_letter(value))


def _unquoted(key: bytes, value: bytes, form: str, after: bytes) -> bool:
    cls = class_of(key)
    if form == "env" and cls == "csrf-token":
        return True
    if len(value) < 4 or is_stand_in(value):
        return False
    if form == "set" and cls == "csrf-token":
        return True
    if value.isdigit() or len(value) < 6:
        return False
    if form in ("env", "set"):
        strong = cls == "password" or _STRONG.search(key) is not None
        return has_digit_and_letter(value) or len(value) >= (16 if strong else 20)
    if after in (b"(", b"[", b"{"):
        return False
    if is_random(value):
        return len(value) >= 12
    if not has_digit_and_letter(value):
        return False
    if form == "code":
        return _STRONG.search(key) is not None and len(value) >= 20 and not is_code(value)
    if cls == "password":
        return value.isalnum() or not is_code(value)
    return len(value) >= 16 and not is_code(value)


def _listed(match: re.Match[bytes]) -> Iterator[Found]:
    key = match["key"]
    if _COOKIE_NAME.search(key) and is_random(match["s"]):
        yield Found(*match.span("s"), "cookie")
    elif _NAME.search(key) and not _COUNTED.search(key) and _quoted(key, match["s"]):
        yield Found(*match.span("s"), class_of(key))


KEYED: tuple[Rule, ...] = (
    Rule(
        cls="token",
        why="the name says it, in JSON, YAML, environments, flags, headers, URLs, programs",
        anchors=tuple(_ANCHORS.split()),
        pattern=_PATTERN,
        back=b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-",
        reach=80,
        fold=True,
        judge=_keyed,
    ),
)

FORMS: tuple[Rule, ...] = (
    Rule(
        cls="csrf-token",
        why="HTML: the token is in another attribute than its name",
        anchors=(b"csrf", b"xsrf", b"authenticity_token"),
        pattern=re.compile(
            rb"(?:csrf|xsrf|authenticity_token)[\w\-]{0,32}[\"'][^<>]{0,80}?\s(?:value|content)="
            rb"[\"'](?P<s>[^\"'<>\s]{8,1024})",
            re.IGNORECASE,
        ),
        fold=True,
    ),
    Rule(
        cls="token",
        why="lists of names and values, as cookie jars and environments are written in JSON",
        anchors=(b'"name"',),
        pattern=re.compile(
            rb"\"name\"\s{0,8}:\s{0,8}\"(?P<key>[^\"\\\s]{1,128})\"\s{0,8},\s{0,32}\"value\"\s{0,8}:\s{0,8}"
            rb"\"(?P<s>[^\"\\\s]{4,8192})"
        ),
        judge=_listed,
    ),
    Rule(
        cls="oauth-code",
        why="codes of a device sign-in, to be typed: twice four capitals or digits after the word code",
        anchors=(b"code",),
        pattern=re.compile(
            rb"code(?: is)?(?:[ \t]*:)?[ \t]{0,4}[\"'`]?"
            rb"(?P<s>(?=[A-Z0-9]*[A-Z])[A-Z0-9]{4}-[A-Z0-9]{4})(?![\w\-])"
        ),
    ),
)

"""Whether a value looks like a secret or like something a person wrote: words, names in code, stand-ins."""

import re

PLACEHOLDER = re.compile(rb"(?:REDACTED(?:-[0-9]*[A-Za-z][A-Za-z0-9]*)+-[0-9]+)+")
"""What already stands for a secret."""

_RUN = re.compile(rb"[A-Za-z0-9]+")
_TURN = re.compile(rb"[0-9](?=[A-Za-z])|[A-Za-z](?=[0-9])")
_HEX = re.compile(rb"[0-9a-f]{16,}|[0-9A-F]{16,}")
_REFERENCE = re.compile(rb"[$%]?[({\[<]|\$[A-Za-z_]|%[A-Za-z_]+%|[*.xX#_-]{3,}$|\.{2,}|@\w+\Z")
_WORD = re.compile(rb"[A-Za-z0-9]+")
_DOTTED = re.compile(rb"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_WORDS_JOINED = re.compile(rb"[A-Za-z]{1,15}[0-9]{0,2}(?:[_\-./][A-Za-z]{0,15}[0-9]{0,2})*")
_STAND_IN_WORDS = frozenset(
    (
        b"a an the your my some this that any no not none null nil true false undefined string str text int"
        b" integer number bool boolean bytes optional required object type value values here token tokens key"
        b" keys secret secrets password passwd pass pwd passphrase credential credentials api access auth"
        b" authorization oauth oauth2 bearer basic jwt id csrf xsrf refresh client session user username name"
        b" email example sample dummy placeholder changeme change replace insert enter redacted hidden masked"
        b" removed censored todo fixme and or is are of in to for from with file path env var variable"
        b" invalid missing expired empty default github google openai gitlab sha1 sha224 sha256 sha384 sha512"
        b" md5 bcrypt scrypt argon2 argon2i argon2id base32 base64 utf8 utf16 hs256 hs384 hs512 rs256 es256"
        b" hex ascii uint8 uint32 uint64 int8 int16 int32 int64 float float32 float64 double xxx needed"
        b" unknown error failed failure new old current header cookie code hash hashed digest"
    ).split()
)


def is_reference(value: bytes) -> bool:
    """Whether `value` names a secret kept elsewhere, or hides one: ``$TOKEN``, ``{token}``, ``***``."""
    return _REFERENCE.match(value) is not None


def is_stand_in(value: bytes) -> bool:
    """Whether `value` is only words that documentation puts where a secret would be: ``YOUR_API_KEY``."""
    words = _WORD.findall(value[:64])
    known = all(word.lower() in _STAND_IN_WORDS or (word.isdigit() and len(word) == 1) for word in words)
    return len(value) <= 64 and known and not value.isdigit() and bool(words)


def is_code(value: bytes) -> bool:
    """Whether `value` reads like a name in a program or of a file: words joined by ``_ - . /``."""
    return _WORDS_JOINED.fullmatch(value) is not None or _DOTTED.fullmatch(value) is not None


def has_digit_and_letter(value: bytes) -> bool:
    """Whether both a digit and a letter are in `value`."""
    return _TURN.search(re.sub(rb"[^A-Za-z0-9]+", b"", value)) is not None


def is_random(value: bytes) -> bool:
    """Whether a run of letters and digits in `value` is too irregular to be words: generated, in short."""
    return any(_is_random_run(run) for run in _RUN.findall(value[:4096]))


def _is_random_run(run: bytes) -> bool:
    if len(run) < 8:
        return False
    if _HEX.fullmatch(run):
        return True
    if len(_TURN.findall(run)) >= 2:
        return True
    # Without digits only a mixture of cases tells: identifiers have few capitals, and never many in a row.
    upper = sum(1 for byte in run if 65 <= byte <= 90)
    return len(run) >= 20 and 0.25 * len(run) <= upper <= 0.75 * len(run)

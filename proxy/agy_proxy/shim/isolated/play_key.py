"""The key of a call: what the default matchers compare, as bytes that are equal where they match."""

from agy_cassettes.call import identity, parse_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_MARK = b"REDACTED"
_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
_DIGITS = frozenset(b"0123456789")
_DASH = 0x2D


def key_of(prompt: "bytes | None", argv: "Sequence[bytes]") -> bytes:
    """The key of a call in its stored form.

    `argv` without the program's name, the prompt in it as ``${PROMPT}``. The numbers of placeholders are
    left out: they differ from run to run.
    """
    words = [without_numbers(word) for word in argv]
    call = parse_call([word.decode("utf-8", "surrogateescape") for word in words])
    if call.prompt_on_stdin and not prompt:
        # An empty stdin and one that nobody recorded are the same to agy.
        prompt = None
    return identity(call, None if prompt is None else without_numbers(prompt), words)


def without_numbers(text: bytes) -> bytes:
    """`text` with each ``REDACTED-<class>-<n>`` as ``REDACTED-<class>-0``.

    A class is words of letters and digits, each with a letter; the first word without one is the number. The
    next placeholder may follow at once.
    """
    found = text.find(_MARK)
    if found < 0:
        return text
    done = []
    position = 0
    while found >= 0:
        begin, end = _number(text, found + len(_MARK))
        if begin < end:
            done.append(text[position:begin] + b"0")
            position = end
        found = text.find(_MARK, end)
    done.append(text[position:])
    return b"".join(done)


def placeholders(text: bytes) -> "list[tuple[int, int]]":
    """Where the placeholders of a text begin and end; those that follow at once are one."""
    spans: list[tuple[int, int]] = []
    found = text.find(_MARK)
    while found >= 0:
        begin, end = _number(text, found + len(_MARK))
        if begin < end and spans and spans[-1][1] == found:
            spans[-1] = (spans[-1][0], end)
        elif begin < end:
            spans.append((found, end))
        found = text.find(_MARK, end)
    return spans


def _number(text: bytes, at: int) -> "tuple[int, int]":
    """Where the number behind the mark begins and ends; the same twice where there is none."""
    words = 0
    while at < len(text) and text[at] == _DASH:
        begin = end = at + 1
        while end < len(text) and text[end] in _WORD and (end == begin or text[end : end + 8] != _MARK):
            end += 1
        if begin == end:
            break
        if _DIGITS.issuperset(text[begin:end]):
            return (begin, end) if words else (at, at)
        words += 1
        at = end
    return at, at

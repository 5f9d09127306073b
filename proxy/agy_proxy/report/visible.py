"""Recorded text on a person's terminal, which must not obey it."""

CONTROL = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if code not in (9, 10)}
CONTROL.update({code: f"\\u{code:04x}" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))})
"""Characters that a terminal would obey, and directions that would turn a line around."""


def visible(value: str | bytes) -> str:
    r"""The text with control characters spelled out (``\x1b``), but for tabs and newlines."""
    raw = value if isinstance(value, bytes) else _bytes(value)
    return raw.decode("utf-8", "backslashreplace").translate(CONTROL)


def _bytes(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace")

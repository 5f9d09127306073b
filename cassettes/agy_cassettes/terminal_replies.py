"""What a terminal answers by itself, told from what somebody types.

A program asks a terminal for its colours, its size or where the cursor is, and the answers come by the way of
the keyboard. The shim loads this module, so it imports nothing::

    split(data: bytes, held: bytes) -> tuple[bytes, bytes, bytes]

Taken for answers: ``CSI r;c R`` (the cursor's place; Shift-F3 of xterm looks the same), ``CSI ? .. c`` and
``CSI > .. c`` (what it is), ``CSI .. $y`` (a mode), ``CSI .. n`` (a status), ``CSI ? .. u`` (how keys are
told), ``CSI .. t`` (its size), ``CSI I`` and ``CSI O`` (the focus), OSC 4, 10, 11 and 12 (colours), and DCS
with ``>|``, ``!|``, ``$r`` or ``+r`` (its version, its number, settings).
"""

LONGEST = 4096
"""A sequence of more bytes is no answer, so that never more than these are held."""

_ESC, _BEL, _BACKSLASH, _SEMICOLON = b"\x1b\x07\\;"
_CSI, _OSC, _DCS = b"[]P"
_DIGITS = frozenset(b"0123456789")
_COLOURS = (b"4", b"10", b"11", b"12")
_DCS_KINDS = (b">|", b"!|", b"$r", b"+r")


def split(data: bytes, held: bytes) -> tuple[bytes, bytes, bytes]:
    """Tell the next piece of input apart: what was typed, the terminal's answers, and what is held back.

    `held` is what the call before held back, empty at first: the beginning of a sequence that may be an
    answer. What is still held when the input ends was typed.
    """
    data = held + data
    typed = []
    replies = []
    done = 0
    at = data.find(_ESC)
    while at >= 0:
        end = _reply_end(data, at)
        if end is None:
            break
        if end:
            typed.append(data[done:at])
            replies.append(data[at:end])
            done = end
        at = data.find(_ESC, end or at + 1)
    if at < 0:
        at = len(data)
    typed.append(data[done:at])
    return b"".join(typed), b"".join(replies), data[at:]


def _reply_end(data: bytes, start: int) -> "int | None":
    """Where the answer that begins at `start` ends; 0 where none begins, None where that isn't known."""
    if len(data) == start + 1:
        return None
    kind = data[start + 1]
    end: int | None = 0
    if kind == _CSI:
        end = _csi_end(data, start + 2)
    elif kind == _OSC:
        end = _osc_end(data, start + 2)
    elif kind == _DCS:
        end = _dcs_end(data, start + 2)
    if (len(data) if end is None else end) - start > LONGEST:
        return 0
    return end


def _csi_end(data: bytes, start: int) -> "int | None":
    at = start
    while at < len(data) and 0x30 <= data[at] <= 0x3F:
        at += 1
    parameters = data[start:at]
    while at < len(data) and 0x20 <= data[at] <= 0x2F:
        at += 1
    if at == len(data):
        return None
    between = data[start + len(parameters) : at]
    final = between + data[at : at + 1]
    mark = parameters[:1] if parameters[:1] in (b"?", b">") else b""
    numbers = parameters[len(mark) :]
    counted = bool(numbers) and not numbers.strip(b"0123456789;")
    if final in (b"I", b"O"):
        found = not parameters
    elif final == b"R":
        found = counted and b";" in numbers and mark != b">"
    elif final == b"c":
        found = counted and bool(mark)
    elif final == b"u":
        found = counted and mark == b"?"
    elif final == b"t":
        found = counted and not mark
    else:
        found = final in (b"$y", b"n") and counted and mark != b">"
    return at + 1 if found else 0


def _osc_end(data: bytes, start: int) -> "int | None":
    at = start
    while at < len(data) and data[at] in _DIGITS:
        at += 1
    number = data[start:at]
    if at == len(data):
        return None if any(colour.startswith(number) for colour in _COLOURS) else 0
    if number not in _COLOURS or data[at] != _SEMICOLON:
        return 0
    return _string_end(data, at)


def _dcs_end(data: bytes, start: int) -> "int | None":
    at = start
    while at < len(data) and (data[at] in _DIGITS or data[at] == _SEMICOLON):
        at += 1
    kind = data[at : at + 2]
    if len(kind) < 2:
        return None if any(known.startswith(kind) for known in _DCS_KINDS) else 0
    return _string_end(data, at + 2) if kind in _DCS_KINDS else 0


def _string_end(data: bytes, at: int) -> "int | None":
    """Behind the BEL or ST that ends a string of printable characters."""
    while at < len(data):
        if data[at] == _BEL:
            return at + 1
        if data[at] == _ESC:
            if at + 1 == len(data):
                return None
            return at + 2 if data[at + 1] == _BACKSLASH else 0
        if data[at] < 0x20:
            return 0
        at += 1
    return None

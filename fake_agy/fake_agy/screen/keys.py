"""What comes from a terminal, as keys: typing and pastes; the terminal's own replies are passed over."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from fake_agy.record import NamedTuple

ESC, BEL = 0x1B, 0x07
PASTE, PASTED = b"\x1b[200~", b"\x1b[201~"
_STRINGS = b"]P_^X"
"""What begins a reply that runs up to a terminator: OSC, DCS, APC, PM, SOS."""

_CONTROLS = {0x0D: "enter", 0x0A: "newline", 0x09: "tab", 0x08: "backspace", 0x7F: "backspace", ESC: "esc"}
_FINALS = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end", "Z": "shift+tab"}
_CODES = {9: "tab", 13: "enter", 27: "esc", 127: "backspace"}
_RELEASED = "3"
_SHIFT, _ALT, _CTRL = 1, 2, 4
_PRIVATE_USE = 0xE000


class Key(NamedTuple):
    """A key by its name; `text` is what was typed or pasted where the name is text or paste."""

    name: str
    text: str = ""


def decode(data: bytes, *, settled: bool, bursts: bool) -> tuple[tuple[Key, ...], bytes]:
    """Take apart what was read; gives the keys, and what is not complete yet, to be put before the next read.

    `settled` says that nothing more has come for a while, so that an Esc alone is the key and not the
    beginning of a sequence. With `bursts`, a text that comes together with an Enter is a paste, as the
    versions take it that don't need a paste to be bracketed (contract.md 7.1).
    """
    keys: list[Key] = []
    at = 0
    while at < len(data):
        if data[at] == ESC:
            length, key = _sequence(data[at:], settled=settled)
            if length == 0:
                return tuple(keys), data[at:]
            keys += [] if key is None else [key]
        else:
            end = data.find(b"\x1b", at)
            run = data[at:] if end < 0 else data[at:end]
            length, typed = _typed(run, whole=settled or end >= 0, bursts=bursts)
            keys += typed
            if length < len(run):
                return tuple(keys), data[at + length :]
        at += length
    return tuple(keys), b""


def _typed(run: bytes, *, whole: bool, bursts: bool) -> tuple[int, list[Key]]:
    """Read bytes without Esc; all of them but the beginning of a character whose rest is to come."""
    length = len(run) if whole else _complete(run)
    text = run[:length].decode(errors="replace")
    printable = any(each >= " " and each != "\x7f" for each in text)
    if bursts and printable and ("\r" in text or "\n" in text) and "\x03" not in text:
        return length, [Key("paste", _lines(text))]
    keys: list[Key] = []
    for each in text:
        if each >= " " and each != "\x7f":
            if keys and keys[-1].name == "text":
                keys[-1] = Key("text", keys[-1].text + each)
            else:
                keys.append(Key("text", each))
        else:
            keys.append(Key(_control(ord(each))))
    return length, keys


def _complete(run: bytes) -> int:
    """Count the bytes up to the last complete character."""
    for back in range(1, min(3, len(run)) + 1):
        lead = run[-back]
        if lead >= 0xC0:
            needed = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
            return len(run) - back if needed > back else len(run)
        if lead < 0x80:
            break
    return len(run)


def _control(code: int) -> str:
    return _CONTROLS.get(code) or f"ctrl+{chr(code + 0x60) if code else 'space'}"


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _sequence(data: bytes, *, settled: bool) -> tuple[int, Key | None]:
    """Read what an Esc begins: its length, 0 while it is not complete, and its key where it is one."""
    if len(data) == 1:
        return (1, Key("esc")) if settled else (0, None)
    second = data[1]
    if second == ESC:
        return 1, Key("esc")
    if data.startswith(PASTE):
        end = data.find(PASTED)
        if end < 0:
            return 0, None
        text = data[len(PASTE) : end].decode(errors="replace")
        return end + len(PASTED), Key("paste", _lines(text))
    if second == ord("["):
        return _control_sequence(data, settled=settled)
    if second in _STRINGS:
        return _string(data, settled=settled)
    if second == ord("O"):
        if len(data) == 2:
            return (2, None) if settled else (0, None)
        name = _FINALS.get(chr(data[2]))
        return 3, None if name is None else Key(name)
    return 2, Key("newline") if second in b"\r\n" else None


def _string(data: bytes, *, settled: bool) -> tuple[int, None]:
    """Pass over a reply such as the background's colour; the terminator may come in a later read."""
    ends = [end + len(mark) for mark in (b"\x07", b"\x1b\\") if (end := data.find(mark, 2)) >= 0]
    if ends:
        return min(ends), None
    return (2, None) if settled and len(data) == 2 else (0, None)


def _control_sequence(data: bytes, *, settled: bool) -> tuple[int, Key | None]:
    end = 2
    while end < len(data) and not 0x40 <= data[end] <= 0x7E:
        end += 1
    if end == len(data):
        return (len(data), None) if settled else (0, None)
    if data[2:3] == b"M":  # a mouse's report in the oldest form: three bytes follow
        return (6, None) if len(data) >= 6 or settled else (0, None)
    parameters, final = data[2:end].decode(errors="replace"), chr(data[end])
    return end + 1, _key_of(parameters, final)


def _key_of(parameters: str, final: str) -> Key | None:
    """Name the key of a control sequence, None for replies, releases, the mouse and the focus."""
    if parameters[:1] in {"?", ">", "<", "="}:
        return None
    first, _, second = parameters.partition(";")
    modifiers, _, event = second.partition(";")[0].partition(":")
    if event == _RELEASED:
        return None
    if final in _FINALS:
        return Key(_FINALS[final])
    if final == "u" and first.partition(":")[0].isdigit():
        held = int(modifiers) - 1 if modifiers.isdigit() else 0
        return _kitty(int(first.partition(":")[0]), held)
    return Key("delete") if (final, first) == ("~", "3") else None


def _kitty(code: int, held: int) -> Key | None:
    """Name a key of the Kitty keyboard protocol."""
    if code in _CODES:
        name = _CODES[code]
        if name == "enter" and held & (_SHIFT | _ALT):
            return Key("newline")
        return Key("shift+tab" if name == "tab" and held & _SHIFT else name)
    if code >= _PRIVATE_USE or code < 0x20:
        return None
    if held & _CTRL:
        return Key(f"ctrl+{chr(code)}")
    return None if held & _ALT else Key("text", chr(code).upper() if held & _SHIFT else chr(code))

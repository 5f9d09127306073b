"""Paths that differ from run to run, and the names a cassette has for them: ``${HOME}``, ``${CWD}``, ...

The shim loads this module, so it imports only what is built in. All paths and texts are bytes; an edit is
the tuple of `agy_cassettes.edits`::

    Places(home, cwd, agy_home=None, tmp=None, log_file=None)     each a path, several spellings, or None
    to_stored(data: bytes, places, *, prompt=False) -> list[Edit]
    to_live(stored: bytes, places, *, prompt=None) -> list[Edit]

With one spelling to a place, ``to_live`` of what ``to_stored`` made gives back any bytes whatever. A literal
``${HOME}`` that was really there is written with one more ``$``. Bytes that aren't UTF-8 as a whole have no
names in them and no edits.
"""

from _codecs import utf_8_decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agy_cassettes.edits import Edit

NAMES = (b"LOG_FILE", b"AGY_HOME", b"CWD", b"HOME", b"TMP")
"""The places; of two with the same path the first here is the one written."""

AGY_HOME_IN_HOME = b"/.gemini/antigravity-cli"

_PROMPT = b"PROMPT"
_STEP = 1 << 20  # a body of 200 MB is not decoded in one piece
_NAME_BYTES = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+@~%#")
_SYMBOL_LEADS = frozenset(b"\xc2\xe2\xef\xf0")
_JSON_BREAKS = frozenset(b"nrtbf")
_HEX = frozenset(b"0123456789abcdefABCDEF")
_CSI_PARAMETERS = frozenset(b"0123456789;:?")
_DOLLAR, _DOT, _SLASH, _BACKSLASH, _BRACKET, _ESC = b"$./\\[\x1b"


class Places:
    """Where the paths of one run are; a place may have several spellings, of which the first is put back.

    Only absolute paths below the root count. `agy_home` defaults to ``.gemini/antigravity-cli`` in each
    `home` (contract.md 2.9).
    """

    __slots__ = ("paths",)

    def __init__(
        self,
        home: "bytes | tuple[bytes, ...] | None",
        cwd: "bytes | tuple[bytes, ...] | None",
        agy_home: "bytes | tuple[bytes, ...] | None" = None,
        tmp: "bytes | tuple[bytes, ...] | None" = None,
        log_file: "bytes | tuple[bytes, ...] | None" = None,
    ) -> None:
        homes = _spellings(home)
        agy_homes = _spellings(agy_home) or tuple(path + AGY_HOME_IN_HOME for path in homes)
        self.paths: dict[bytes, tuple[bytes, ...]] = {
            b"LOG_FILE": _spellings(log_file),
            b"AGY_HOME": agy_homes,
            b"CWD": _spellings(cwd),
            b"HOME": homes,
            b"TMP": _spellings(tmp),
        }

    def with_log_file(self, path: bytes) -> "Places":
        """Return these places with another path for ``${LOG_FILE}``."""
        paths = self.paths
        return Places(paths[b"HOME"], paths[b"CWD"], paths[b"AGY_HOME"], paths[b"TMP"], path)


def to_stored(data: bytes, places: Places, *, prompt: bool = False) -> "list[Edit]":
    """Return the edits that turn a live text into the stored one.

    Whole path components only, the longest path first. `prompt` is for argv items and stdin, where a literal
    ``${PROMPT}`` has to be told from the name.
    """
    if not is_text(data):
        return []
    found = []
    for rank, name in enumerate(NAMES):
        for path in places.paths[name]:
            at = data.find(path)
            while at >= 0:
                end = at + len(path)
                if _starts_a_path(data, at) and _ends_a_component(data, end):
                    found.append((at, -end, rank, (at, end, b"${" + name + b"}")))
                at = data.find(path, at + 1)
    for name in (*NAMES, _PROMPT) if prompt else NAMES:
        literal = b"${" + name + b"}"
        at = data.find(literal)
        while at >= 0:
            end = at + len(literal)
            found.append((at, -end, 0, (at, at, b"$")))
            at = data.find(literal, end)
    found.sort()
    edits = []
    done = 0
    for start, negative_end, _, edit in found:
        if start >= done:
            edits.append(edit)
            done = -negative_end
    return edits


def to_live(stored: bytes, places: Places, *, prompt: bytes | None = None) -> "list[Edit]":
    """Return the edits that turn a stored text into a live one; a name without a path stays as it is.

    `prompt` is for argv items and stdin: the live prompt, which ``${PROMPT}`` stands for (empty where there
    is none).
    """
    if not is_text(stored):
        return []
    values = {name: places.paths[name][0] if places.paths[name] else None for name in NAMES}
    if prompt is not None:
        values[_PROMPT] = prompt
    edits = []
    for name, value in values.items():
        literal = b"${" + name + b"}"
        at = stored.find(literal)
        while at >= 0:
            end = at + len(literal)
            if at and stored[at - 1] == _DOLLAR:
                edits.append((at, at + 1, b""))
            elif value is not None:
                edits.append((at, end, value))
            at = stored.find(literal, end)
    edits.sort()
    return edits


def is_text(data: bytes) -> bool:
    """Return whether the bytes are UTF-8, so that a cassette shows them as text."""
    if data.isascii():
        return True
    at = 0
    while at < len(data):
        try:
            at += utf_8_decode(data[at : at + _STEP], "strict", at + _STEP >= len(data))[1]
        except UnicodeDecodeError:
            return False
    return True


def _spellings(paths: "bytes | tuple[bytes, ...] | None") -> tuple[bytes, ...]:
    if paths is None:
        return ()
    kept: list[bytes] = []
    for path in (paths,) if isinstance(paths, bytes) else paths:
        trimmed = path.rstrip(b"/")
        if trimmed.startswith(b"/") and trimmed not in kept:
            kept.append(trimmed)
    return tuple(kept)


def _ends_a_component(data: bytes, end: int) -> bool:
    # "in /home/ada." ends one, "/home/ada.bak" does not.
    while end < len(data) and data[end] == _DOT:
        end += 1
    return end == len(data) or not _is_name(data, end)


def _starts_a_path(data: bytes, start: int) -> bool:
    if start == 0:
        return True
    before = data[start - 1]
    if before in (_DOLLAR, _DOT):
        return False
    if before == _SLASH:
        return data[max(0, start - 3) : start] == b"://"
    character = start - 1
    while character > max(0, start - 4) and 0x80 <= data[character] < 0xC0:
        character -= 1
    return not _is_name(data, character) or _after_escape(data, start)


def _is_name(data: bytes, at: int) -> bool:
    """Whether the character at `at` may be part of a file's name in running text."""
    byte = data[at]
    if byte < 0x80:
        return byte in _NAME_BYTES
    # Punctuation, arrows, boxes, full width forms and emoji end a name; letters of any script don't.
    return byte not in _SYMBOL_LEADS and data[at : at + 2] != b"\xe3\x80"


def _after_escape(data: bytes, start: int) -> bool:
    r"""Whether ``\n`` or ``\u003e`` of JSON, or ``ESC[1m`` raw or in JSON, ends before `start`."""
    if start >= 2 and data[start - 2] == _BACKSLASH and data[start - 1] in _JSON_BREAKS:
        return True
    if start >= 6 and data[start - 6 : start - 4] == b"\\u" and _HEX.issuperset(data[start - 4 : start]):
        return True
    at = start - 2
    while at > 0 and start - at < 32 and data[at] in _CSI_PARAMETERS:
        at -= 1
    if at < 1 or data[at] != _BRACKET:
        return False
    return data[at - 1] == _ESC or data[max(0, at - 6) : at].lower() == b"\\u001b"

"""One mapping of a cassette, read key by key with its types checked."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from agy_cassettes.interaction import Sidecar
from agy_cassettes.limits import Limits
from agy_cassettes.node import FormatError, Node, plain
from agy_cassettes.sidecar import SIDECAR_NAME

T = TypeVar("T")


class Fields:
    """Takes known keys out of a mapping; what is left are the keys that this version doesn't know.

    Each method raises `FormatError` with its line unless what it was asked for is there and of the right
    type. A `default` stands for a key that is missing or null.
    """

    def __init__(self, node: Node, what: str, limits: Limits) -> None:
        if not isinstance(node.value, dict):
            raise FormatError(node.line, f"{what} is {_kind(node.value)}, not a mapping")
        self.line = node.line
        self.what = what
        self.limits = limits
        self._left: dict[str | bytes, Node] = dict(node.value)

    def take(self, key: str) -> Node | None:
        """Take a key's node, None where the key is missing or null."""
        node = self._left.pop(key, None)
        return None if node is None or node.value is None else node

    def need(self, key: str) -> Node:
        """Take the node of a key that must be there."""
        node = self.take(key)
        if node is None:
            raise FormatError(self.line, f"{self.what} has no {key}")
        return node

    def rest(self) -> dict[str, Any]:
        """Give the keys that nobody took, as plain values."""
        for key, node in self._left.items():
            if isinstance(key, bytes):
                raise FormatError(node.line, f"{self.what} has a key that is no text")
        return {cast(str, key): plain(node) for key, node in self._left.items()}

    def text(self, key: str, default: str | None = None) -> str:
        """Take text; bytes that aren't UTF-8 become surrogate escapes."""
        node = self.take(key) if default is not None else self.need(key)
        return cast(str, default) if node is None else self.as_text(node, key)

    def text_or_none(self, key: str) -> str | None:
        """Take text that may be missing."""
        node = self.take(key)
        return None if node is None else self.as_text(node, key)

    def value(self, key: str) -> str | bytes | None:
        """Take text that stays bytes where it isn't UTF-8."""
        node = self.take(key)
        return None if node is None else self.as_value(node, key)

    def number(self, key: str, least: int, most: int, default: int | None = None) -> int:
        """Take a whole number within limits."""
        node = self.take(key) if default is not None else self.need(key)
        if node is None:
            return cast(int, default)
        if not isinstance(node.value, int) or isinstance(node.value, bool):
            raise FormatError(node.line, f"{self._of(key)} is {_kind(node.value)}, not a whole number")
        if not least <= node.value <= most:
            raise FormatError(node.line, f"{self._of(key)} must lie between {least} and {most}")
        return node.value

    def flag(self, key: str, *, default: bool) -> bool:
        """Take true or false."""
        node = self.take(key)
        if node is None:
            return default
        if not isinstance(node.value, bool):
            raise FormatError(node.line, f"{self._of(key)} is {_kind(node.value)}, not true or false")
        return node.value

    def choice(self, key: str, among: tuple[str, ...], default: str | None = None) -> Any:
        """Take one word of a closed list."""
        node = self.take(key) if default is not None else self.need(key)
        if node is None:
            return default
        if node.value not in among:
            raise FormatError(node.line, f"{self._of(key)} must be one of {', '.join(among)}")
        return node.value

    def items(self, key: str, most: int, read: Callable[[Node, str], T]) -> tuple[T, ...]:
        """Take a list, each item by `read`; a missing one is empty."""
        node = self.take(key)
        if node is None:
            return ()
        if not isinstance(node.value, list):
            raise FormatError(node.line, f"{self._of(key)} is {_kind(node.value)}, not a list")
        if len(node.value) > most:
            raise FormatError(node.line, f"{self._of(key)} has more than {most} items")
        return tuple(read(item, key) for item in node.value)

    def body(self, key: str) -> str | bytes | Sidecar | None:
        """Take text, or the name and size of the file beside the cassette that holds it."""
        node = self.take(key)
        if node is None or not isinstance(node.value, dict):
            return None if node is None else self.as_value(node, key)
        fields = Fields(node, self._of(key), self.limits)
        name = fields.text("file")
        if SIDECAR_NAME.fullmatch(name) is None:
            raise FormatError(
                node.line, f"{self._of(key)} names the file {name[:80]!r}; it must be SHA256.bin"
            )
        return Sidecar(name, fields.number("bytes", 0, self.limits.sidecar_bytes))

    def as_text(self, node: Node, key: str) -> str:
        """Read a node as text; bytes become surrogate escapes."""
        value = self.as_value(node, key)
        return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value

    def as_value(self, node: Node, key: str) -> str | bytes:
        """Read a node as text or bytes."""
        if not isinstance(node.value, str | bytes):
            raise FormatError(
                node.line, f"{self._of(key)} is {_kind(node.value)}, not text; put it in quotes"
            )
        return node.value

    def _of(self, key: str) -> str:
        return f"{self.what}.{key}"


def _kind(value: object) -> str:
    if value is None:
        return "empty"
    names = {dict: "a mapping", list: "a list", str: "text", bytes: "binary", bool: "true or false"}
    return names.get(type(value), "a number")

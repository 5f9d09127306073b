"""YAML from a stranger, read strictly: plain values with the line each stands on, and nothing else.

PyYAML only splits the text into events here, so that its C and its Python loader give the same, and no tag,
alias or depth of nesting ever reaches a constructor.
"""

import base64
import binascii
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, cast

import yaml
from yaml.constructor import SafeConstructor
from yaml.events import (
    AliasEvent,
    CollectionStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)
from yaml.resolver import Resolver

from agy_cassettes.limits import LIMITS, Limits

HAS_LIBYAML: Final[bool] = yaml.__with_libyaml__
Parser = Callable[[str], Any]
PARSER: Final[Parser] = yaml.CSafeLoader if HAS_LIBYAML else yaml.SafeLoader

_TAG = "tag:yaml.org,2002:"
_BINARY = _TAG + "binary"
_CONSTRUCTOR = SafeConstructor()
_RESOLVER = Resolver()
_CONSTANTS = {"null": None, "~": None, "": None, "true": True, "false": False}


class FormatError(Exception):
    """What is wrong with a cassette's text, and on which line (1 is the first)."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what}")
        self.line = line
        self.what = what


class Node(NamedTuple):
    """A value and its line: `dict` of nodes, `list` of nodes, text, bytes, a number, a boolean or None."""

    value: Any
    line: int


def plain(node: Node) -> Any:
    """Give the value without lines."""
    if isinstance(node.value, dict):
        return {name: plain(item) for name, item in node.value.items()}
    if isinstance(node.value, list):
        return [plain(item) for item in node.value]
    return node.value


def read_node(data: bytes, first_line: int, limits: Limits = LIMITS, parser: Parser = PARSER) -> Node:
    """Read one YAML document that begins at `first_line` of its file; raises `FormatError`."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(first_line + data.count(b"\n", 0, error.start), "text that is not UTF-8") from None
    try:
        loader = parser(text)
        try:
            return _Builder(loader.get_event, first_line, limits).document()
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = first_line + (mark.line if mark else 0)
        raise FormatError(line, f"no valid YAML: {error.problem or error.context}") from None
    except yaml.reader.ReaderError as error:
        line = first_line + text.count("\n", 0, error.position)
        raise FormatError(line, "a character that YAML does not allow") from None


class _Builder:
    def __init__(self, events: Callable[[], Event], first_line: int, limits: Limits) -> None:
        self.events = events
        self.first_line = first_line
        self.limits = limits
        self.nodes = 0

    def document(self) -> Node:
        self.events()
        if isinstance(self.events(), StreamEndEvent):
            return Node(None, self.first_line)
        node = self.node(self.events(), 0)
        self.events()
        after = self.events()
        if not isinstance(after, StreamEndEvent):
            raise FormatError(self.line(after), "a second YAML document; a cassette is one")
        return node

    def line(self, event: Event) -> int:
        return self.first_line + (event.start_mark.line if event.start_mark else 0)

    def node(self, event: Event, depth: int) -> Node:
        line = self.line(event)
        self.nodes += 1
        if self.nodes > self.limits.nodes:
            raise FormatError(line, f"more than {self.limits.nodes} values in one record")
        if depth > self.limits.depth:
            raise FormatError(line, f"nested deeper than {self.limits.depth} levels")
        if isinstance(event, AliasEvent) or cast(NodeEvent, event).anchor is not None:
            raise FormatError(
                line, f"the anchor or alias {cast(NodeEvent, event).anchor!r}; a cassette has none"
            )
        if isinstance(event, ScalarEvent):
            return Node(self.scalar(event), line)
        if cast(CollectionStartEvent, event).tag is not None:
            raise FormatError(
                line, f"the tag {_shown(cast(CollectionStartEvent, event).tag)}; only !!binary is read"
            )
        if isinstance(event, SequenceStartEvent):
            return Node(self.sequence(depth), line)
        assert isinstance(event, MappingStartEvent)
        return Node(self.mapping(depth), line)

    def sequence(self, depth: int) -> list[Node]:
        items = []
        while not isinstance(event := self.events(), SequenceEndEvent):
            items.append(self.node(event, depth + 1))
        return items

    def mapping(self, depth: int) -> dict[str | bytes, Node]:
        items: dict[str | bytes, Node] = {}
        while not isinstance(event := self.events(), MappingEndEvent):
            name = self.key(event)
            if name in items:
                raise FormatError(
                    self.line(event), f"the key {_shown(name)} twice; was the file merged line by line?"
                )
            items[name] = self.node(self.events(), depth + 1)
        return items

    def key(self, event: Event) -> str | bytes:
        if not isinstance(event, ScalarEvent) or event.anchor is not None:
            raise FormatError(self.line(event), "a key that is no text")
        if event.tag == _BINARY:
            return self.binary(event)
        if event.tag is not None or (event.implicit[0] and event.value == "<<"):
            raise FormatError(
                self.line(event), f"the key {_shown(event.tag or event.value)}; a key is plain text"
            )
        return event.value

    def scalar(self, event: ScalarEvent) -> Any:
        if event.tag == _BINARY:
            return self.binary(event)
        if event.tag not in {None, "!", _TAG + "str"}:
            raise FormatError(self.line(event), f"the tag {_shown(event.tag)}; only !!binary is read")
        if event.tag is None and event.implicit[0]:
            return self.bare(event)
        return event.value

    def bare(self, event: ScalarEvent) -> Any:
        text: str = event.value
        if text in _CONSTANTS:
            return _CONSTANTS[text]
        tag = _tag_of(text)
        build = _BUILDERS.get(tag)
        if build is None:
            return text
        if len(text) > self.limits.digits:
            raise FormatError(self.line(event), f"a number of {len(text)} digits")
        try:
            return build(_CONSTRUCTOR, yaml.ScalarNode(tag, text))
        except (ValueError, OverflowError):
            raise FormatError(self.line(event), f"{_shown(text)} can't be read as a number") from None

    def binary(self, event: ScalarEvent) -> bytes:
        try:
            return base64.b64decode("".join(event.value.split()), validate=True)
        except (binascii.Error, ValueError):
            raise FormatError(self.line(event), "!!binary that is no base64") from None


_BUILDERS: Mapping[str, Callable[[SafeConstructor, yaml.ScalarNode], Any]] = {
    _TAG + "int": SafeConstructor.construct_yaml_int,
    _TAG + "float": SafeConstructor.construct_yaml_float,
    _TAG + "bool": SafeConstructor.construct_yaml_bool,
}


def _tag_of(text: str) -> str:
    # The stubs leave this method untyped.
    return cast(str, _RESOLVER.resolve(yaml.ScalarNode, text, (True, False)))  # type: ignore[no-untyped-call]


def _shown(text: object) -> str:
    shown = str(text)
    return repr(shown if len(shown) <= 60 else f"{shown[:60]}…")

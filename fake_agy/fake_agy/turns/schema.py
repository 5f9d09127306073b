"""``--json-schema``: what counts as a schema, and a value that fits it (contract.md 3.3)."""

from __future__ import annotations

from fake_agy.go.digest import number_of
from fake_agy.go.json import read_json
from fake_agy.turns.ending import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, NamedTuple

    from fake_agy.profile.resolve import Profile
else:
    from fake_agy.record import NamedTuple

TYPES = ("object", "array", "string", "number", "integer", "boolean", "null")
DEEPEST = 12
"""Levels of references that are followed before a value is left empty."""

_WORDS = ("alder", "birch", "cedar", "elm", "hazel", "larch", "maple", "rowan")


class Schema(NamedTuple):
    """A schema that was taken."""

    value: Mapping[str, Any]


def load_schema(text: str, profile: Profile, read_file: Callable[[str], str | None]) -> Schema | Ending:
    """Take the flag's value: a schema inline, or the path of one; by version a bare type or any text.

    `read_file` gives a file's text, None where there is none.
    """
    stripped = text.strip()
    if not stripped.startswith(("{", "[")):
        kept = read_file(text)
        if kept is not None:
            stripped = kept.strip()
    strict = profile["schema-root"] == "object"
    try:
        value = read_json(stripped)
    except ValueError as wrong:
        if strict or stripped.startswith(("{", "[")):
            return _refused(f"--json-schema is neither JSON nor a file that can be read: {wrong}")
        return Schema({"type": stripped if stripped in TYPES else "string"})
    if isinstance(value, dict) and (not strict or value.get("type") == "object"):
        return Schema(value)
    if strict:
        return _refused('--json-schema must be a schema whose root has "type":"object"')
    return Schema({"type": value if value in TYPES else "string"} if isinstance(value, str) else {})


def structured(schema: Schema, seed: int, prompt: str) -> Any:
    """Make a value that fits the schema, drawn from the seed and the prompt."""
    return _value(schema.value, schema.value, (str(seed), prompt), 0)


def _refused(text: str) -> Ending:
    return Ending(1, "ERROR", text, err=f"Error: {text}\n")


def _value(schema: Any, root: Mapping[str, Any], drawn: tuple[str, ...], depth: int) -> Any:
    if not isinstance(schema, dict):
        return {} if depth == 0 else None
    if "const" in schema:
        return schema["const"]
    if isinstance(schema.get("enum"), list) and schema["enum"]:
        return schema["enum"][number_of(len(schema["enum"]), *drawn)]
    if "$ref" in schema:
        return _value(_referred(schema["$ref"], root), root, drawn, depth + 1) if depth < DEEPEST else None
    for key in ("oneOf", "anyOf", "allOf"):
        if isinstance(schema.get(key), list) and schema[key]:
            return _chosen(key, schema, root, drawn, depth)
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((each for each in kind if each != "null"), "null")
    return _of_type(kind or _implied(schema), schema, root, drawn, depth)


def _chosen(key: str, schema: Any, root: Mapping[str, Any], drawn: tuple[str, ...], depth: int) -> Any:
    rest = {name: value for name, value in schema.items() if name != key}
    options = [each for each in schema[key] if isinstance(each, dict)]
    if key != "allOf":
        options = options[:1]
    for option in options:
        for name, value in option.items():
            both = isinstance(rest.get(name), dict) and isinstance(value, dict)
            rest[name] = {**rest[name], **value} if both else value
    return _value(rest, root, drawn, depth + 1) if depth < DEEPEST else None


def _implied(schema: Mapping[str, Any]) -> str:
    return "object" if "properties" in schema or not schema else "array" if "items" in schema else "string"


def _of_type(kind: str, schema: Any, root: Mapping[str, Any], drawn: tuple[str, ...], depth: int) -> Any:
    if kind == "object":
        properties = schema.get("properties")
        properties = properties if isinstance(properties, dict) else {}
        required = schema.get("required")
        required = required if isinstance(required, list) else []
        names = [*properties, *(name for name in required if name not in properties)]
        if depth >= DEEPEST:
            names = [name for name in names if name in required]
        return {
            name: _value(properties.get(name, {"type": "string"}), root, (*drawn, str(name)), depth + 1)
            for name in names
        }
    if kind == "array":
        least = schema.get("minItems")
        count = max(least if isinstance(least, int) else 0, 0 if depth >= DEEPEST else 1)
        item = schema.get("items", {"type": "string"})
        return [_value(item, root, (*drawn, str(number)), depth + 1) for number in range(min(count, 100))]
    if kind in {"integer", "number"}:
        return _number(schema, drawn)
    if kind == "boolean":
        return True
    if kind == "null":
        return None
    return _text(schema, drawn)


def _number(schema: Mapping[str, Any], drawn: tuple[str, ...]) -> int | float:
    low, high = schema.get("minimum"), schema.get("maximum")
    if isinstance(schema.get("exclusiveMinimum"), (int, float)):
        low = schema["exclusiveMinimum"] + 1
    step = schema.get("multipleOf")
    if isinstance(low, (int, float)):
        value: int | float = low
    elif isinstance(high, (int, float)):
        value = high
    else:
        value = 1 + number_of(9, *drawn)
    if isinstance(step, int) and step > 0:
        value = -(-value // step) * step
    return value


def _text(schema: Mapping[str, Any], drawn: tuple[str, ...]) -> str:
    word = _WORDS[number_of(len(_WORDS), *drawn)]
    least, most = schema.get("minLength"), schema.get("maxLength")
    if isinstance(least, int) and len(word) < least:
        word = (word * (least // len(word) + 1))[:least]
    return word[:most] if isinstance(most, int) else word


def _referred(pointer: Any, root: Mapping[str, Any]) -> Any:
    """Follow a reference within the schema; one that leads nowhere allows anything."""
    found: Any = root
    for part in str(pointer).removeprefix("#").split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}

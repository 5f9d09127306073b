import math

import pytest
import yaml

from agy_cassettes.limits import Limits
from agy_cassettes.node import FormatError, Parser, plain, read_node

PARSERS = [yaml.CSafeLoader, yaml.SafeLoader]
both = pytest.mark.parametrize("parser", PARSERS)


@both
def test_values_are_those_of_safe_load(parser: Parser) -> None:
    text = b"""
a: [1, -2, 0x1F, 017, 1_000, 1:30, 1.5, .inf, -.inf, true, no, ~, null, "12", '12', !!str 12]
b: {c: plain text, d: !!binary "/w==", "e f": [], g: {}}
c: |
  literal
d:
"""
    assert plain(read_node(text, 1, parser=parser)) == yaml.safe_load(text)


@both
def test_a_date_stays_text(parser: Parser) -> None:
    assert read_node(b"2026-12-01", 1, parser=parser).value == "2026-12-01"


@both
def test_each_value_knows_its_line(parser: Parser) -> None:
    node = read_node(b"a: 1\nb:\n- x\n- {c: 2}\n", 40, parser=parser)
    assert node.value["a"].line == 40
    assert [item.line for item in node.value["b"].value] == [42, 43]


@both
@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        (b"a: &x 1\nb: *x\n", 1, "anchor or alias 'x'"),
        (b"a: 1\nb: *x\n", 2, "anchor or alias 'x'"),
        (b"a: &x []\n", 1, "anchor or alias"),
        (b"&x a: 1\n", 1, "a key"),
        (b"a: !!python/object/apply:os.system ['id']\n", 1, "python/object/apply:os.system"),
        (b"a: !!python/name:os.system\n", 1, "tag"),
        (b"a: !!set {b}\n", 1, "tag"),
        (b"a: !own 1\n", 1, "tag '!own'"),
        (b"!!str a: 1\n", 1, "key"),
        (b"a: 1\n<<: {b: 1}\n", 2, "'<<'"),
        (b"? [a]\n: 1\n", 1, "key that is no text"),
        (b"a: 1\nb: 2\na: 3\n", 3, "'a' twice"),
        (b"a: {b: 1, b: 2}\n", 1, "'b' twice"),
        (b"a: !!binary '%%%'\n", 1, "no base64"),
        (b"a: 1\n---\nb: 1\n", 2, "second YAML document"),
        (b"a: [\n", 2, "no valid YAML"),
        (b"a: b: c\n", 1, "no valid YAML"),
        (b"a: '\n", 2, "no valid YAML"),
        (b"%YAML 9.9\n--- 1\n", 1, "no valid YAML"),
        (b"a: 1\nb: \x07\n", 2, "character"),
        (b"a: 1\nb: \xff\n", 2, "not UTF-8"),
        (b"a: " + b"9" * 5000, 1, "number of 5000 digits"),
        (b"a: 0b" + b"_" * 3, 1, "read as a number"),
        (b"a: " + b"[" * 30, 1, "nested deeper than 24"),
        (b"a: " + b"[" * 100_000, 1, "nest"),
        (b"a: " + b"{b: " * 30, 1, "nested deeper than 24"),
    ],
)
def test_what_a_cassette_may_not_hold_is_one_fault_with_its_line(
    parser: Parser, text: bytes, line: int, what: str
) -> None:
    with pytest.raises(FormatError) as caught:
        read_node(text, 1, parser=parser)
    assert what in caught.value.what
    # Where the text ends too early the two loaders name the last line or the one after it.
    assert caught.value.line in ({line, line - 1} if "valid YAML" in what else {line})


@both
def test_a_document_of_too_many_values_is_left_at_the_limit(parser: Parser) -> None:
    with pytest.raises(FormatError, match="more than 9 values"):
        read_node(b"[" + b"1," * 50 + b"]", 1, Limits(nodes=9), parser)


@both
def test_nothing_is_null(parser: Parser) -> None:
    assert read_node(b"# a comment\n", 3, parser=parser).value is None


@both
def test_not_a_number_is_one(parser: Parser) -> None:
    assert math.isnan(read_node(b".nan", 1, parser=parser).value)

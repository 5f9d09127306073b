import pytest
import yaml

from agy_cassettes.scalars import body, canonical, flow, key

LITERAL = (
    "plain\n",
    "no final newline",
    "two at the end\n\n",
    "trailing spaces   \nnext\n",
    "a\n   \nb\n",
    "\nblank first line\n",
    "\n\n  deep\n",
    "  starts with blanks\n",
    "---\n...\n# x\n- a: b\n%YAML 1.1\n",
    "\u200fright to left, \ue000, \ufffd, \U0001f600\n",
    "back\\slash \"quotes\" 'single'\n",
    "tab\tinside\n\tand first on a later line\n",
)
QUOTED = (
    "",
    "\n",
    "\n\n",
    "   ",
    "a\n   ",
    "\tfirst\n",
    "\n\tfirst after a blank line\n",
    " \tfirst\n",
    "CRLF\r\nCRLF\r\n",
    "10%\r50%\r100%\n",
    "\x1b[31mred\x1b[0m\n  indented\n\n",
    "NUL \0 BEL \a DEL \x7f\n",
    "NEL \x85 LS \u2028 PS \u2029 C1 \x80\n",
    "\ufeffBOM\n",
    "\ufffe\uffff",
)


@pytest.mark.parametrize("loader", [yaml.SafeLoader, yaml.CSafeLoader])
@pytest.mark.parametrize("text", LITERAL + QUOTED)
def test_a_body_reads_back_exactly(text: str, loader: type[yaml.SafeLoader]) -> None:
    document = f"- a:\n    body:{body(text, 6)}    next: 1\n"
    assert yaml.load(document, Loader=loader) == [{"a": {"body": text, "next": 1}}]


@pytest.mark.parametrize("text", LITERAL)
def test_a_body_that_can_be_a_literal_block_is_one(text: str) -> None:
    assert body(text, 6).startswith(" |")


@pytest.mark.parametrize("text", QUOTED)
def test_any_other_text_is_quoted_with_a_source_line_per_line(text: str) -> None:
    written = body(text, 6)
    assert written.startswith(' "')
    assert written.count("\n") == max(1, len(text.removesuffix("\n").split("\n")))


def test_lines_of_a_body_are_indented_deeper_than_any_mark() -> None:
    for text in LITERAL + QUOTED:
        for line in body(f'{text}- id: "x"\n  end: "x"\n', 6).splitlines()[1:]:
            assert line == "" or line.startswith("      ")


def test_bytes_that_are_not_utf8_are_base64_of_76_columns() -> None:
    data = bytes(range(256))
    written = body(data, 6)
    assert yaml.safe_load(f"- body:{written}") == [{"body": data}]
    assert {len(line) for line in written.splitlines()[1:-1]} == {6 + 76}


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, "null"),
        (True, "true"),
        (-7, "-7"),
        (1e22, "1.0e+22"),
        (1.5, "1.5"),
        (float("inf"), ".inf"),
        (["a", b"\xff"], '["a", !!binary "/w=="]'),
        ({"TERM": "dumb", "no": 1, "a b": []}, '{TERM: "dumb", "no": 1, "a b": []}'),
    ],
)
def test_a_value_in_flow_style(value: object, written: str) -> None:
    assert flow(value, 4) == written
    assert yaml.safe_load(written) == value


def test_not_a_number_is_written_as_yaml_has_it() -> None:
    assert flow(float("nan"), 4) == ".nan"


def test_what_yaml_has_no_form_for_is_refused() -> None:
    with pytest.raises(ValueError, match="can't hold a object"):
        flow(object(), 4)


def test_a_key_too_long_for_a_simple_one_is_marked() -> None:
    name = "k" * 2000
    assert yaml.safe_load("{" + key(name) + " 1}") == {name: 1}
    assert yaml.safe_load("  " + key(name, "\n  ") + " 1\n") == {name: 1}


def test_text_is_text_where_it_is_utf8_and_bytes_where_not() -> None:
    assert canonical(b"caf\xc3\xa9") == "café"
    assert canonical("caf\udce9") == b"caf\xe9"

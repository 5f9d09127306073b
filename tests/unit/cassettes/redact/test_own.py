from pathlib import Path

import pytest

from agy_cassettes.errors import UserError
from agy_cassettes.redact.own import load_redactors
from agy_cassettes.redact.redactor import Redactor


def loaded(tmp_path: Path, source: str) -> Redactor:
    path = tmp_path / "mine.py"
    path.write_text(source)
    return Redactor(own=load_redactors(path))


def test_patterns_and_functions_find_what_is_theirs_in_every_spelling(tmp_path: Path) -> None:
    redactor = loaded(
        tmp_path,
        "import re\n"
        "redactors = {\n"
        "    'badge': re.compile(r'EMP-\\d+'),\n"
        "    'raw': re.compile(rb'\\xff+'),\n"
        "    'project-name': lambda text: ['Blue Heron'] if 'Heron' in text else [],\n"
        "}\n",
    )
    assert redactor.redact_bytes(b'EMP-12 \xff\xff Blue Heron "Blue\\u0020Heron" Heron a@b.co') == (
        b'REDACTED-badge-0 REDACTED-raw-0 REDACTED-project-name-0 "REDACTED-project-name-0" Heron'
        b" REDACTED-email-0"
    )


def test_an_own_redactor_gives_the_class_where_a_rule_finds_the_same(tmp_path: Path) -> None:
    redactor = loaded(tmp_path, "redactors = {'staff': lambda text: [w for w in text.split() if '@' in w]}")
    assert redactor.redact_text("to a@b.co") == "to REDACTED-staff-0"


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("x = 1", "has no redactors"),
        ("redactors = []", "has no redactors"),
        ("redactors = {'a b': str}", "'a b'"),
        ("redactors = {'2': str}", "'2'"),
        ("redactors = {'a': 3}", "neither a function"),
        ("import nothing_of_this_name", "don't load: ModuleNotFoundError"),
        ("redactors = {", "don't load: SyntaxError"),
        ("import sys; sys.exit(0)", "don't load: SystemExit: 0$"),
        ("raise ValueError('boom\\nx')", "don't load: ValueError: boom x$"),
    ],
)
def test_a_file_that_is_no_list_of_redactors_is_refused(tmp_path: Path, source: str, told: str) -> None:
    with pytest.raises(UserError, match=rf"mine\.py: .*{told}"):
        loaded(tmp_path, source)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"none\.py: can't read the redactors"):
        load_redactors(tmp_path / "none.py")


@pytest.mark.parametrize("body", ["1 / 0", "exit(0)"])
def test_a_redactor_that_fails_is_named_without_the_text(tmp_path: Path, body: str) -> None:
    source = f"redactors = {{'bad': lambda text: {body} if 'secret' in text else []}}"
    redactor = loaded(tmp_path, source)
    with pytest.raises(UserError, match=r"mine\.py: redactor 'bad' failed: \w+$"):
        redactor.redact_text("secret text")


def test_a_redactor_that_always_fails_is_refused_before_anything_is_recorded(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"mine\.py: redactor 'bad' failed: ZeroDivisionError$"):
        loaded(tmp_path, "redactors = {'bad': lambda text: 1 / 0}")


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("5", "gave 'int'"),
        ("None", "gave None"),
        ("text", "gave 'str'"),
        ("b'hello'", "gave 'bytes'"),
        ("[4]", "gave a list with 'int' in it"),
        ("[None]", "gave a list with None in it"),
        ("__import__('re').finditer('ord', text)", "gave a list with 'Match' in it"),
    ],
)
def test_what_a_redactor_gives_is_checked_before_anything_is_recorded_and_later(
    tmp_path: Path, body: str, told: str
) -> None:
    match = rf"mine\.py: redactor 'bad' {told}; it must give a list of texts$"
    with pytest.raises(UserError, match=match):
        loaded(tmp_path, f"redactors = {{'bad': lambda text: {body}}}")
    late = loaded(tmp_path, f"redactors = {{'bad': lambda text: {body} if 'ordeal' in text else []}}")
    with pytest.raises(UserError, match=match):
        late.redact_text("an ordeal")


@pytest.mark.parametrize(
    "look", ["re.compile('hello')", "re.compile(b'hello')", "lambda t: ['hello']", "lambda t: {b'hello'}"]
)
def test_patterns_and_secrets_may_be_text_or_bytes(tmp_path: Path, look: str) -> None:
    redactor = loaded(tmp_path, f"import re\nredactors = {{'word': {look}}}")
    assert redactor.redact_text("say hello, h\u00e9llo") == "say REDACTED-word-0, h\u00e9llo"


def test_a_generator_and_an_empty_match_are_fine(tmp_path: Path) -> None:
    source = "import re\nredactors = {'word': lambda t: iter(['x1']), 'no': re.compile('')}"
    assert loaded(tmp_path, source).redact_text("a x1 b") == "a REDACTED-word-0 b"

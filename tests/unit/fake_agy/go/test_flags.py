from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_agy.go.flags import BadFlag, Given, Parsed, parse_flags

if TYPE_CHECKING:
    from fake_agy.go.flags import Kind

KINDS: "dict[str, Kind]" = {"print": "text", "p": "text", "sandbox": "bool", "limit": "duration"}


@pytest.mark.parametrize(
    ("argv", "given_flags", "rest"),
    [
        ([], [], []),
        (["-p", "hi"], [("p", "hi", False)], []),
        (["--p=hi"], [("p", "hi", True)], []),
        (["--print=a=b"], [("print", "a=b", True)], []),
        (["-p="], [("p", "", True)], []),
        (["-p", "--"], [("p", "--", False)], []),
        (["-p", "--sandbox"], [("p", "--sandbox", False)], []),
        (["--sandbox", "false"], [("sandbox", "true", True)], ["false"]),
        (["--sandbox=F", "x", "--sandbox"], [("sandbox", "F", True)], ["x", "--sandbox"]),
        (["--", "-p"], [], ["-p"]),
        (["-", "-p"], [], ["-", "-p"]),
        (["--limit", "5m0s"], [("limit", "5m0s", False)], []),
    ],
)
def test_words_are_taken_apart(
    argv: list[str], given_flags: list[tuple[str, str, bool]], rest: list[str]
) -> None:
    assert parse_flags(argv, KINDS) == Parsed(tuple(Given(*each) for each in given_flags), tuple(rest))


@pytest.mark.parametrize("argv", [["-h"], ["--help"], ["-help"], ["--sandbox", "-h", "--bogus"]])
def test_help_ends_the_parsing(argv: list[str]) -> None:
    assert parse_flags(argv, KINDS).help_asked


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--bogus"], "flags provided but not defined: -bogus"),
        (["--bogus=1", "-h"], "flags provided but not defined: -bogus"),
        (["---p", "x"], "bad flag syntax: ---p"),
        (["--=x"], "bad flag syntax: --=x"),
        (["--print"], "flag needs an argument: -print"),
        (["--sandbox", "-p"], "flag needs an argument: -p"),
        (
            ["--sandbox=bogus"],
            'invalid boolean value "bogus" for  -sandbox: strconv.ParseBool: parsing "bogus": invalid syntax',
        ),
        (["--limit", "banana"], 'invalid value "banana" for flag -limit: time: invalid duration "banana"'),
    ],
)
def test_what_can_not_be_read_is_refused_in_gos_words(argv: list[str], message: str) -> None:
    with pytest.raises(BadFlag) as refused:
        parse_flags(argv, KINDS)
    assert str(refused.value) == message


@given(
    st.lists(st.sampled_from(["-p", "--sandbox", "--sandbox=x", "-h", "--", "-", "x", "--limit", "0", ""]))
)
def test_every_word_is_a_flag_or_left_over(argv: list[str]) -> None:
    try:
        parsed = parse_flags(argv, KINDS)
    except BadFlag:
        return
    assert parsed.rest == tuple(argv[len(argv) - len(parsed.rest) :])

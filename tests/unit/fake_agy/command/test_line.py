import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_agy.command.line import Refused, parse_command_line
from fake_agy.profile.resolve import profile_of
from fake_agy.turns.ending import Ending

NOW = profile_of((1, 3, 3))


@pytest.mark.parametrize(
    "argv",
    [
        ["-p", "hi"],
        ["--p", "hi"],
        ["-p=hi"],
        ["-print", "hi"],
        ["--print", "hi"],
        ["--print=hi"],
        ["-prompt", "hi"],
        ["--prompt=hi"],
        ["--prompt", "one", "-p", "hi"],
        ["--sandbox", "-p", "hi", "-c"],
        ["--print-timeout", "5m0s", "--model=x", "-p", "hi", "--dangerously-skip-permissions=true"],
    ],
)
def test_every_spelling_of_the_prompt_flag_gives_the_prompt(argv: list[str]) -> None:
    assert parse_command_line(argv, NOW).last("print") == "hi"


@pytest.mark.parametrize(
    ("argv", "prompt"),
    [
        (["--print=-x"], "-x"),
        (["-p", "-x"], "-x"),
        (["-p", "- one\n- two"], "- one\n- two"),
        (["-p", "--"], "--"),
        (["-p="], ""),
        (["-p", ""], ""),
        (["--print=a=b"], "a=b"),
    ],
)
def test_a_prompt_may_look_odd(argv: list[str], prompt: str) -> None:
    assert parse_command_line(argv, NOW).last("print") == prompt


def test_parsing_stops_at_the_first_word_that_is_no_flag() -> None:
    line = parse_command_line(["-c", "models", "--sandbox"], NOW)
    assert line.on("continue")
    assert line.rest == ("models", "--sandbox")


def test_two_dashes_end_the_flags() -> None:
    assert parse_command_line(["--", "-c"], profile_of((1, 1, 17))).rest == ("-c",)


def test_a_boolean_takes_its_value_only_with_an_equals_sign() -> None:
    assert not parse_command_line(["--sandbox=false"], NOW).on("sandbox")
    assert parse_command_line(["--sandbox", "false"], profile_of((1, 1, 17))).rest == ("false",)


def test_add_dir_repeats() -> None:
    line = parse_command_line(["--add-dir", "/a", "--add-dir=/b", "-add-dir", "/c"], NOW)
    assert line.values["add-dir"] == ("/a", "/b", "/c")


@pytest.mark.parametrize("argv", [["-h"], ["--help"], ["-help"], ["-c", "-h", "--bogus"]])
def test_help_ends_the_parsing(argv: list[str]) -> None:
    assert parse_command_line(argv, NOW).help_asked


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--bogus"], "flags provided but not defined: -bogus"),
        (["-m", "x"], "flags provided but not defined: -m"),
        (["--bogus=1", "-h"], "flags provided but not defined: -bogus"),
        (["---p", "x"], "bad flag syntax: ---p"),
        (["--=x"], "bad flag syntax: --=x"),
        (["--print"], "flag needs an argument: -print"),
        (["-c", "-p"], "flag needs an argument: -p"),
        (["--conversation"], "flag needs an argument: -conversation"),
        (
            ["--sandbox=bogus"],
            'invalid boolean value "bogus" for  -sandbox: strconv.ParseBool: parsing "bogus": invalid syntax',
        ),
        (
            ["--print-timeout", "banana"],
            'invalid value "banana" for flag -print-timeout: time: invalid duration "banana"',
        ),
    ],
)
def test_a_wrong_command_line_is_refused_in_agys_words(argv: list[str], message: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_command_line(argv, NOW)
    ending = refused.value.ending
    assert (ending.exit, ending.err.partition("\n")[0]) == (2, message)
    assert "\nUsage of agy:\n" in ending.err


@pytest.mark.parametrize("value", ["0", "24h", "5m0s", "1.5h", ".5s", "-3ms", "885s"])
def test_durations_are_go_durations(value: str) -> None:
    assert parse_command_line(["--print-timeout", value], NOW).last("print-timeout") == value


def test_a_prompt_flag_that_swallowed_a_flag_is_refused_since_1_1_18() -> None:
    with pytest.raises(Refused) as refused:
        parse_command_line(["--print", "--output-format", "json", "hi"], profile_of((1, 1, 18)))
    assert refused.value.ending == Ending(
        2,
        err='Error: --print took "--output-format" as its prompt, so the intended prompt was left as an '
        "argument and ignored.\nAttach the prompt to the flag (--print='your prompt') and move "
        "--output-format elsewhere on the command line.\n",
    )


def test_a_prompt_flag_that_swallowed_a_flag_went_through_before() -> None:
    line = parse_command_line(["--print", "--sandbox", "hi"], profile_of((1, 1, 17)))
    assert line.last("print") == "--sandbox"
    assert not line.on("sandbox")
    assert line.rest == ("hi",)


def test_a_flag_is_unknown_to_versions_before_it() -> None:
    with pytest.raises(Refused, match="not defined: -output-format"):
        parse_command_line(["--output-format", "json"], profile_of((1, 1, 7)))
    assert (
        parse_command_line(["--output-format", "json"], profile_of((1, 1, 8))).last("output-format") == "json"
    )


@pytest.mark.parametrize("argv", [["-p", "hi", "stray"], ["-p=hi", "models"]])
def test_a_word_beside_a_prompt_is_refused_since_1_1_18_and_ignored_before(argv: list[str]) -> None:
    with pytest.raises(Refused, match="unexpected argument"):
        parse_command_line(argv, profile_of((1, 1, 18)))
    assert parse_command_line(argv, profile_of((1, 1, 17))).last("print") == "hi"


@pytest.mark.parametrize(
    ("flag", "before", "first"),
    [
        ("--model=x", (1, 0, 4), (1, 0, 5)),
        ("--project=x", (1, 0, 11), (1, 0, 12)),
        ("--new-project", (1, 0, 11), (1, 0, 12)),
        ("--mode=plan", (1, 0, 16), (1, 1, 0)),
        ("--agent=x", (1, 1, 0), (1, 1, 1)),
        ("--effort=low", (1, 1, 4), (1, 1, 5)),
        ("--json-schema={}", (1, 1, 7), (1, 1, 8)),
        ("--disable-slash-commands", (1, 1, 8), (1, 1, 9)),
        ("--input-format=text", (1, 1, 14), (1, 1, 15)),
        ("--remote-control", (1, 1, 18), (1, 1, 19)),
    ],
)
def test_a_flag_is_there_from_its_version_on(
    flag: str, before: tuple[int, int, int], first: tuple[int, int, int]
) -> None:
    with pytest.raises(Refused, match="flags provided but not defined"):
        parse_command_line([flag], profile_of(before))
    assert parse_command_line([flag], profile_of(first)).values


@pytest.mark.parametrize("name", ["acp", "yolo", "resume", "m", "r", "settings", "cwd", "session-id"])
def test_names_that_people_tried_are_no_flags(name: str) -> None:
    with pytest.raises(Refused, match=f"flags provided but not defined: -{name}"):
        parse_command_line([f"--{name}", "x"], NOW)


@given(
    st.lists(st.sampled_from(["-p", "--print=x", "--sandbox", "-c", "models", "x", "--", "", "-h", "--mode"]))
)
def test_any_words_are_taken_or_refused_with_2(argv: list[str]) -> None:
    ending = None
    try:
        line = parse_command_line(argv, NOW)
    except Refused as refused:
        ending = refused.ending
    if ending is None:
        assert set(line.rest) <= set(argv)
    else:
        assert ending.exit == 2
        assert ending.err.endswith("\n")

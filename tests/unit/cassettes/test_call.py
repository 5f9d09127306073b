import pytest
from hypothesis import given
from hypothesis import strategies as st

from agy_cassettes.call import BOOLEAN_FLAGS, STRING_FLAGS, SUBCOMMANDS, costs_no_turn, identity, parse_call

words = st.lists(
    st.sampled_from(
        [
            *(dashes + flag + tail for flag in (*STRING_FLAGS, *BOOLEAN_FLAGS, "odd")
              for dashes in ("-", "--") for tail in ("", "=", "=x", "=true")),
            *SUBCOMMANDS, "--", "-", "", "---x", "-=", "hi",
        ]
    )
    | st.text(st.characters(), max_size=4),
    max_size=8,
)  # fmt: skip


@pytest.mark.parametrize("flag", ["-p", "--p", "-print", "--print", "-prompt", "--prompt"])
def test_every_spelling_of_the_prompt_flag_is_one(flag: str) -> None:
    apart, joined = parse_call([flag, "hi there"]), parse_call([f"{flag}=hi there"])
    assert (apart.kind, apart.prompt, apart.prompt_at) == ("turn", "hi there", (1, 0))
    assert (joined.kind, joined.prompt, joined.prompt_at) == ("turn", "hi there", (0, len(flag) + 1))


@pytest.mark.parametrize(
    ("argv", "prompt"),
    [
        (["-p", "-starts with a dash"], "-starts with a dash"),
        (["--print=-x"], "-x"),
        (["--print", "--sandbox", "x"], "--sandbox"),
        (["-p", "-"], "-"),
        (["-p", ""], ""),
        (["-p="], ""),
        (["-p=a=b"], "a=b"),
        (["-p", "one", "--print", "two"], "two"),
        (["-p", "\udcff\udcfe"], "\udcff\udcfe"),
        (["-p", "models"], "models"),
    ],
)
def test_the_prompt_is_the_value_of_the_last_prompt_flag(argv: list[str], prompt: str) -> None:
    call = parse_call(argv)
    assert (call.kind, call.prompt, call.prompt_on_stdin) == ("turn", prompt, False)
    assert call.prompt_at is not None
    index, offset = call.prompt_at
    assert argv[index][offset:] == prompt


def test_all_the_fields_of_a_call_are_read() -> None:
    call = parse_call(
        [
            "--conversation",
            "9b1d",
            "-c",
            "--output-format",
            "json",
            "--input-format=text",
            "--model",
            "m",
            "--add-dir",
            "/a",
            "--add-dir=/b",
            "--log-file=/l",
            "--print-timeout",
            "5m0s",
            "--dangerously-skip-permissions",
            "--sandbox=false",
            "-p",
            "hi",
        ]
    )
    assert (call.conversation, call.continue_, call.model) == ("9b1d", True, "m")
    assert (call.output_format, call.input_format) == ("json", "text")
    assert (call.add_dirs, call.print_timeout) == (("/a", "/b"), "5m0s")
    assert (call.log_file, call.log_file_at) == ("/l", (11, 11))
    assert call.flags[-3:] == (
        ("dangerously-skip-permissions", "true"),
        ("sandbox", "false"),
        ("print", "hi"),
    )
    assert (call.rest, call.problems) == ((), ())


@pytest.mark.parametrize(
    ("argv", "kind"),
    [
        (["--version"], "probe"),
        (["-version=true"], "probe"),
        (["--help"], "probe"),
        (["-h"], "probe"),
        (["--version", "-p", "hi"], "probe"),
        (["help"], "probe"),
        (["help", "models"], "probe"),
        (["models"], "probe"),
        (["--output-format", "json", "models"], "probe"),
        (["plugin", "list"], "probe"),
        (["plugins", "list"], "probe"),
        (["changelog"], "probe"),
        (["agents"], "probe"),
        (["mcp", "list"], "probe"),
        (["-p"], "probe"),
        (["--sandbox=bogus", "-p", "hi"], "probe"),
        (["---p", "hi"], "probe"),
        (["plugin", "install", "x"], "other"),
        (["mcp", "add", "x"], "other"),
        (["update"], "other"),
        (["agentapi", "send-message", "a", "b"], "other"),
        (["a prompt for the screen"], "other"),
        (["-i", "hi"], "other"),
        (["--", "x"], "other"),
        (["-"], "other"),
        (["-p", "hi", "models"], "turn"),
        (["-i", "hi", "-p", "hi"], "turn"),
        (["--version=false", "-p", "hi"], "turn"),
        (["--bogus", "-p", "hi"], "turn"),
        ([], "turn"),
        (["--model", "m"], "turn"),
        (["--"], "turn"),
    ],
)
def test_the_kind_of_a_call(argv: list[str], kind: str) -> None:
    assert parse_call(argv).kind == kind


@pytest.mark.parametrize(
    ("argv", "on_stdin", "reads"),
    [
        ([], True, True),
        (["--model", "m", "-c"], True, True),
        (["--input-format", "stream-json", "--output-format", "stream-json"], False, True),
        (["--input-format=stream-json", "-p="], False, True),
        (["-p", "hi"], False, False),
        (["-p", ""], False, False),
        (["-i", "hi"], False, False),
        (["models"], False, False),
        (["--version"], False, False),
        (["text"], False, False),
    ],
)
def test_stdin_is_the_prompt_when_nothing_else_says_what_to_do(
    argv: list[str], on_stdin: bool, reads: bool
) -> None:
    call = parse_call(argv)
    assert (call.prompt_on_stdin, call.reads_stdin) == (on_stdin, reads)


def test_parsing_stops_at_the_first_word_that_is_no_flag() -> None:
    call = parse_call(["-c", "word", "-p", "hi"])
    assert (call.prompt, call.rest, call.kind) == (None, ("word", "-p", "hi"), "other")


@pytest.mark.parametrize(
    ("argv", "problem"),
    [
        (["--bogus", "-p", "x"], ("unknown", "bogus", None)),
        (["--bogus=v", "-p", "x"], ("unknown", "bogus", "v")),
        (["--bogus", "v", "-p", "x"], ("unknown", "bogus", "v")),
        (["-p", "x", "--bogus"], ("unknown", "bogus", None)),
        (["-p", "x", "--model"], ("no_value", "model", None)),
        (["--sandbox=bogus", "-p", "x"], ("bad_boolean", "sandbox", "bogus")),
        (["-p", "x", "---a"], ("bad_syntax", "---a", None)),
        (["-=", "-p", "x"], ("bad_syntax", "-=", None)),
    ],
)
def test_what_agy_would_refuse_is_told_and_the_rest_is_read_all_the_same(
    argv: list[str], problem: tuple[str, str, str | None]
) -> None:
    call = parse_call(argv)
    assert (call.prompt, call.problems) == ("x", (problem,))


def test_an_unknown_flag_does_not_swallow_a_subcommand() -> None:
    assert parse_call(["--bogus", "models"]).rest == ("models",)


@given(words)
def test_no_argv_makes_the_parser_fail_and_no_word_is_lost(argv: list[str]) -> None:
    call = parse_call(argv)
    assert call.rest == tuple(argv[len(argv) - len(call.rest) :])
    for value, where in ((call.prompt, call.prompt_at), (call.log_file, call.log_file_at)):
        assert (value is None) == (where is None)
        if where is not None:
            assert argv[where[0]][where[1] :] == value


@pytest.mark.parametrize(
    ("argv", "code", "free"),
    [
        (["--version"], 0, True),
        (["models"], 1, True),
        (["-p", "hi"], 0, False),
        (["-p", "hi", "--bogus"], 2, True),
        (["-p", "/clear"], 2, True),
        (["-p", "hi"], None, False),
        (["update"], 0, False),
    ],
)
def test_probes_and_refused_calls_cost_no_turn(argv: list[str], code: int | None, free: bool) -> None:
    assert costs_no_turn(parse_call(argv), code) is free


def key(argv: list[str], prompt: bytes | None = b"hi") -> bytes:
    return identity(parse_call(argv), prompt, [word.encode() for word in argv])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["-p", "${PROMPT}"], ["--print=${PROMPT}"]),
        (["-p", "${PROMPT}"], ["--output-format=text", "-p", "${PROMPT}"]),
        (["-p", "${PROMPT}"], ["--model", "m", "--add-dir", "/x", "-p", "${PROMPT}"]),
        (["--conversation", "a", "-p", "${PROMPT}"], ["-p", "${PROMPT}", "--conversation=a"]),
    ],
)
def test_calls_for_the_same_turn_have_one_identity(one: list[str], other: list[str]) -> None:
    assert key(one) == key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["-p", "${PROMPT}"], ["-c", "-p", "${PROMPT}"]),
        (["-p", "${PROMPT}"], ["--conversation", "a", "-p", "${PROMPT}"]),
        (["-p", "${PROMPT}"], ["--output-format", "json", "-p", "${PROMPT}"]),
        (["-p", "${PROMPT}"], ["--bogus", "-p", "${PROMPT}"]),
        (["models"], ["--output-format", "json", "models"]),
        (["--version"], ["models"]),
        (["-p", "${PROMPT}"], ["-i", "${PROMPT}"]),
    ],
)
def test_calls_for_other_things_have_another_identity(one: list[str], other: list[str]) -> None:
    assert key(one) != key(other)


def test_another_prompt_is_another_identity() -> None:
    assert len({key([], prompt) for prompt in (None, b"", b"a", b"-", b"a,")}) == 5

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agy_cassettes.call import parse_call
from agy_cassettes.closest import SHORT_LINES, Miss, Play, closest, full, short
from agy_cassettes.match_on import select
from agy_cassettes.matchers import find_match
from agy_cassettes.request_view import RequestView

DETAILS = "/tmp/agy-proxy-x/misses/3.txt"


def view(argv: str = "-p ${PROMPT}", prompt: str | None = "hi", **fields: Any) -> RequestView:
    words = tuple(argv.split())
    return RequestView(call=parse_call(words), argv=words, prompt=prompt, **fields)


def missed(live: RequestView, recorded: list[RequestView], **fields: Any) -> Miss:
    outcome = find_match(live, recorded, select(), dict.fromkeys(range(len(recorded)), 1))
    return Miss(number=3, live=live, recorded=recorded, outcome=outcome, **fields)


def test_the_closest_are_of_the_same_kind_with_the_fewest_reasons_and_the_likest_prompt() -> None:
    live = view(prompt="what is left to do?")
    recorded = [
        view("--version", None),
        view("-c -p ${PROMPT}", "what is left to do"),
        view(prompt="hello"),
        view(prompt="what is left to be done?"),
        view("--conversation a -p ${PROMPT}", "what is left to do?"),
    ]
    assert closest(missed(live, recorded)) == (4, 3, 2)


def test_those_that_were_used_up_are_closest() -> None:
    assert closest(missed(view(), [view(prompt="ho"), view(), view()]), 2) == (1, 2)


def test_the_whole_report_of_a_miss() -> None:
    live = view("--conversation 9b1d -p ${PROMPT}", "first line\nread the red file")
    recorded = [
        view(
            "--conversation=77aa --model m -p ${PROMPT}",
            "first line\nread the blue file",
            id="01J-4711",
            at="2026-12-01T10:00:00Z",
        ),
        view("models", None, id="01J-4712", free=True),
    ]
    assert full(missed(live, recorded, pid=4713)) == (
        "no recorded call matches call 3 (pid 4713)\n"
        "  asked: agy --conversation 9b1d -p ${PROMPT}\n"
        "  prompt: 28 characters\n"
        "\n"
        "closest of 2 recorded:\n"
        "\n"
        "#1 01J-4711, recorded at 2026-12-01T10:00:00Z: differs in prompt, conversation\n"
        "    prompt: asked 28 characters, recorded 29 characters; they part at character 21, line 2:\n"
        "      asked    first line\\nread the [red] file\n"
        "      recorded first line\\nread the [blue] file\n"
        "    conversation: asked 9b1d, recorded 77aa\n"
        "    argv (- recorded, + asked):\n"
        "      - --conversation=77aa\n"
        "      - --model\n"
        "      - m\n"
        "      + --conversation\n"
        "      + 9b1d\n"
        "        -p\n"
        "        ${PROMPT}\n"
        "\n"
        "#2 01J-4712: differs in kind, argv\n"
        "    kind: asked turn, recorded probe\n"
        "    argv (- recorded, + asked):\n"
        "      - models\n"
        "      + --conversation\n"
        "      + 9b1d\n"
        "      + -p\n"
        "      + ${PROMPT}\n"
        "\n"
        "record the run again, or choose what has to be equal with --match-on\n"
    )


def test_what_was_used_up_says_how_often_by_whom_and_when() -> None:
    plays = {0: [Play(4711, "10:00:01"), Play(4712, "10:00:02")]}
    text = full(missed(view(), [view(id="r1")], plays=plays))
    assert "every recorded call that matches call 3 was played before\n" in text
    assert "#1 r1: matches\n    played 2 times, by pid 4711 at 10:00:01, by pid 4712 at 10:00:02\n" in text
    assert "--allow-repeats" in text


def test_an_empty_cassette_is_said_so() -> None:
    assert "\nnothing is recorded\n" in full(missed(view(), []))


def test_the_short_text_names_the_call_the_details_and_the_fields() -> None:
    live = view("--conversation 9b1d -p ${PROMPT}", "read the red file")
    recorded = [view("--conversation=77aa -p ${PROMPT}", "read the blue file", id="01J-4711")]
    assert short(missed(live, recorded), DETAILS) == (
        f"agy-proxy: no recorded call matches (call 3); details: {DETAILS}\n"
        "  closest: #1 01J-4711\n"
        "  prompt: asked 17 characters, recorded 18 characters; they part at character 10, line 1:\n"
        "    asked    read the [red] file\n"
        "    recorded read the [blue] file\n"
        "  id: asked 9b1d, recorded 77aa\n"
        "  argv - id=77aa\n"
        "  argv + id\n"
        "  argv + 9b1d\n"
    )


def test_the_short_text_of_a_used_up_call_names_who_played_it() -> None:
    text = short(missed(view(), [view(id="r1")], plays={0: [Play(4711, "10:00:01")]}), DETAILS)
    assert text == (
        f"agy-proxy: every recorded call that matches was played before (call 3); details: {DETAILS}\n"
        "  closest: #1 r1; played 1 time, by pid 4711 at 10:00:01\n"
    )


argvs = st.lists(st.sampled_from(["-p", "-c", "--model", "x", "${PROMPT}", "a\nb", "\x1b[1m"]), max_size=30)


@given(
    argvs, st.none() | st.text(max_size=300), st.lists(st.tuples(argvs, st.none() | st.text()), max_size=3)
)
def test_a_report_is_printable_and_the_short_one_has_ten_lines_at_most(
    argv: list[str], prompt: str | None, kept: list[tuple[list[str], str | None]]
) -> None:
    def made(argv: list[str], prompt: str | None) -> RequestView:
        return RequestView(call=parse_call(argv), argv=tuple(argv), prompt=prompt)

    miss = missed(made(argv, prompt), [made(*each) for each in kept])
    if miss.outcome.match != "hit":
        for text in (full(miss), short(miss, DETAILS)):
            assert all(line.isprintable() for line in text.removesuffix("\n").split("\n"))
        assert short(miss, DETAILS).count("\n") <= SHORT_LINES

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agy_cassettes.call import identity, parse_call
from agy_cassettes.errors import UserError
from agy_cassettes.match_on import select
from agy_cassettes.matchers import MATCHERS, Reason, compare, find_match, normalized, same
from agy_cassettes.request_view import RequestView

UUID = "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d"
DEFAULT = select()


def view(argv: str = "-p ${PROMPT}", **fields: Any) -> RequestView:
    words = tuple(argv.split())
    return RequestView(call=parse_call(words), argv=words, **{"prompt": "hi", **fields})


def names(reasons: Sequence[Reason | str]) -> list[str]:
    return [each if isinstance(each, str) else each.what for each in reasons]


# matcher, a request, another; the reasons
DIFFERS: list[tuple[str, RequestView, RequestView, list[str]]] = [
    ("kind", view(), view("--version"), ["kind"]),
    ("kind", view("models"), view("update"), ["kind"]),
    ("kind", view(), view("--bogus -p ${PROMPT}"), ["problems"]),
    ("prompt", view(), view(prompt="ho"), ["prompt"]),
    ("prompt", view(), view(prompt="hi\n"), ["prompt"]),
    ("prompt", view("", prompt=None), view("", prompt="x"), ["prompt"]),
    ("prompt", view("models"), view("help"), ["argv"]),
    ("prompt", view("--version"), view(), ["argv"]),
    ("conversation", view("--conversation a -p x"), view("--conversation b -p x"), ["conversation"]),
    ("conversation", view("--conversation a -p x"), view(), ["conversation"]),
    ("conversation", view("-c -p x"), view(), ["continue"]),
    ("output_format", view("--output-format json -p x"), view(), ["output_format"]),
    ("input_format", view("--input-format stream-json"), view(), ["input_format"]),
    ("argv", view("-p ${PROMPT}"), view("--print=${PROMPT}"), ["argv"]),
    ("argv", view("--model m -p x"), view("-p x --model m"), ["argv"]),
    ("model", view("--model m -p x"), view("--model n -p x"), ["model"]),
    ("model", view("--model m -p x"), view(), ["model"]),
    ("cwd", view(cwd="${CWD}"), view(cwd="${CWD}/x"), ["cwd"]),
    ("add_dirs", view("--add-dir /a --add-dir /b -p x"), view("--add-dir /b -p x"), ["add_dirs"]),
    ("stdin", view(stdin="a"), view(stdin="b"), ["stdin"]),
    ("stdin", view(stdin=None), view(stdin=""), ["stdin"]),
    ("prompt_normalized", view(prompt="at 10:00:00"), view(prompt="in 10:00:00"), ["prompt"]),
    ("prompt_normalized", view(prompt=None), view(prompt="x"), ["prompt"]),
    ("prompt_normalized", view("models"), view("help"), ["argv"]),
    ("turn", view(turn=1), view(turn=2), ["turn"]),
    ("turn", view(turn=None), view(turn=None), ["turn"]),
]

MATCHES: list[tuple[str, RequestView, RequestView]] = [
    ("kind", view(), view("-c --print=x")),
    ("prompt", view(), view("--model m --print=${PROMPT}")),
    ("prompt", view(prompt="key REDACTED-key-1"), view(prompt="key REDACTED-key-7")),
    ("prompt", view("models", prompt=None), view("models", prompt=None)),
    ("conversation", view("--conversation=a -p x"), view("-p x --conversation a")),
    ("conversation", view("models"), view("--conversation a models")),
    ("output_format", view(), view("--output-format text -p x")),
    ("input_format", view(), view("--input-format=text -p x")),
    ("argv", view("--model REDACTED-key-1 -p x"), view("--model REDACTED-key-2 -p x")),
    ("model", view("--model m -p x"), view("-p y --model=m")),
    ("cwd", view(), view()),
    ("add_dirs", view("--add-dir /a -p x"), view("-p x --add-dir=/a")),
    ("stdin", view(stdin="a"), view(stdin="a")),
    (
        "prompt_normalized",
        view(prompt=f"id {UUID} at 10:00:00"),
        view(prompt=f"id {UUID.swapcase()} at 11:22:33"),
    ),
    ("turn", view(turn=2), view("-c -p x", turn=2)),
    ("turn", view("models"), view("models")),
]


@pytest.mark.parametrize(("name", "live", "recorded", "reasons"), DIFFERS)
def test_a_matcher_tells_what_differs(
    name: str, live: RequestView, recorded: RequestView, reasons: list[str]
) -> None:
    assert names(MATCHERS[name](live, recorded)) == reasons
    assert names(MATCHERS[name](recorded, live)) == reasons


@pytest.mark.parametrize(("name", "live", "recorded"), MATCHES)
def test_a_matcher_has_no_reason_where_its_field_is_equal(
    name: str, live: RequestView, recorded: RequestView
) -> None:
    assert list(MATCHERS[name](live, recorded)) == []


def test_each_matcher_is_in_both_tables() -> None:
    assert {name for name, *_ in DIFFERS} == {name for name, *_ in MATCHES} == set(MATCHERS)


def test_a_reason_holds_both_values() -> None:
    assert MATCHERS["conversation"](view("--conversation a -p x"), view()) == [
        Reason("conversation", "a", None)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("REDACTED-key-12", "REDACTED-key-0"),
        ("a REDACTED-access-token-3, b", "a REDACTED-access-token-0, b"),
        ("/home/REDACTED-user-3-old/x", "/home/REDACTED-user-0-old/x"),
        ("REDACTED-key", "REDACTED-key"),
        ("REDACTED-key-1a", "REDACTED-key-1a"),
        ("redacted-key-1", "redacted-key-1"),
    ],
)
def test_the_number_of_a_placeholder_does_not_count(text: str, expected: str) -> None:
    assert same(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"id {UUID}.", "id <uuid>."),
        ("at 2026-12-01T10:00:00.123Z now", "at <time> now"),
        ("on 2026-12-01 at 10:00:00", "on <time> at <time>"),
        ("2026-12-01 10:00:00+02:00", "<time>"),
        ("epoch 1764583200 and 1764583200123", "epoch <time> and <time>"),
        ("commit 5d16df2 of d670460b4b4aece5915caf5c68d12f560a9fe3e4", "commit <hash> of <hash>"),
        ("see /tmp/abc123/file.txt, or ${TMP}/x", "see <path>, or <path>"),
        ("/private/var/folders/x1/y", "<path>"),
        ("defaced facade 1234567 added", "defaced facade 1234567 added"),
        ("version 1.2.10, line 12:3", "version 1.2.10, line 12:3"),
    ],
)
def test_what_changes_from_run_to_run_is_masked(text: str, expected: str) -> None:
    assert normalized(text) == expected


words = st.lists(
    st.sampled_from(
        [
            *("-p", "--print=${PROMPT}", "${PROMPT}", "-c", "--conversation", "a", "--conversation=b"),
            *("--output-format=json", "--output-format=text", "--input-format=stream-json", "--model", "m"),
            *("models", "--version", "plugin", "list", "-i", "--bogus", "--sandbox=maybe", ""),
        ]
    ),
    max_size=5,
)
prompts = st.sampled_from([None, "", "hi", "ho"])


@given(words, prompts, words, prompts)
def test_the_default_matchers_and_the_identity_of_a_call_agree(
    asked: list[str], prompt: str | None, kept: list[str], kept_prompt: str | None
) -> None:
    def made(argv: list[str], prompt: str | None) -> tuple[RequestView, bytes]:
        call = parse_call(argv)
        key = identity(call, None if prompt is None else prompt.encode(), [word.encode() for word in argv])
        return RequestView(call=call, argv=tuple(argv), prompt=prompt), key

    (live, live_key), (recorded, recorded_key) = made(asked, prompt), made(kept, kept_prompt)
    assert (not compare(live, recorded, DEFAULT)) == (live_key == recorded_key)


RECORDED = (view(prompt="a"), view("--version", free=True), view(prompt="a"), view(prompt="b"))


@pytest.mark.parametrize(
    ("live", "played", "allow_repeats", "match", "hit", "used_up"),
    [
        (view(prompt="a"), {}, False, "hit", 0, ()),
        (view(prompt="a"), {0: 1}, False, "hit", 2, ()),
        (view(prompt="a"), {0: 1, 2: 1}, False, "used_up", None, (0, 2)),
        (view(prompt="a"), {0: 1, 2: 1}, True, "hit", 2, ()),
        (view("--version"), {1: 5}, False, "hit", 1, ()),
        (view(prompt="c"), {}, True, "none", None, ()),
    ],
)
def test_recorded_calls_answer_in_order_once_each(
    live: RequestView,
    played: dict[int, int],
    allow_repeats: bool,
    match: str,
    hit: int | None,
    used_up: tuple[int, ...],
) -> None:
    outcome = find_match(live, RECORDED, DEFAULT, played, allow_repeats=allow_repeats)
    assert (outcome.match, outcome.hit, outcome.used_up) == (match, hit, used_up)


def test_without_a_hit_every_recorded_call_has_its_reasons() -> None:
    outcome = find_match(view(prompt="c"), RECORDED, DEFAULT, {})
    assert [names(reasons) for reasons in outcome.reasons] == [
        ["prompt"],
        ["kind", "argv"],
        ["prompt"],
        ["prompt"],
    ]


@pytest.mark.parametrize("answer", [True, False, None, "differs", [True], [None]])
def test_a_matcher_that_gives_no_reasons_is_refused(answer: object) -> None:
    def matcher(_live: RequestView, _recorded: RequestView) -> Any:
        return answer

    with pytest.raises(UserError, match=r"the matcher 'mine' returned .*; it has to return a list"):
        compare(view(), view(), [("mine", matcher)])

"""What ``agy-proxy contract`` prints of a comparison."""

import pytest

from agy_proxy.cli.contract import lines, shape
from agy_proxy.cli.page import plain
from agy_proxy.contract.compare import Compared, Comparison
from agy_proxy.contract.facts import FACTS, Fact
from agy_proxy.contract.read import Value


def fact(name: str) -> Fact:
    return next(each for each in FACTS if each.name == name)


def printed(*facts: Compared, said: str | None = "1.2.10") -> list[str]:
    found = Comparison(agy="/x/agy", version="1.2.10", said=said, assumed=False, updated=None, facts=facts)
    return [plain(line) for line in lines(found)]


@pytest.mark.parametrize(
    ("name", "real", "double", "below"),
    [
        ("help: exit status", 0, 1, ["the real one:  0", "the double:    1"]),
        ("help: flags listed", ["a", "b"], ["b", "c"], ["only the real one:  a", "only the double:    c"]),
        ("stream turn: events", ["a", "b"], ["b", "a"], ["the real one:  a, b", "the double:    b, a"]),
        ("empty prompt: message", [], ["stderr: x"], ["only the double:    stderr: x"]),
        ("stream turn: events", ["a"], ["a", "a"], ["the real one:  a", "the double:    a, a"]),
        (
            "resumed turn: recalls the earlier one",
            False,
            True,
            ["the real one:  false", "the double:    true"],
        ),
    ],
)
def test_of_a_difference_both_values_are_shown_and_of_lists_what_one_lacks(
    name: str, real: Value, double: Value, below: list[str]
) -> None:
    of = fact(name)
    told = printed(Compared(fact=of, verdict="differs", real=real, double=double))
    assert told[1] == f"differs    {name}  {of.section}"
    assert [line.strip() for line in told[2 : 2 + len(below)]] == below
    assert told[-1] == "0 agree, 1 differ, 0 could not be tried"


def test_facts_of_one_call_that_were_not_tried_are_one_line() -> None:
    untried = [
        Compared(fact=each, verdict="not_tried", why="not signed in")
        for each in FACTS
        if each.call == "models"
    ]
    assert len(untried) > 1
    assert printed(*untried, said=None) == [
        "/x/agy, that doesn't say its version, beside the double of 1.2.10",
        "not tried  models: not signed in",
        f"0 agree, 0 differ, {len(untried)} could not be tried",
    ]


def test_the_json_has_every_fact_with_both_values_or_the_reason() -> None:
    facts = (
        Compared(fact=fact("models: form"), verdict="differs", real="slugs", double="labels"),
        Compared(fact=fact("json turn: keys"), verdict="not_tried", why="costs a turn"),
    )
    told = shape(
        Comparison(agy="agy", version="1.2.10", said="1.2.10", assumed=False, updated=None, facts=facts)
    )
    assert (told["agrees"], told["differs"], told["not_tried"]) == (0, 1, 1)
    assert [
        (each["name"], each["verdict"], each["real"], each["double"], each["why"]) for each in told["facts"]
    ] == [
        ("models: form", "differs", "slugs", "labels", None),
        ("json turn: keys", "not_tried", None, None, "costs a turn"),
    ]

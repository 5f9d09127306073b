"""Comparing the answers of two agys."""

import pytest

from agy_proxy.contract.call import Answer, NoAnswer, Told
from agy_proxy.contract.compare import Compared, Comparison, Verdict, compare
from agy_proxy.contract.facts import FACTS

HELP = Answer(0, "Usage of agy:\n", "")


def told(**answers: Answer | NoAnswer) -> Told:
    return Told(answers, "1.2.10")


def of(found: tuple[Compared, ...], name: str) -> Compared:
    return next(each for each in found if each.fact.name == name)


def test_every_fact_comes_out_once_in_order() -> None:
    found = compare({}, told(), told())
    assert [each.fact for each in found] == list(FACTS)
    assert {(each.verdict, each.why) for each in found} == {
        ("not_tried", "the call that shows it was not made")
    }


@pytest.mark.parametrize(("other", "verdict"), [(0, "agrees"), (2, "differs")])
def test_two_values_agree_or_differ_and_both_are_kept(other: int, verdict: Verdict) -> None:
    found = of(compare({}, told(help=HELP), told(help=Answer(other, "", ""))), "help: exit status")
    assert (found.verdict, found.real, found.double, found.why) == (verdict, 0, other, None)


@pytest.mark.parametrize(
    ("real", "double", "why"),
    [
        (NoAnswer("not signed in"), HELP, "not signed in"),
        (HELP, NoAnswer("it did not end within 20 s"), "of the double, it did not end within 20 s"),
        (NoAnswer("not signed in"), NoAnswer("it did not end within 20 s"), "not signed in"),
    ],
)
def test_a_fact_is_not_tried_where_either_gave_no_answer(
    real: Answer | NoAnswer, double: Answer | NoAnswer, why: str
) -> None:
    found = of(compare({}, told(help=real), told(help=double)), "help: exit status")
    assert (found.verdict, found.real, found.double, found.why) == ("not_tried", None, None, why)


def test_a_fact_of_two_calls_needs_both() -> None:
    name = "help: --help says what help says"
    assert of(compare({}, told(help=HELP), told(help=HELP)), name).verdict == "not_tried"
    both = Told({"help": HELP, "help subcommand": HELP}, None)
    other = Told({"help": HELP, "help subcommand": Answer(1, "", "")}, None)
    assert of(compare({}, both, both), name).verdict == "agrees"
    assert of(compare({}, both, other), name).verdict == "differs"


def test_a_call_that_was_left_out_says_why() -> None:
    found = of(compare({"help": "costs a turn"}, told(help=HELP), told(help=HELP)), "help: exit status")
    assert (found.verdict, found.why) == ("not_tried", "costs a turn")


@pytest.mark.parametrize(
    ("verdict", "updated", "differs"),
    [
        ("agrees", None, False),
        ("not_tried", None, False),
        ("differs", None, True),
        ("agrees", "1.2.11", True),
    ],
)
def test_an_update_in_between_counts_as_a_difference(
    verdict: Verdict, updated: str | None, differs: bool
) -> None:
    found = Comparison(
        agy="agy",
        version="1.2.10",
        said="1.2.10",
        assumed=False,
        updated=updated,
        facts=(Compared(fact=FACTS[0], verdict=verdict),),
    )
    assert (found.differs, found.count(verdict)) == (differs, 1)

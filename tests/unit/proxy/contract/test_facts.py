"""The facts as data: each can be looked up, read and switched."""

import re
from pathlib import Path

import pytest

from agy_proxy.contract.calls import CALLS
from agy_proxy.contract.facts import FACTS, Fact
from fake_agy.profile.table import BEHAVIOURS

CONTRACT = Path(__file__).parents[4] / "docs" / "reference" / "agy" / "contract.md"


def named(fact: Fact) -> str:
    return fact.name


def test_no_two_facts_or_calls_have_one_name() -> None:
    assert len({each.name for each in FACTS}) == len(FACTS)
    assert len({each.name for each in CALLS}) == len(CALLS)


@pytest.mark.parametrize("fact", FACTS, ids=named)
def test_a_fact_stands_in_the_reference_and_is_shown_by_calls_that_are_made(fact: Fact) -> None:
    sections = re.findall(r"^#+ (\d+(?:\.\d+)?)\.? ", CONTRACT.read_text("utf-8"), re.MULTILINE)
    assert fact.section.removeprefix("contract.md ") in sections
    made = {"version", *(call.name for call in CALLS)}
    assert {fact.call, fact.beside or fact.call} <= made


@pytest.mark.parametrize("fact", [each for each in FACTS if each.behaviours], ids=named)
def test_the_behaviours_of_a_fact_are_in_the_doubles_table(fact: Fact) -> None:
    assert set(fact.behaviours) <= {each.name for each in BEHAVIOURS}


def test_every_call_shows_some_fact_and_those_it_needs_come_before_it() -> None:
    shown = {name for fact in FACTS for name in (fact.call, fact.beside)}
    earlier = set[str]()
    for call in CALLS:
        assert call.name in shown
        assert call.follows is None or call.follows in earlier
        earlier.add(call.name)


def test_a_prompt_for_the_model_is_in_no_call_that_costs_no_turn() -> None:
    for call in CALLS:
        if not call.turn:
            refused = call.since >= (1, 1, 18) or call.argv in {("-p",), ("--print=",)}
            assert refused or not {"-p", "--print"} & set(call.argv)
            assert call.stdin is None

"""Beside a real agy, the double of its version: fact by fact what agrees, differs, or could not be tried."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from agy_proxy.contract.call import Answer, Answers, NoAnswer, Told
from agy_proxy.contract.facts import FACTS, Fact
from agy_proxy.contract.read import Value

Verdict = Literal["agrees", "differs", "not_tried"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """What came of one fact: both values where it was tried, else `why` it wasn't."""

    fact: Fact
    verdict: Verdict
    real: Value | None = None
    double: Value | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """All that was compared: `version` is whose double was asked, `said` what the real agy says it is.

    `updated` is what it said after the calls where that is another: some of its answers are that one's.
    """

    agy: str
    version: str
    said: str | None
    assumed: bool
    updated: str | None
    facts: tuple[Compared, ...]

    def count(self, verdict: Verdict) -> int:
        """How many facts came out so."""
        return sum(each.verdict == verdict for each in self.facts)

    @property
    def differs(self) -> bool:
        """Whether anything speaks against the profile, or against the comparison itself."""
        return self.updated is not None or self.count("differs") > 0


def compare(left_out: Mapping[str, str], real: Told, double: Told) -> tuple[Compared, ...]:
    """Compares every fact, in order; `left_out` says of calls that were not made why not."""
    return tuple(_compared(fact, left_out, real.answers, double.answers) for fact in FACTS)


def _compared(fact: Fact, left_out: Mapping[str, str], real: Answers, double: Answers) -> Compared:
    if fact.call in left_out:
        return Compared(fact=fact, verdict="not_tried", why=left_out[fact.call])
    of_real, of_double = list(_answers(fact, real)), list(_answers(fact, double))
    for whose, found in (("", of_real), ("of the double, ", of_double)):
        for each in found:
            if isinstance(each, NoAnswer):
                return Compared(fact=fact, verdict="not_tried", why=f"{whose}{each.why}")
    one, other = fact.read(*of_real), fact.read(*of_double)
    return Compared(fact=fact, verdict="agrees" if one == other else "differs", real=one, double=other)


def _answers(fact: Fact, answers: Answers) -> Iterator[Answer | NoAnswer]:
    for name in (fact.call, fact.beside):
        if name is not None:
            yield answers.get(name, NoAnswer("the call that shows it was not made"))

"""The arithmetic of rounds: what was measured in the same round is compared, and the median round counts."""

from collections.abc import Sequence
from statistics import median

__all__ = ["median", "paired_ratio"]


def paired_ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """The median of ours / theirs, round by round; raises ValueError where rounds are missing.

    Pairs share the machine's mood: a slow moment slows both, and their ratio hardly moves.
    """
    if not ours or len(ours) != len(theirs):
        raise ValueError(f"{len(ours)} rounds can't be paired with {len(theirs)}")
    return median(one / other for one, other in zip(ours, theirs, strict=True))

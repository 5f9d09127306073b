"""What the player answered in a run: calls, turns, misses, and what nobody asked for."""

from dataclasses import dataclass

from agy_proxy.replay.counts import read_counts
from agy_proxy.replay.misses import misses
from agy_proxy.run.folder import RunFolder


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """Numbers of calls and turns, the full texts of misses, and the ids of turns that were not played."""

    calls: int = 0
    turns: int = 0
    misses: tuple[str, ...] = ()
    unplayed: tuple[str, ...] = ()


def played_in(folder: RunFolder) -> Played:
    """What was played in the run whose folder this is."""
    counts = read_counts(folder.play_file, folder.counts_file)
    return Played(
        calls=counts.calls,
        turns=counts.turns,
        misses=tuple(miss.text or miss.short for miss in misses(folder.misses)),
        unplayed=tuple(play.interaction for play in counts.plays if not (play.free or play.count)),
    )

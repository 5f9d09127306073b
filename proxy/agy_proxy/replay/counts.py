"""The play counts of a run, for its summary, and resetting them."""

import os
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from agy_cassettes.call import parse_call
from agy_proxy.shim.isolated import play_counts
from agy_proxy.shim.isolated.play_file import open_play_file


@dataclass(frozen=True, slots=True)
class Play:
    """How often an interaction was played, and the last time.

    By which pid, when (ns of the epoch), in which call. A `free` one costs no turn and repeats as it likes.
    """

    interaction: str
    turn: bool
    count: int = 0
    pid: int = 0
    at: int = 0
    call: int = 0
    free: bool = False


@dataclass(frozen=True, slots=True)
class Played:
    """What was played of a cassette.

    The calls so far, and a `Play` for each interaction in recorded order.
    """

    calls: int
    plays: tuple[Play, ...]

    @property
    def turns(self) -> int:
        """How many turns were played."""
        return sum(play.count for play in self.plays if play.turn)


def read_counts(play_file: Path, counts_file: Path) -> Played:
    """The play counts.

    A counts file that isn't there, or is of another cassette, means that nothing was played. Raises
    OSError or ValueError where there is no play file.
    """
    with closing(open_play_file(os.fspath(play_file))) as play:
        requests = play.requests()
        unasked = [
            Play(str(request["id"]), parse_call(request["argv"]).kind == "turn", free=bool(request["free"]))
            for request in requests
        ]
        nothing = Played(0, tuple(unasked))
        if not counts_file.exists():
            return nothing
        with closing(play_counts.Counts(os.fspath(counts_file), len(requests))) as counts:
            if counts.stamp() != play.header["stamp"]:
                return nothing
            plays = []
            for index, unplayed_yet in enumerate(unasked):
                count, pid, at, call = counts.slot(index)
                plays.append(replace(unplayed_yet, count=count, pid=pid, at=at, call=call))
            return Played(counts.calls(), tuple(plays))


def unplayed(play_file: Path, counts_file: Path) -> tuple[str, ...]:
    """The ids of the recorded turns that nobody asked for, in recorded order; probes never count."""
    played = read_counts(play_file, counts_file)
    return tuple(play.interaction for play in played.plays if not (play.free or play.count))


def rewind(counts_file: Path) -> bool:
    """Makes every interaction unplayed again; whether there was anything to reset."""
    if not counts_file.exists():
        return False
    with closing(play_counts.Counts(os.fspath(counts_file), 0)) as counts:
        return counts.reset()

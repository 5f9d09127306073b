"""``make bench``: prints one table of one interleaved run, and exits 1 where a bound is missed."""

import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.bench.bed import Bed
from tests.bench.command import within
from tests.bench.machine import facts, load
from tests.bench.measures.after_exit import AfterExit
from tests.bench.measures.appending import Appending, PeersAppending
from tests.bench.measures.doubles import Doubles
from tests.bench.measures.latency import Latency
from tests.bench.measures.loading import Loading
from tests.bench.measures.recorders import Recorders
from tests.bench.measures.rhythms import Rhythms
from tests.bench.measures.starts import Starts
from tests.bench.measures.throughput import Throughput
from tests.bench.peers import Peer, installed
from tests.bench.schedule import Measure, interleaved
from tests.bench.table import table, verdict
from tests.bench.trouble import BenchError
from tests.support.figures import drawn_seed

PEERS = Path(__file__).resolve().parents[2] / ".cache" / "peers"
PATIENCE, SET_UP = 60, 180
"""Seconds that a round and that all preparation may take."""


def measures_of(bed: Bed, peers: Mapping[Peer, Path]) -> Sequence[Measure]:
    """All that is measured."""
    return (
        Starts(bed, peers),
        Doubles(bed),
        AfterExit(bed),
        Throughput(bed),
        Latency(bed),
        Rhythms(bed),
        Appending(bed),
        PeersAppending(bed, peers),
        Loading(bed, peers),
        Recorders(bed, peers),
    )


def main() -> int:
    """Measure everything; the exit status: 0, 1 for a missed bound, 2 where something can't be measured."""
    began = time.monotonic()
    seed = drawn_seed()
    print(facts(seed), flush=True)
    try:
        peers = installed(PEERS)
        with tempfile.TemporaryDirectory(prefix="agy-bench-") as folder:
            bed = Bed(Path(folder).resolve(), seed)
            with within(SET_UP, "the set-up"):
                measures = measures_of(bed, peers)
            for measure, number in interleaved(measures):
                with within(PATIENCE, f"round {number} of {type(measure).__name__}"):
                    measure.run(number)
            rows = [row for measure in measures for row in measure.rows()]
    except BenchError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    status, line = verdict(rows)
    print(table(rows))
    print(f"{line}; {time.monotonic() - began:.0f} s, {load()}")
    return status


if __name__ == "__main__":
    sys.exit(main())

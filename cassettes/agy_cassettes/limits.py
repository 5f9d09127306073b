"""How much a cassette may hold: it comes from strangers, so that each measure has an end."""

from dataclasses import dataclass

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The most of everything that is read from a cassette; what exceeds it is refused with its line.

    Sizes are bytes, times milliseconds, the rest counts; `nodes` and `depth` are those of one record's YAML.
    """

    file_bytes: int = 4096 * MIB
    header_bytes: int = MIB // 16
    record_bytes: int = 256 * MIB
    sidecar_bytes: int = 4096 * MIB
    records: int = 1_000_000
    nodes: int = 1_000_000
    depth: int = 24
    digits: int = 1000
    argv: int = 100_000
    files: int = 100_000
    ticks: int = 1_000_000
    tick_ms: int = 10_000_000_000
    tick_count: int = 1_000_000_000_000
    cells: int = 65_535


LIMITS = Limits()
INLINE_BYTES = MIB
"""A body longer than this lies in a file of its own beside the cassette."""

"""Replacements in a stream of bytes, and what they do to the sizes of its chunks.

An edit is a plain tuple ``(start, end, new)``: bytes ``start:end`` of the old stream become `new`. A list of
edits is sorted by `start` and nothing in it overlaps. The shim loads this module, so it imports nothing::

    apply(data: bytes, edits: Sequence[Edit]) -> bytes
    moved(counts: Iterable[int], edits: Sequence[Edit]) -> list[int]
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Edit = tuple[int, int, bytes]


def apply(data: bytes, edits: "Sequence[Edit]") -> bytes:
    """Return `data` with every edit made."""
    if not edits:
        return data
    parts = []
    at = 0
    for start, end, new in edits:
        parts.append(data[at:start])
        parts.append(new)
        at = end
    parts.append(data[at:])
    return b"".join(parts)


def moved(counts: "Iterable[int]", edits: "Sequence[Edit]") -> list[int]:
    """Return the sizes in bytes of a stream's chunks after the edits, one for each of `counts`.

    What an edit puts in belongs to the chunk where the replaced span began; what it takes out leaves each
    chunk it covered, which may so come to 0 bytes. An insertion at the very end belongs to the last chunk.
    An edit beyond the sum of `counts` changes nothing.
    """
    old = list(counts)
    new_sizes = list(old)
    chunk = 0
    begin = 0
    for start, end, new in edits:
        while chunk < len(old) and start >= begin + old[chunk]:
            begin += old[chunk]
            chunk += 1
        if chunk == len(old):
            if old and start == end == begin:
                new_sizes[-1] += len(new)
            continue
        new_sizes[chunk] += len(new)
        covered, covered_begin = chunk, begin
        while covered < len(old) and end > covered_begin:
            covered_end = covered_begin + old[covered]
            new_sizes[covered] -= max(0, min(end, covered_end) - max(start, covered_begin))
            covered, covered_begin = covered + 1, covered_end
    return new_sizes

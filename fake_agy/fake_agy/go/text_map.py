"""One entry set in a map from paths to texts as Go writes it, without reading the map whole."""

from __future__ import annotations

from _bisect import bisect_left

from fake_agy.go.json import go_table


def with_entry(written: bytes, path: str, text: str) -> bytes | None:
    """Give the map with an absolute path's entry set, in its place of the order where it is new.

    None where the map isn't one that `go_table` wrote without escapes: it has to be read then.
    """
    entry = go_table({path: text}).encode(errors="replace")[1:-1]
    if b"\\" in written or b"\\" in entry or not path.startswith("/"):
        return None
    if written == b"{}":
        return b"{" + entry + b"}"
    if written[:2] != b'{"' or written[-2:] != b'"}':
        return None
    entries = written[2:-2].split(b'","')
    if written.count(b'"') != 4 * len(entries) or written.count(b'":"') != len(entries):
        return None
    # Behind a closing quote stands no "/", and behind a value no ":": what is found is the path as a key.
    name = entry[: entry.index(b'":"') + 3]
    start = written.find(name)
    if start >= 0:
        return written[:start] + entry + written[written.index(b'"', start + len(name)) + 1 :]
    entries.insert(bisect_left(entries, _key(entry[1:]), key=_key), entry[1:-1])
    return b'{"' + b'","'.join(entries) + b'"}'


def _key(entry: bytes) -> bytes:
    return entry[: entry.index(b'":"')]

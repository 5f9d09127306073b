"""The chunks of one transcript as the one file that they were cut from (stores.md 1.3)."""

from pathlib import Path

from agy_proxy.watch.tail import Change, Known, Tail


class ChunkSeries:
    """The files in `folder` by name, one behind the other: a chunk may end within a line."""

    known: Known | None = None

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._tails: dict[Path, Tail] = {}
        self._held = b""

    def change(self) -> Change | None:
        """Return what was added since the last call, in whole lines; a chunk written anew gives all of it."""
        data, mtime_ns = b"", 0
        for path in sorted(self._folder.glob("*.jsonl")):
            tail = self._tails.setdefault(path, Tail(bytes(path), None))
            change = tail.change(rest=True)
            if change is None:
                continue
            if change.op not in ("create", "append"):
                return self._anew()
            data += change.data
            mtime_ns = change.mtime_ns
        whole = self._whole(self._held + data)
        return Change("append", whole, None, mtime_ns) if whole else None

    def _anew(self) -> Change:
        self._tails = {path: Tail(bytes(path), None) for path in sorted(self._folder.glob("*.jsonl"))}
        changes = [change for tail in self._tails.values() if (change := tail.change(rest=True)) is not None]
        whole = self._whole(b"".join(change.data for change in changes))
        return Change("replace", whole, None, max((change.mtime_ns for change in changes), default=0))

    def _whole(self, data: bytes) -> bytes:
        cut = data.rfind(b"\n") + 1
        self._held = data[cut:]
        return data[:cut]

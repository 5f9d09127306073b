"""Stand-in until the module itself is written; replace the whole file."""

from pathlib import Path
from fake_agy import log as old, store


class Log:
    def __init__(self, held):
        self._held = held
        self._log = held.__enter__()

    def write(self, place, text, level="I"):
        self._log.write(place, text)

    def close(self):
        self._held.__exit__(None, None, None)


def open_log(layout, path, clock, pid):
    return Log(old.open_log(store.Store(Path(layout.root), Path(layout.own)), path, clock, pid))

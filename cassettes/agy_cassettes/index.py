"""The disposable index of a cassette: where its records lie, kept while the file stays the same."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from agy_cassettes.layout import Entry, Layout, Torn

_FORM = 1


def load_index(state: Path, cassette: Path, facts: os.stat_result) -> Layout | None:
    """Give what `save_index` kept, None where there is none or stat shows that the file has changed since."""
    try:
        kept: dict[str, Any] = json.loads(_file(state, cassette).read_bytes())
        if kept["facts"] != _facts(facts):
            return None
        torn = kept["torn"]
        return Layout(
            entries=tuple(Entry(*row) for row in kept["entries"]),
            torn=None if torn is None else Torn(*torn),
            problems=(),
            ended=kept["ended"],
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def save_index(state: Path, cassette: Path, facts: os.stat_result, layout: Layout) -> None:
    """Keep the layout of a sound cassette; a folder that can't be written is no error."""
    target = _file(state, cassette)
    kept = {
        "facts": _facts(facts),
        "entries": layout.entries,
        "torn": layout.torn,
        "ended": layout.ended,
    }
    temporary = target.with_name(f"{target.name}.{os.getpid()}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        temporary.write_text(json.dumps(kept), encoding="utf-8")
        temporary.replace(target)
    except OSError:
        return


def _file(state: Path, cassette: Path) -> Path:
    name = hashlib.sha256(os.fsencode(cassette.absolute())).hexdigest()
    return state / "index" / f"{name}.json"


def _facts(facts: os.stat_result) -> list[int]:
    return [_FORM, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns, facts.st_ino]

"""Stand-in until the module itself is written; replace the whole file."""

from pathlib import Path
from fake_agy import store


def new_conversation_id(layout, seed):
    return store.new_conversation_id(store.Store(Path(layout.root), Path(layout.own)), seed)

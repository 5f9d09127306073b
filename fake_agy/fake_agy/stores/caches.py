"""Stand-in until the module itself is written; replace the whole file."""

from pathlib import Path
from fake_agy import store
from fake_agy.go_json import go_json


def _s(l):
    return store.Store(Path(l.root), Path(l.own))


def last_conversations(l):
    return store._last_conversations(_s(l))


def last_conversation(l, cwd):
    return last_conversations(l).get(cwd)


def remember_last(l, cwd, c):
    store.replace_private(
        store._last_path(_s(l)), go_json(dict(sorted({**last_conversations(l), cwd: c}.items())))
    )

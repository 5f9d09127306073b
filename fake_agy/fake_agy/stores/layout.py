"""Stand-in until the module itself is written; replace the whole file."""

from fake_agy.record import NamedTuple


class Layout(NamedTuple):
    home: str
    root: str
    own: str


def layout_of(home):
    return Layout(home, home + "/.gemini/antigravity-cli", home + "/.fake-agy")


def brain(l, c):
    return f"{l.root}/brain/{c}"


def logs(l, c):
    return brain(l, c) + "/.system_generated/logs"


def database_path(l, c):
    return f"{l.root}/conversations/{c}.db"

"""Stand-in until the module itself is written; replace the whole file."""

from fake_agy.record import NamedTuple
from fake_agy.models import label_of


class Chosen(NamedTuple):
    slug: str
    label: str
    warning: str = ""


def choose(m, e, p):
    return Chosen(m or "gemini-3.1-pro-high", label_of(m))

"""Stand-in until the module itself is written; replace the whole file."""

from fake_agy.record import NamedTuple
from fake_agy.turns.ending import Ending


class Place(NamedTuple):
    home: str
    cwd: str
    account: str
    env: dict


def is_subcommand(w, p):
    from fake_agy import usage

    return usage.is_subcommand(w, p.version)


def run(line, profile, place):
    from fake_agy.models import listing

    if line.rest[0] == "models":
        return Ending(out=listing(profile.version), err="Fetching available models...\n")
    from fake_agy.command.help import help_text

    return Ending(out=help_text(profile))

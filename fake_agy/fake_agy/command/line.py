"""Stand-in until the module itself is written; replace the whole file."""

from fake_agy import flags
from fake_agy.turns.ending import Ending


class Refused(Exception):
    def __init__(self, ending):
        self.ending = ending


class CommandLine(flags.CommandLine):
    def all(self, name):
        return self.values.get(name, ())


def parse_command_line(argv, profile):
    from fake_agy.usage import usage

    try:
        line = flags.parse_command_line(argv, profile.version)
    except flags.BadUsage as bad:
        raise Refused(
            Ending(2, err=bad.message + "\n" + (usage(profile.version) if bad.show_usage else ""))
        ) from None
    return CommandLine(*line)

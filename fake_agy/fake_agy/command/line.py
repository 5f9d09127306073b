"""agy's command line: taken apart, or refused as the version refuses it (contract.md 1.5)."""

from __future__ import annotations

from fake_agy.command.flag_table import ALIASES, FLAGS, flags_of
from fake_agy.go.flags import TRUE, BadFlag, is_flag, parse_flags
from fake_agy.turns.ending import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import NamedTuple

    from fake_agy.go.flags import Given
    from fake_agy.profile.resolve import Profile
else:
    from fake_agy.record import NamedTuple


class Refused(Exception):  # noqa: N818 - the name says whose doing it is
    """A command line that agy refuses; `ending` says how."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending.err)
        self.ending = ending


class CommandLine(NamedTuple):
    """A command line taken apart: every value of each flag in order, and what was left over."""

    values: Mapping[str, tuple[str, ...]]
    rest: tuple[str, ...] = ()
    help_asked: bool = False

    def last(self, name: str) -> str | None:
        """Give the value that counts where a flag came several times."""
        given = self.values.get(name)
        return given[-1] if given else None

    def all(self, name: str) -> tuple[str, ...]:
        """Give every value of a flag."""
        return self.values.get(name, ())

    def on(self, name: str) -> bool:
        """Say whether a boolean flag is set."""
        return self.last(name) in TRUE


def parse_command_line(argv: Sequence[str], profile: Profile) -> CommandLine:
    """Take `argv` (without the program's name) apart; `Refused` where this version refuses it."""
    known = flags_of(profile)
    kinds = {name: flag.kind for name, flag in known.items()}
    kinds |= {alias: kinds[name] for alias, name in ALIASES.items() if name in kinds}
    try:
        parsed = parse_flags(argv, kinds)
    except BadFlag as bad:
        from fake_agy.command.help import help_text  # only a wrong call needs the text

        raise Refused(Ending(2, err=f"{bad}\n{help_text(profile)}")) from None
    values: dict[str, tuple[str, ...]] = {}
    for each in parsed.given:
        name = ALIASES.get(each.name, each.name)
        if name == "print" and profile["swallowed-flag"] == "refused":
            _refuse_swallowed(each)
        values[name] = (*values.get(name, ()), each.value)
    line = CommandLine(values, parsed.rest, parsed.help_asked)
    _refuse_stray(line, profile)
    return line


def _refuse_swallowed(given: Given) -> None:
    """Refuse a prompt flag that took another flag for its prompt."""
    name = given.value.removeprefix("-").removeprefix("-").partition("=")[0]
    known = name in FLAGS or name in ALIASES or name in {"h", "help"}
    if given.attached or not is_flag(given.value) or not known:
        return
    raise Refused(
        Ending(
            2,
            err=f'Error: --print took "{given.value}" as its prompt, so the intended prompt was left as an '
            "argument and ignored.\nAttach the prompt to the flag (--print='your prompt') and move "
            f"{given.value} elsewhere on the command line.\n",
        )
    )


def _refuse_stray(line: CommandLine, profile: Profile) -> None:
    """Refuse a left-over word that is neither a subcommand nor a prompt of a terminal session."""
    if not line.rest or line.help_asked:
        return
    prompted = line.last("print") is not None
    if not prompted:
        from fake_agy.command.subcommand_table import is_subcommand  # only a left-over word can be one

        if is_subcommand(line.rest[0], profile):
            return
    if profile["stray-argument" if prompted else "positional-prompt"] == "refused":
        raise Refused(
            Ending(
                2,
                err=f'Error: unexpected argument "{line.rest[0]}". Prompts are read only from -p/--print, '
                "-i/--prompt-interactive, or stdin, so this argument would have been ignored.\n",
            )
        )

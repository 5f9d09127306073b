"""The text of ``agy --help`` and of its subcommands (contract.md 1.4)."""

from __future__ import annotations

from fake_agy.command.flag_table import ALIASES, listed_flags
from fake_agy.command.subcommand_table import SUBCOMMANDS, listed_subcommands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.profile.resolve import Profile

HELP_ROWS = "  -h      Show help\n  --help  Show help\n"
"""What a subcommand without flags of its own says about its flags."""


def help_text(profile: Profile) -> str:
    """Write what ``agy --help`` prints, with the flags and subcommands that the version has."""
    from fake_agy.go.duration import go_duration

    rows = {f"--{name}": flag.about for name, flag in listed_flags(profile).items()}
    rows["--print-timeout"] += f" (default {go_duration(float(profile['print-timeout']))})"
    for alias, name in ALIASES.items():
        if len(alias) == 1:
            rows[f"-{alias}"] = f"Short alias for --{name}"
        else:
            rows[f"--{alias}"] = f"Alias for --{name}"
    return (
        "Usage of agy:\n"
        + _table(dict(sorted(rows.items(), key=lambda row: row[0].lstrip("-"))))
        + "\nAvailable subcommands:\n"
        + _table({name: each.about for name, each in listed_subcommands(profile).items()})
    )


def subcommand_help(name: str) -> str:
    """Write what ``agy help NAME`` and ``agy NAME --help`` print; its frame is this double's own."""
    about = SUBCOMMANDS[name].about or SUBCOMMANDS[name.removesuffix("s")].about
    return f"Usage of agy {name}:\n{about}\n\n{flag_rows(name)}"


def flag_rows(name: str) -> str:
    """Write the lines about a subcommand's flags."""
    flags = SUBCOMMANDS[name].flags
    if not flags:
        return HELP_ROWS
    rows = {f"--{flag}": each.about for flag, each in flags.items()}
    return _table({"-h": "Show help", **rows, "--help": "Show help"})


def _table(rows: dict[str, str]) -> str:
    width = max(map(len, rows))
    return "".join([f"  {name.ljust(width)}  {about}".rstrip() + "\n" for name, about in rows.items()])

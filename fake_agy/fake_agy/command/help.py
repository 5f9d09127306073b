"""The text of ``agy --help`` and of its subcommands (contract.md 1.4)."""

from __future__ import annotations

from fake_agy.command.flag_table import ALIASES, UNLISTED, flags_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.profile.resolve import Profile


def help_text(profile: Profile) -> str:
    """Write what ``agy --help`` prints, with the flags and subcommands that the version has."""
    from fake_agy.command.subcommands import SUBCOMMANDS
    from fake_agy.go.duration import go_duration

    known = {name: flag for name, flag in flags_of(profile.version).items() if name not in UNLISTED}
    rows = {f"--{name}": flag.about for name, flag in known.items()}
    rows["--print-timeout"] += f" (default {go_duration(float(profile['print-timeout']))})"
    for alias, name in ALIASES.items():
        if len(alias) == 1:
            rows[f"-{alias}"] = f"Short alias for --{name}"
        else:
            rows[f"--{alias}"] = f"Alias for --{name}"
    commands = {
        name: each.about for name, each in SUBCOMMANDS.items() if each.since <= profile.version and each.about
    }
    return (
        "Usage of agy:\n"
        + _table(dict(sorted(rows.items(), key=lambda row: row[0].lstrip("-"))))
        + "\nAvailable subcommands:\n"
        + _table(commands)
    )


def subcommand_help(name: str, about: str) -> str:
    """Write what ``agy help NAME`` prints."""
    return f"Usage: agy {name}\n\n{about}\n\n  -h      Show help\n  --help  Show help\n"


def _table(rows: dict[str, str]) -> str:
    width = max(map(len, rows))
    return "".join([f"  {name.ljust(width)}  {about}\n" for name, about in rows.items()])

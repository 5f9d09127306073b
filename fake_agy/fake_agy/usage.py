"""The texts of ``--help`` and of a refused subcommand flag (contract.md 1.3, 1.4)."""

from collections.abc import Mapping

from fake_agy.flags import ALIASES, FLAGS
from fake_agy.version import Version

_SUBCOMMANDS: Mapping[str, tuple[Version, str]] = {
    "agent": ((1, 1, 1), "List available agents"),
    "agents": ((1, 1, 1), "List available agents"),
    "changelog": ((1, 0, 0), "Show changelog and release notes"),
    "help": ((1, 0, 0), "Show help for subcommands"),
    "install": ((1, 0, 0), "Configure environment paths and shell settings"),
    "mcp": ((1, 1, 16), "Manage MCP servers (add, remove, list, enable, disable)"),
    "models": ((1, 0, 5), "List available models"),
    "plugin": ((1, 0, 0), "Manage plugins (install, uninstall, list, enable, disable)"),
    "plugins": ((1, 0, 0), "Alias for plugin"),
    "update": ((1, 0, 0), "Update CLI"),
}


def usage(version: Version) -> str:
    """Write what ``agy --help`` prints, with the flags and subcommands this version has."""
    rows = {f"--{name}": flag.about for name, flag in FLAGS.items() if flag.since <= version}
    del rows["--version"]  # accepted, but not listed in the captures
    rows["--print-timeout"] += f" (default {'5m0s' if version < (1, 2, 6) else '0s'})"
    for alias, name in ALIASES.items():
        if len(alias) == 1:
            rows[f"-{alias}"] = f"Short alias for --{name}"
        else:
            rows[f"--{alias}"] = f"Alias for --{name}"
    known = {name: about for name, (since, about) in _SUBCOMMANDS.items() if since <= version}
    return (
        "Usage of agy:\n"
        + _table(dict(sorted(rows.items(), key=lambda row: row[0].lstrip("-"))))
        + "\nAvailable subcommands:\n"
        + _table(known)
    )


def is_subcommand(word: str, version: Version) -> bool:
    """Say whether a first left-over word is a subcommand of this version and not a stray prompt."""
    return word in _SUBCOMMANDS and _SUBCOMMANDS[word][0] <= version


def refused_subcommand_flag(flag: str) -> str:
    """Write what a subcommand says to a flag that belongs before it; exit 1."""
    name = flag.lstrip("-").partition("=")[0]
    return f"  -h      Show help\n  --help  Show help\nError: flags provided but not defined: -{name}\n"


def _table(rows: Mapping[str, str]) -> str:
    width = max(map(len, rows))
    return "".join(f"  {name.ljust(width)}  {about}\n" for name, about in rows.items())

"""``agy-proxy``: finds the verb's file and runs its command."""

from collections.abc import Mapping, Sequence
from importlib import import_module

import click

from agy_proxy import VERSION
from agy_proxy.cli import entry

VERBS: Mapping[str, str] = {
    "demo": "Record a client, replay it with agy gone, and show both.",
    "record": "Run a client and record every call of agy into a cassette.",
    "replay": "Run a client and answer its calls of agy from a cassette.",
    "fake": "Run a client with a double of agy that needs no recording.",
    "install": "Write a file named agy that records, replays or fakes.",
    "uninstall": "Take away a file named agy that install wrote.",
    "sync": "Save what installed shims recorded into their cassettes.",
    "show": "Print what a cassette holds, on a time line.",
    "verify": "Tell whether cassettes are whole and unedited.",
    "merge": "Unite cassettes, also after a git conflict.",
    "scan": "Look for secrets in cassettes and other files.",
    "doctor": "Check what recording and replay need on this machine.",
    "contract": "Compare the real agy with the double of its version.",
}
"""The verbs in the order of a first visit, each with what it does."""


class Verbs(click.Group):
    """A group that imports a verb's file only when that verb is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names of all verbs."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        """The command of that name; None where there is none."""
        if cmd_name not in VERBS:
            return None
        found = import_module(f"agy_proxy.cli.{cmd_name}").command
        if not isinstance(found, click.Command):
            raise TypeError(cmd_name)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - as above
        """Writes the list of verbs without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(VERSION, message="%(prog)s %(version)s")
def command() -> None:
    """Record, replay and fake agy, the Antigravity CLI, for the programs that call it."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line; the exit status."""
    return entry.run(command, argv, name="agy-proxy")

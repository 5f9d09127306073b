"""Starting a command line: every way in which it can end becomes an exit status and one clear line."""

import errno
import os
import sys
from collections.abc import Sequence
from typing import TextIO

import click
from click.shell_completion import shell_complete

from agy_cassettes.errors import UserError
from agy_proxy.report.visible import visible

OWN_FAILURE = 125
"""Exit status of a fault of ours, as `env`, `timeout` and `nohup` have it."""

INTERRUPTED = 130
BROKEN_PIPE = 141


def run(command: click.Command, argv: Sequence[str] | None, *, name: str) -> int:
    """Runs `command` as `name` with `argv` (default: this process's arguments); the exit status.

    A verb returns its status or None for 0. No traceback reaches a user unless ``AGY_PROXY_TRACEBACK=1`` asks
    for it.
    """
    try:
        status = _invoke(command, sys.argv[1:] if argv is None else list(argv), name)
        sys.stdout.flush()
    except UserError as wrong:
        return _tell(name, wrong.message, wrong.status)
    except click.exceptions.NoArgsIsHelpError as wrong:
        click.echo(wrong.format_message(), err=True)
        return wrong.exit_code
    except click.UsageError as wrong:
        return _tell(name, _usage(wrong, name), wrong.exit_code)
    except click.ClickException as wrong:
        return _tell(name, _lower(wrong.format_message()), wrong.exit_code)
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except OSError as wrong:
        if wrong.errno == errno.EPIPE:
            return _silenced()
        return _tell(name, _named(wrong), 2)
    except Exception as fault:
        if os.environ.get("AGY_PROXY_TRACEBACK") == "1":
            raise
        what = f"a fault of {name} itself: {type(fault).__name__}: {fault}; AGY_PROXY_TRACEBACK=1 shows where"
        return _tell(name, what, OWN_FAILURE)
    return status


def _invoke(command: click.Command, argv: list[str], name: str) -> int:
    """What click's own `main` does, but for its ends: it turns a broken pipe into status 1."""
    asked = f"_{name.replace('-', '_')}_COMPLETE".upper()
    if asked in os.environ:
        return shell_complete(command, {}, name, asked, os.environ[asked])
    try:
        with command.make_context(name, argv) as context:
            status = command.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    return status if isinstance(status, int) else 0


def _tell(name: str, message: str, status: int) -> int:
    """Prints the message on stderr, where there is one, and gives `status`; no terminal obeys a quote."""
    try:
        click.echo(f"{name}: {visible(_redacted(message))}", err=True)
    except OSError:
        _silence(sys.stderr)
    return status


def _redacted(message: str) -> str:
    """The message without secrets: it may quote a cassette, an argument or a file.

    A path in HOME begins with ``~``, so that it can be found without naming the user.
    """
    from agy_cassettes.redact.redactor import Redactor

    home = os.environ.get("HOME", "").rstrip("/")
    if home.startswith("/"):
        message = message.replace(f"{home}/", "~/")
    return Redactor().redact_text(message)


def _usage(wrong: click.UsageError, name: str) -> str:
    where = wrong.ctx.command_path if wrong.ctx is not None else name
    return f"{_lower(wrong.format_message())}; see {where} --help"


def _lower(text: str) -> str:
    """The message in the form of ours: lower case at the beginning, no full stop at the end."""
    lowered = text[:1].lower() + text[1:] if not text[:2].isupper() else text
    return lowered.rstrip(".")


def _named(wrong: OSError) -> str:
    what = (wrong.strerror or str(wrong)).lower()
    return what if wrong.filename is None else f"{os.fsdecode(wrong.filename)}: {what}"


def _silenced() -> int:
    """Nobody reads our output any more: says nothing, not even at the interpreter's end."""
    _silence(sys.stdout)
    return BROKEN_PIPE


def _silence(stream: TextIO) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)

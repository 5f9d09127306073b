"""Starting a command line: every way in which it can end becomes an exit status and one clear line."""

import errno
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TextIO

import click
from click.shell_completion import shell_complete

from agy_cassettes.errors import UserError
from agy_proxy.report.visible import visible

OWN_FAILURE = 125
"""Exit status of a fault of ours, as `env`, `timeout` and `nohup` have it."""

INTERRUPTED = 130
BROKEN_PIPE = 141
STDERR = 2

TO_DO: Mapping[int, str] = {
    errno.ENOENT: "check the path",
    errno.ENOTDIR: "name a path whose folders are folders",
    errno.EISDIR: "name a file",
    errno.EEXIST: "name a path that is free",
    errno.EACCES: "check who may read and write there",
    errno.EPERM: "check who may read and write there",
    errno.EROFS: "name a place that can be written",
    errno.ENOSPC: "make room there",
    errno.EDQUOT: "make room there",
    errno.ENAMETOOLONG: "name a shorter path",
    errno.ELOOP: "name a path whose links lead somewhere",
    errno.EMFILE: "raise the limit of open files, ulimit -n",
}
"""What a person can do about an error of the operating system."""


def run(command: click.Command, argv: Sequence[str] | None, *, name: str) -> int:
    """Runs `command` as `name` with `argv` (default: this process's arguments); the exit status.

    A verb returns its status or None for 0. No traceback reaches a user unless ``AGY_PROXY_TRACEBACK=1`` asks
    for it.
    """
    fill_closed_streams()
    given = sys.argv[1:] if argv is None else list(argv)
    try:
        status = _invoke(command, given, name)
        sys.stdout.flush()
    except UserError as wrong:
        return _tell(name, wrong.message, wrong.status)
    except click.exceptions.NoArgsIsHelpError as wrong:
        click.echo(wrong.format_message(), err=True)
        return wrong.exit_code
    except click.UsageError as wrong:
        return _tell(name, _usage(wrong, _asked(command, given, name)), wrong.exit_code)
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


def fill_closed_streams() -> None:
    """Puts the null device in place of a standard stream that the caller has closed.

    Else the next file to be opened would have its number. A client still finds the stream closed.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) <= STDERR:
        pass
    os.close(number)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(
                sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8", closefd=False)
            )


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
    line = " ".join(_redacted(message).splitlines())
    try:
        click.echo(f"{name}: {visible(line)}", err=True)
    except OSError:
        silence(sys.stderr)
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


def _asked(command: click.Command, argv: Sequence[str], name: str) -> str:
    """The name with the verb that was asked for: not every error of click's knows it."""
    verb = next((word for word in argv if not word.startswith("-")), None)
    if verb is None or not isinstance(command, click.Group):
        return name
    return f"{name} {verb}" if verb in command.list_commands(click.Context(command)) else name


def _usage(wrong: click.UsageError, asked: str) -> str:
    where = wrong.ctx.command_path if wrong.ctx is not None else asked
    return f"{_lower(wrong.format_message())}; see {where} --help"


def _lower(text: str) -> str:
    """The message in the form of ours: lower case at the beginning, no full stop at the end."""
    lowered = text[:1].lower() + text[1:] if not text[:2].isupper() else text
    return lowered.rstrip(".")


def _named(wrong: OSError) -> str:
    """The file, what is wrong with it, and what to do."""
    if wrong.errno == errno.ENOENT and wrong.filename is None and not _stands_somewhere():
        return "the working directory is gone; change to a folder that is there"
    what = (wrong.strerror or str(wrong)).lower()
    told = what if wrong.filename is None else f"{_path(wrong.filename)}: {what}"
    do = TO_DO.get(wrong.errno or 0)
    return told if do is None else f"{told}; {do}"


def _stands_somewhere() -> bool:
    try:
        Path.cwd()
    except FileNotFoundError:
        return False
    return True


def _path(name: int | str | bytes) -> str:
    return f"file {name}" if isinstance(name, int) else os.fsdecode(name)


def _silenced() -> int:
    """Nobody reads our output any more: says nothing, not even at the interpreter's end."""
    silence(sys.stdout)
    return BROKEN_PIPE


def silence(stream: TextIO) -> None:
    """Lets a stream that nobody takes end quietly: what is left in it goes nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)

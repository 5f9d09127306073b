"""What one call of the double does, with everything it touches passed in."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from select import select
from typing import BinaryIO, NamedTuple

from fake_agy.clock import Clock
from fake_agy.flags import BadUsage, CommandLine, parse_command_line
from fake_agy.go_json import Json, go_json
from fake_agy.log import Log, open_log
from fake_agy.models import MODELS, label_of, listing
from fake_agy.settings import DoubleSettings
from fake_agy.store import Store, store_of
from fake_agy.turn import Request, Room, run_turn
from fake_agy.usage import is_subcommand, refused_subcommand_flag, usage
from fake_agy.version import Version, parse_version

NOT_PLAYED = 125
"""Exit status where the double itself, and not agy, says no: what was asked is not played yet."""

_NO_SCREEN = "CLI error: bubbletea: could not open TTY: open /dev/tty: no such device or address\n"


class World(NamedTuple):
    """What a call touches; `home` is None where HOME is empty, and `pid` only shows in the log."""

    read_stdin: Callable[[], bytes]
    stdin_is_tty: bool
    stdout: BinaryIO
    stderr: BinaryIO
    clock: Clock
    home: Path | None
    cwd: str
    pid: int

    def out(self, text: str) -> None:
        """Write to stdout at once."""
        _write(self.stdout, text)

    def err(self, text: str) -> None:
        """Write to stderr at once."""
        _write(self.stderr, text)


def main(argv: Sequence[str], world: World, settings: DoubleSettings) -> int:
    """Play one call of agy; `argv` is without the program's name. Returns the exit status.

    `OSError` where the store or the log can't be written.
    """
    version = parse_version(settings.agy_version)
    try:
        line = parse_command_line(argv, version)
        _refuse_stray(line, version)
    except BadUsage as refused:
        world.err(f"{refused.message}\n" + (usage(version) if refused.show_usage else ""))
        return 2
    if line.help_asked or line.rest[:1] == ("help",):
        world.out(usage(version))
        return 0
    if line.on("version"):
        world.out(f"{settings.agy_version}\n")
        return 0
    missing = _not_played(line)
    if missing is not None:
        world.err(f"fake-agy: {missing} is part of agy, but this double does not play it yet\n")
        return NOT_PLAYED
    if line.rest[:1] == ("models",) and line.last("print") is None:
        return _models(line, world, version)
    return _print_mode(line, world, settings, version)


def _refuse_stray(line: CommandLine, version: Version) -> None:
    """Refuse a left-over word that is no subcommand: beside a prompt since 1.1.18, alone since 1.1.27."""
    if not line.rest:
        return
    prompted = line.last("print") is not None
    if not prompted and is_subcommand(line.rest[0], version):
        return
    if version >= ((1, 1, 18) if prompted else (1, 1, 27)):
        raise BadUsage(
            f'Error: unexpected argument "{line.rest[0]}". Prompts are read only from -p/--print, '
            "-i/--prompt-interactive, or stdin, so this argument would have been ignored.",
            show_usage=False,
        )


def _not_played(line: CommandLine) -> str | None:
    """Name the first thing asked for that this double leaves out, None where it plays all of it."""
    for name in ("output-format", "input-format"):
        if line.last(name) == "stream-json":
            return f"--{name} stream-json"
    for name in ("json-schema", "prompt-interactive", "remote-control"):
        if line.last(name) not in {None, "false"}:
            return f"--{name}"
    if line.last("print") is None and line.rest[:1] not in {(), ("models",)}:
        word = line.rest[0]
        return f"the subcommand {word}" if is_subcommand(word, (99, 0, 0)) else None
    return None


def _models(line: CommandLine, world: World, version: Version) -> int:
    """List the models; a flag behind the subcommand is refused by every version seen (contract.md 1.3)."""
    flags = [word for word in line.rest[1:] if word.startswith("-")]
    if flags[:1] and flags[0].lstrip("-") in {"h", "help"}:
        world.out(usage(version))
        return 0
    if flags:
        world.err(refused_subcommand_flag(flags[0]))
        return 1
    progress = "Fetching available models...\n"
    if version >= (1, 1, 12):
        world.err(progress)
    else:
        world.out(progress)
    if line.last("output-format") != "json":
        world.out(listing(version))
        return 0
    rows: list[Json] = [{"id": slug, "label": label} for slug, label in MODELS]
    nothing: dict[str, Json] = dict.fromkeys(
        ("input_tokens", "output_tokens", "thinking_tokens", "cache_read_tokens", "total_tokens"), 0
    )
    envelope: dict[str, Json] = {
        "conversation_id": "",
        "status": "SUCCESS",
        "response": listing(version),
        "duration_seconds": 0,
        "num_turns": 0,
        "usage": nothing,
        "command": {"name": "models", "data": {"models": rows}},
    }
    world.out(go_json(envelope) + "\n")
    return 0


def _print_mode(line: CommandLine, world: World, settings: DoubleSettings, version: Version) -> int:
    """Find the prompt, open the log and take the turn."""
    given = line.last("print")
    if given is None and (line.rest or world.stdin_is_tty):
        world.err(_NO_SCREEN)
        return 1
    prompt = _prompt(given, world, version)
    if not prompt.strip():
        world.err(f"{'error' if version >= (1, 1, 28) else 'Error'}: empty prompt\n")
        return 1
    if world.home is None:
        world.err("Failed to start: $HOME is not defined: $HOME is not defined\n")
        return 1
    request = Request(
        prompt=prompt,
        conversation=line.last("conversation") or None,
        continued=line.on("continue"),
        json=line.last("output-format") == "json",
        model_label=label_of(_plain(line.last("model") or "")),
    )
    store = store_of(world.home)
    pid = 10000 + settings.seed % 50000 if world.clock.frozen else world.pid
    with open_log(store, line.last("log-file"), world.clock, pid) as log:
        _log_start(log, store, request, line.last("model") or "", settings.seed)
        room = Room(store, world.cwd, version, settings.seed, world.clock, log, world.out, world.err)
        run_turn(request, room)
    return 0


def _prompt(given: str | None, world: World, version: Version) -> str:
    """Take the prompt from its flag, else from stdin; up to 1.1.0 stdin was read to its end in any case."""
    if given is None:
        return world.read_stdin().decode(errors="replace")
    if version < (1, 1, 1) and not world.stdin_is_tty:
        piped = world.read_stdin().decode(errors="replace")
        return _plain(given) or piped
    return _plain(given)


def _plain(argument: str) -> str:
    """Put U+FFFD for what isn't UTF-8, since JSON can't hold it."""
    return argument.encode(errors="surrogateescape").decode(errors="replace")


def _log_start(log: Log, store: Store, request: Request, model: str, seed: int) -> None:
    port = 30000 + seed * 7919 % 20000
    for place, text in (
        ("common.go:156", f"CLI app data directory: {store.root}"),
        ("server.go:210", f"Language server listening on random port at {port} for HTTPS"),
        ("server.go:218", f"Language server listening on random port at {port + 1} for HTTP"),
        (
            "printmode.go:71",
            f"Print mode: starting (promptLength={len(request.prompt)}, "
            f'model="{model}", conversationID="{request.conversation or ""}")',
        ),
        ("printmode.go:225", "Print mode: silent auth succeeded"),
    ):
        log.write(place, text)


def _write(stream: BinaryIO, text: str) -> None:
    """Write all of it; like agy, go on where nobody takes it (a full disk, a stream that is closed)."""
    data = text.encode(errors="surrogateescape")
    with suppress(OSError):
        while data:
            taken = stream.write(data)
            if taken is None:  # the caller made the pipe non-blocking
                select([], [stream], [])
            data = data[taken or 0 :]

"""A call in print mode, from its command line to its turns: the prompt, what is refused, the stage."""

from __future__ import annotations

from fake_agy.command.models import choose
from fake_agy.interrupts import Interrupted
from fake_agy.output.output import output_for
from fake_agy.stores.first_start import prepare
from fake_agy.stores.layout import layout_of
from fake_agy.stores.log import open_log
from fake_agy.turns.ending import Ending
from fake_agy.turns.print_mode import Taken, nothing_taken, print_once
from fake_agy.turns.stage import Request, Stage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_agy.command.line import CommandLine
    from fake_agy.command.models import Chosen
    from fake_agy.output.output import Output
    from fake_agy.profile.resolve import Profile
    from fake_agy.settings import DoubleSettings
    from fake_agy.world import World

NO_HOME = "Failed to start: $HOME is not defined: $HOME is not defined\n"


def print_call(line: CommandLine, world: World, settings: DoubleSettings, profile: Profile) -> Taken:
    """Play a call in print mode to its end."""
    output = _output(line.last("output-format"), world, profile)
    streamed = line.last("input-format") == "stream-json"
    if streamed:
        misused = _misused(line, output, profile)
        if misused is not None:
            return _refused(misused, output, None)
    prompt = None if streamed else _prompt(line.last("print"), world, profile)
    if prompt is not None and prompt.lstrip().startswith("/"):
        from fake_agy.local_answers import slash_call  # prompts hardly ever begin with a slash

        answered = slash_call(prompt, line, world, output, profile)
        if answered is not None:
            return answered
    if prompt is not None and not prompt.strip():
        return _refused(Ending(1, err=_empty(profile)), output, prompt)
    if world.home is None:
        return _refused(Ending(1, err=NO_HOME), output, prompt)
    chosen = choose(plain(line.last("model") or ""), line.last("effort"), profile, output.format)
    if isinstance(chosen, Ending):
        return _refused(chosen, output, prompt)
    request = _request(line, chosen, prompt, world, profile)
    if isinstance(request, Ending):
        return _refused(request, output, prompt)
    stage = staged(request, line.last("log-file") or None, world, settings, profile, output)
    world.interrupts.ignores = stage.passes
    try:
        if prompt is not None:
            return print_once(stage, prompt)
        from fake_agy.turns.session import hold_session  # few calls send their prompts as a stream

        return hold_session(stage, line.last("print"))
    except Interrupted as interrupted:
        if output.over:
            return Taken(1, prompt)
        return _refused(stage.ending_at(interrupted.number), output, prompt)


def _output(asked: str | None, world: World, profile: Profile) -> Output:
    """Choose the format; some versions' text depends on what stdout is (contract.md 2.2)."""
    output = output_for(asked, world.out, world.err, tools_first=profile["init-order"] == "tools-first")
    if output.format != "text":
        return output
    if world.stdout_is_tty and profile["print-on-terminal"] == "styled":
        from fake_agy.screen.printed import StyledOutput  # most callers have no terminal

        return StyledOutput(world.out, world.err)
    if not world.stdout_is_tty and profile["piped-text"] == "lost":
        return output_for(asked, lambda _text: None, world.err, tools_first=True)
    return output


def staged(
    request: Request,
    log_file: str | None,
    world: World,
    settings: DoubleSettings,
    profile: Profile,
    output: Output,
) -> Stage:
    """Lay out the store and the log of a call; `world.home` is known here."""
    layout = layout_of(str(world.home))
    prepare(layout, settings.seed, profile)
    seed = settings.seed
    pid = 10000 + seed % 50000 if world.clock.frozen else world.pid
    port = 30000 + (seed if world.clock.frozen else world.pid) * 7919 % 20000
    log = open_log(layout, log_file, world.clock, pid)
    return Stage(request, profile, settings, layout, world, output, log, pid, port)


def plain(argument: str) -> str:
    """Put U+FFFD for what isn't UTF-8, since JSON can't hold it."""
    return argument.encode(errors="surrogateescape").decode(errors="replace")


def _prompt(given: str | None, world: World, profile: Profile) -> str:
    """Take the prompt from its flag, else from stdin; old versions read stdin to its end in any case."""
    if given is None or (given == "-" and profile["dash-prompt"] == "stdin"):
        return world.stdin.to_the_end().decode(errors="replace")
    if profile["stdin-beside-prompt"] == "read" and world.stdin.kind != "terminal":
        piped = world.stdin.to_the_end().decode(errors="replace")
        return plain(given) or piped
    return plain(given)


def _misused(line: CommandLine, output: Output, profile: Profile) -> Ending | None:
    """Say what is wrong beside a stream of messages (contract.md 1.5, 3.4)."""
    if output.format != "stream-json":
        text = "--input-format stream-json requires --output-format stream-json"
    elif line.last("print") and profile["prompt-beside-stream-input"] == "refused":
        text = "--print takes no prompt with --input-format stream-json"
    else:
        return None
    return Ending(1, "ERROR", text, err=f"{profile['error-marker']}: {text}\n")


def _empty(profile: Profile) -> str:
    return f"{profile['error-marker']}: empty prompt\n"


def _request(
    line: CommandLine, chosen: Chosen, prompt: str | None, world: World, profile: Profile
) -> Request | Ending:
    """Put a call's wishes together, or say what is wrong with them."""
    if line.last("agent") or line.last("prompt-interactive") is not None:
        from fake_agy.command.warnings import warnings_of  # few calls have anything to be warned of

        world.err(warnings_of(line, profile, world.home, world.cwd))
    schema = None
    text = line.last("json-schema")
    if text is not None:
        from fake_agy.turns.schema import load_schema

        loaded = load_schema(plain(text), profile, _read_file)
        if isinstance(loaded, Ending):
            return loaded
        schema = loaded
    mode = _mode(line, world, profile)
    return Request(
        conversation=None
        if line.last("conversation") is None
        else plain(line.last("conversation") or "") or None,
        continued=line.on("continue"),
        model=chosen.slug,
        label=chosen.label,
        model_asked=line.last("model") is not None,
        agent=line.last("agent"),
        mode=mode,
        skip_permissions=line.on("dangerously-skip-permissions"),
        sandboxed=line.on("sandbox"),
        # A relative one silently leads nowhere (contract.md 1.2).
        add_dirs=tuple(folder for folder in line.all("add-dir") if folder.startswith("/")),
        project=line.last("project") or "default-cli-project",
        new_project=line.on("new-project"),
        timeout=line.last("print-timeout"),
        streamed=line.last("input-format") == "stream-json",
        schema=schema,
        expanded=_expanded(line, mode, prompt, world, profile),
    )


def _expanded(
    line: CommandLine, mode: str | None, prompt: str | None, world: World, profile: Profile
) -> tuple[Mapping[str, str], ...]:
    """Name what a stream's init lists as expanded: the plan mode, and what the prompt begins with."""
    by_mode: tuple[Mapping[str, str], ...] = ({"name": "plan", "type": "system"},) if mode == "plan" else ()
    if prompt is None or not prompt.lstrip().startswith("/"):
        return by_mode
    from fake_agy.local_answers import slash_expansions  # prompts hardly ever begin with a slash

    typed = slash_expansions(prompt, line, world, profile)
    return typed if by_mode == typed else (*by_mode, *typed)


def _mode(line: CommandLine, world: World, profile: Profile) -> str | None:
    """Take the mode where the version heeds it in print mode (contract.md 1.5, 1.6)."""
    mode = line.last("mode")
    if mode is None or not profile["mode-in-print"]:
        return None
    if mode not in {"accept-edits", "plan"}:
        world.err(f'warning: unrecognized --mode value "{plain(mode)}" (valid: accept-edits, plan)\n')
        return None
    if mode == "plan" and line.on("disable-slash-commands"):
        world.err("warning: --mode plan has no effect while slash command expansion is disabled\n")
        return None
    return mode


def _read_file(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return None


def _refused(ending: Ending, output: Output, prompt: str | None) -> Taken:
    """Show what a call is refused with, as a result where the output has results."""
    if ending.error is not None:
        output.result(nothing_taken(ending))
    output.end(ending)
    return Taken(ending.exit, prompt)

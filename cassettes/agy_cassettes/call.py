"""What a call of agy asks for, read from its arguments as Go's `flag` package reads them.

The shim loads this module, so it imports nothing::

    parse_call(argv: Sequence[str]) -> Call      argv without the program's name; surrogate escapes are fine
    identity(call, prompt, argv) -> bytes        equal for calls that the default matchers take for the same
    costs_no_turn(call, exit_code) -> bool       whether a recorded call may be repeated freely

Sources: contract.md 1.1 to 1.5.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

STRING_FLAGS = {
    "print": "print",
    "p": "print",
    "prompt": "print",
    "prompt-interactive": "prompt-interactive",
    "i": "prompt-interactive",
    "conversation": "conversation",
    "add-dir": "add-dir",
    "log-file": "log-file",
    "print-timeout": "print-timeout",
    "model": "model",
    "project": "project",
    "mode": "mode",
    "agent": "agent",
    "effort": "effort",
    "output-format": "output-format",
    "input-format": "input-format",
    "json-schema": "json-schema",
    "csrf_token": "csrf_token",
    "gemini_dir": "gemini_dir",
}
"""Flags that take a value, as typed and as `Call.flags` names them (contract.md 1.2)."""

BOOLEAN_FLAGS = {
    "continue": "continue",
    "c": "continue",
    "dangerously-skip-permissions": "dangerously-skip-permissions",
    "sandbox": "sandbox",
    "new-project": "new-project",
    "disable-slash-commands": "disable-slash-commands",
    "remote-control": "remote-control",
    "version": "version",
    "help": "help",
    "h": "help",
}
"""Flags that take a value only with ``=``."""

SUBCOMMANDS = (
    *("agent", "agents", "agentapi", "changelog", "help", "install", "mcp", "mic-serve", "models"),
    *("plugin", "plugins", "remote-control", "update"),
)
"""The first words that are no prompt (contract.md 1.3)."""

_PROBES = ("agent", "agents", "changelog", "help", "models")
_PROBE_PAIRS = (("plugin", "list"), ("plugins", "list"), ("mcp", "list"), ("remote-control", "status"))
_TRUE = ("1", "t", "T", "true", "TRUE", "True")
_FALSE = ("0", "f", "F", "false", "FALSE", "False")


class Call:
    """One call of agy.

    `kind` is ``turn`` (a prompt for the model, in print mode), ``probe`` (costs no turn and changes nothing,
    such as ``--version``) or ``other``. `prompt_at` and `log_file_at` are where in argv the text stands: the
    index of the item (without the program's name) and the offset in it. `flags` holds name and value in
    order, aliases under their long name, booleans as ``true`` or ``false``. `rest` is what is left after the
    flags. `problems` are tuples of what, the flag's name as typed, and its value: ``unknown``, ``no_value``,
    ``bad_boolean``, ``bad_syntax``; agy itself stops at the first and exits 2.
    """

    __slots__ = (
        "add_dirs",
        "continue_",
        "conversation",
        "flags",
        "input_format",
        "interactive",
        "kind",
        "log_file",
        "log_file_at",
        "model",
        "output_format",
        "print_timeout",
        "problems",
        "prompt",
        "prompt_at",
        "prompt_on_stdin",
        "rest",
    )

    def __init__(
        self, flags: "tuple[_Flag, ...]", rest: tuple[str, ...], problems: "tuple[Problem, ...]"
    ) -> None:
        last = {flag[0]: flag for flag in flags}
        nothing = ("", None, None)
        self.flags: tuple[tuple[str, str | None], ...] = tuple((name, value) for name, value, _ in flags)
        self.rest: tuple[str, ...] = rest
        self.problems: tuple[Problem, ...] = problems
        self.prompt: str | None = last.get("print", nothing)[1]
        self.prompt_at: tuple[int, int] | None = last.get("print", nothing)[2]
        self.interactive: str | None = last.get("prompt-interactive", nothing)[1]
        self.conversation: str | None = last.get("conversation", nothing)[1]
        self.continue_: bool = last.get("continue", nothing)[1] == "true"
        self.output_format: str | None = last.get("output-format", nothing)[1]
        self.input_format: str | None = last.get("input-format", nothing)[1]
        self.model: str | None = last.get("model", nothing)[1]
        self.add_dirs: tuple[str, ...] = tuple(
            value for name, value, _ in flags if name == "add-dir" and value
        )
        self.log_file: str | None = last.get("log-file", nothing)[1]
        self.log_file_at: tuple[int, int] | None = last.get("log-file", nothing)[2]
        self.print_timeout: str | None = last.get("print-timeout", nothing)[1]
        self.kind: Literal["turn", "probe", "other"] = _kind(last, rest, problems)
        self.prompt_on_stdin: bool = (
            self.kind == "turn" and self.prompt is None and self.input_format != "stream-json"
        )
        """Whether the prompt is stdin to its end: true of `agy` alone, too, unless stdin is a terminal."""

    @property
    def reads_stdin(self) -> bool:
        """Whether agy reads its stdin: for the prompt, or for ``stream-json`` messages."""
        return self.prompt_on_stdin or (self.kind == "turn" and self.input_format == "stream-json")


Problem = tuple[str, str, str | None]
_Flag = tuple[str, str | None, tuple[int, int] | None]


def parse_call(argv: "Sequence[str]") -> Call:
    """Return what `argv` asks for; it never fails, whatever stands there.

    Parsing stops at the first word that is no flag, as agy's does. A flag that isn't known takes the next
    word along unless that is a flag or a subcommand: newer agys have flags that this table lacks.
    """
    flags: list[_Flag] = []
    problems: list[Problem] = []
    at = 0
    while at < len(argv):
        word = argv[at]
        if word == "--":
            at += 1
            break
        if len(word) < 2 or word[0] != "-":
            break
        at += _read_flag(argv, at, flags, problems)
    return Call(tuple(flags), tuple(argv[at:]), tuple(problems))


def identity(call: Call, prompt: bytes | None, argv: "Sequence[bytes]") -> bytes:
    """Return what the default matchers compare, as one string of bytes to be hashed.

    `prompt` and `argv` (without the program's name, the prompt in it as ``${PROMPT}``) are in their stored
    form, and `call` was parsed from that argv. Two calls that are no turns are the same if their argv is.
    """
    parts: list[bytes | None] = [call.kind.encode()]
    if call.kind == "turn":
        parts += [prompt, *(_bytes(text) for text in turn_fields(call))]
        for problem in call.problems:
            parts += [_bytes(text) for text in problem]
    else:
        parts += argv
    return b"".join(b"-," if part is None else b"%d:%s," % (len(part), part) for part in parts)


def costs_no_turn(call: Call, exit_code: int | None) -> bool:
    """Return whether a recorded call may be repeated freely: a probe, or one that agy refused.

    agy exits 2 for unknown flags, swallowed prompts and refused slash commands, and for nothing else
    (contract.md 2.5).
    """
    return call.kind == "probe" or exit_code == 2


def turn_fields(call: Call) -> tuple[str | None, str | None, str, str]:
    """Return what identifies a turn beside its prompt: conversation, ``--continue``, output and input format.

    A format that is not given is ``text``, agy's default (contract.md 1.2).
    """
    continued = "true" if call.continue_ else None
    return call.conversation, continued, call.output_format or "text", call.input_format or "text"


def _read_flag(argv: "Sequence[str]", at: int, flags: list[_Flag], problems: list[Problem]) -> int:
    """Read the flag at `at` into `flags` and `problems`; return how many words it took."""
    word = argv[at]
    dashes = 2 if word[1] == "-" else 1
    name, equals, value = word[dashes:].partition("=")
    if not name or name[0] == "-":
        problems.append(("bad_syntax", word, None))
        return 1
    behind_equals = (at, dashes + len(name) + 1)
    if name in BOOLEAN_FLAGS:
        flags.append((BOOLEAN_FLAGS[name], _boolean(name, value if equals else "true", problems), None))
        return 1
    if equals:
        if name not in STRING_FLAGS:
            problems.append(("unknown", name, value))
        flags.append((STRING_FLAGS.get(name, name), value, behind_equals))
        return 1
    following = argv[at + 1] if at + 1 < len(argv) else None
    if name in STRING_FLAGS:
        if following is None:
            problems.append(("no_value", name, None))
            return 1
        flags.append((STRING_FLAGS[name], following, (at + 1, 0)))
        return 2
    if following is None or following[:1] == "-" or following in SUBCOMMANDS:
        following = None
    problems.append(("unknown", name, following))
    flags.append((name, following, None if following is None else (at + 1, 0)))
    return 1 if following is None else 2


def _boolean(name: str, value: str, problems: list[Problem]) -> str:
    if value in _TRUE:
        return "true"
    if value not in _FALSE:
        problems.append(("bad_boolean", name, value))
    return "false"


def _kind(
    last: "dict[str, _Flag]", rest: tuple[str, ...], problems: "tuple[Problem, ...]"
) -> "Literal['turn', 'probe', 'other']":
    if any(name in last and last[name][1] == "true" for name in ("help", "version")):
        return "probe"
    if any(what != "unknown" for what, _, _ in problems):
        return "probe"
    if "print" in last:
        return "turn"
    if "prompt-interactive" in last:
        return "other"
    if not rest:
        return "turn"
    return "probe" if rest[0] in _PROBES or rest[:2] in _PROBE_PAIRS else "other"


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode("utf-8", "surrogateescape")

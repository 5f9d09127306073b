"""The calls that show what stands on a terminal, and what is asked of it."""

import json

from tests.contract.flips.flip import Call, Flip, says
from tests.support.double import Double

IDLE, BUSY = b"? for shortcuts", b"esc to cancel"
Typed = tuple[tuple[bytes, bytes], ...]


def trusting(double: Double) -> None:
    """Trusts the working directory beforehand."""
    double.root.mkdir(parents=True, mode=0o700, exist_ok=True)
    (double.root / "settings.json").write_text(json.dumps({"trustedWorkspaces": [str(double.cwd)]}))


def sent(text: bytes, *, ended: bytes = b"My word") -> Typed:
    """Types a prompt and waits for the end of its turn."""
    return ((IDLE, text), (text, b"\r"), (BUSY, b""), (ended, b""))


LEAVE: Typed = ((IDLE, b"/exit"), (b"> /exit", b"\r"))
RUN = ("use_tool", {"name": "run_command", "args": {"CommandLine": "true"}, "output": "ran\n"})
DONE = ("say", {"text": "Done.\n"})


def session(*typed: Typed, env: tuple[tuple[str, str], ...] = ()) -> Call:
    """One session in which things are typed one after the other."""
    return Call((), terminal=True, typed_after=tuple(pair for part in typed for pair in part), env=env)


def holding(*typed: Typed) -> Flip:
    """One session in a folder that is trusted."""
    return Flip((session(*typed),), prepare=trusting)


FLIPS = {
    "print-on-terminal": Flip((Call(("-p", "hello"), terminal=True),)),
    "piped-text": says("-p", "hello"),
    "exit-lines": holding(sent(b"hello"), LEAVE),
    "ctrl-c": holding(((IDLE, b"\x03"), (b"press ctrl+c again", b"\x03"))),
    # As one text it stands in the composer on three lines, and doesn't exit.
    "unbracketed-paste": holding(
        ((IDLE, b"/exit\r\r"), (b"> /exit\r\n\r\n\r\n", b"\x15/quit"), (b"> /quit", b"\r"))
    ),
    "permission-question": Flip(
        (session(((IDLE, b"hello"), (b"hello", b"\r"), (b"4. No", b"4"), (b"Done.", b"")), LEAVE),),
        turns=((RUN, DONE),),
        prepare=trusting,
    ),
    "announcement-card": holding(LEAVE),
    "survey-card": holding(sent(b"hello"), ((IDLE, b"0"), (IDLE, b"\x15/exit"), (b"> /exit", b"\r"))),
    "tool-lines": Flip(
        (
            Call(
                ("--dangerously-skip-permissions", "-i", "hello"),
                terminal=True,
                typed_after=((b"Done.", b""), *LEAVE),
            ),
        ),
        turns=((RUN, RUN, DONE),),
        prepare=trusting,
    ),
    "default-screen": holding(LEAVE),
    "graphics-query": Flip(
        (session(LEAVE, env=(("TMUX", "/tmp/tmux,1,0"),)), session(LEAVE, env=(("SSH_TTY", "/dev/pts/1"),))),
        prepare=trusting,
    ),
    "terminal-name-query": holding(LEAVE),
    "kitty-keyboard": holding(sent(b"hello"), LEAVE),
    "history-type": holding(LEAVE),
}

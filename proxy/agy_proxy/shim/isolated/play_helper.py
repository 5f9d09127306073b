"""Asking the helper, a process of ordinary Python: for what the shim can't do, and the words of a miss."""

import _signal  # type: ignore[import-not-found]  # built in, and not in typeshed
import marshal
import posix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from agy_proxy.shim.isolated.play_counts import Claim
    from agy_proxy.shim.isolated.play_live import Live

_MARSHAL = 2


def ask(
    settings: "Mapping[str, Any]",
    live: "Live | None",
    mode: str,
    got: "Claim | None",
    differs: "tuple[Any, ...] | None" = None,
) -> "tuple[str, Any]":
    """What the helper answers.

    ``play`` and a number, ``record`` and None, or ``refuse`` and the text to print. Without a live call
    it makes the play file anew and answers ``compiled`` or ``refuse``. `differs` is about input: of two
    lines, as (asked, recorded), the answer is ``alike`` or ``unlike``; of a departure, as the fields of its
    error and the id of the interaction, it is ``refuse``. A helper that can't be started, or that fails, is
    a refusal.
    """
    question = {
        "settings": dict(settings),
        "mode": mode,
        "pid": posix.getpid(),
        "live": None,
        "differs": differs,
    }
    call = turn = 0
    if got is not None:
        call, turn = got.call, got.turn
    question["call"], question["turn"] = call, turn
    if live is not None:
        question["live"] = {
            "argv": live.argv,
            "stdin": live.stdin,
            "cwd": live.cwd,
            "home": live.home,
            "tmp": live.tmp,
        }
    try:
        answer = marshal.loads(_exchange(settings["helper"], marshal.dumps(question, _MARSHAL)))
        return answer[0], answer[1]
    except (OSError, ValueError, EOFError, TypeError, KeyError) as failed:
        what = (
            "no recorded call matches" if live is not None else "the cassette changed and can't be compiled"
        )
        return "refuse", f"agy-proxy: {what} (call {call}); the helper that tells more failed: {failed}\n"


def _exchange(argv: "list[str]", question: bytes) -> bytes:
    """Runs `argv` with `question` on its stdin; what it prints."""
    asked_out, asked_in = posix.pipe()
    told_out, told_in = posix.pipe()
    pid = posix.fork()
    if pid == 0:
        try:
            # The helper keeps the shim's stderr: if Python can't even start there, its words are the only
            # ones.
            posix.dup2(asked_out, 0)
            posix.dup2(told_in, 1)
            # A pipe may have been given these very numbers, where the shim was started with closed streams.
            posix.set_inheritable(0, True)  # noqa: FBT003 -- posix takes it so
            posix.set_inheritable(1, True)  # noqa: FBT003 -- posix takes it so
            posix.execve(argv[0], argv, posix.environ)
        finally:
            posix._exit(127)  # noqa: SLF001 -- its public name is in `os`, which the shim doesn't load
    posix.close(asked_out)
    posix.close(told_in)
    # A helper that dies at once is a refusal, not the end of the shim.
    before = _signal.signal(_signal.SIGPIPE, _signal.SIG_IGN)
    try:
        while question:
            question = question[posix.write(asked_in, question) :]
    except BrokenPipeError:
        pass
    _signal.signal(_signal.SIGPIPE, before)
    posix.close(asked_in)
    parts = []
    while part := posix.read(told_out, 65536):
        parts.append(part)
    posix.close(told_out)
    posix.waitpid(pid, 0)
    return b"".join(parts)

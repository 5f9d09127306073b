"""Play files of installed shims: made anew when the cassette changed, with the play counts carried over."""

import contextlib
import hashlib
import os
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from agy_cassettes.matchers import DEFAULT_MATCH_ON
from agy_proxy.replay.compile import Readable, compile_play_file
from agy_proxy.shim.isolated.play_counts import Counts
from agy_proxy.shim.isolated.play_file import PlayFile, identity, open_play_file


def recompile(
    cassette: Path,
    play_file: Path,
    counts_file: Path,
    *,
    opened: Callable[[Path], Readable],
    folder: Path | None = None,
    match_on: Sequence[str] = DEFAULT_MATCH_ON,
    matchers: Path | None = None,
) -> bool:
    """Makes `play_file` fit the cassette, unless it does; whether it had to.

    With `folder`, an installation's, the file lies there under the cassette's sha256 and `play_file` is a
    symlink to it. What was played stays played, by the ids of interactions. Shims that come meanwhile wait
    for the counts file. Raises `CassetteError` where the cassette can't be read.
    """
    with closing(Counts(os.fspath(counts_file), 0)) as counts:
        with contextlib.ExitStack() as stack:
            old = _open(play_file)
            if old is not None:
                stack.enter_context(closing(old))
                if old.header["identity"] == identity(os.fspath(cassette)):
                    return False
            played = _played(old, counts)
        made = _target(cassette, play_file, folder, match_on, matchers)
        fresh = made.with_name(f"{made.name}.{os.getpid()}")
        compile_play_file(opened(cassette), fresh, match_on=match_on, matchers=matchers)
        with closing(open_play_file(os.fspath(fresh))) as new:
            # In this order a kill in between leaves a play file that is still stale, and the next call comes
            # here.
            counts.renew(new.header["stamp"])
            for index, request in enumerate(new.requests()):
                if request["id"] in played:
                    counts.keep(index, played[request["id"]])
        fresh.replace(made)
        if made != play_file:
            _point(play_file, made)
        return True


def _open(play_file: Path) -> PlayFile | None:
    try:
        return open_play_file(os.fspath(play_file))
    except (OSError, ValueError):
        return None


def _played(old: PlayFile | None, counts: Counts) -> dict[str, tuple[int, int, int, int]]:
    if old is None or counts.stamp() != old.header["stamp"]:
        return {}
    slots = {request["id"]: counts.slot(index) for index, request in enumerate(old.requests())}
    return {name: slot for name, slot in slots.items() if slot[0]}


def _target(
    cassette: Path, play_file: Path, folder: Path | None, match_on: Sequence[str], matchers: Path | None
) -> Path:
    if folder is None:
        return play_file
    with cassette.open("rb") as file:
        name = hashlib.file_digest(file, "sha256").hexdigest()
    if matchers is not None or tuple(match_on) != DEFAULT_MATCH_ON:
        options = repr((tuple(match_on), str(matchers))).encode()
        name += f"-{hashlib.sha256(options).hexdigest()[:16]}"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder / name


def _point(play_file: Path, made: Path) -> None:
    """Makes `play_file` lead to `made`, and removes the file it led to before.

    Another install makes it anew.
    """
    before = play_file.resolve() if play_file.is_symlink() else None
    part = play_file.with_name(f"{play_file.name}.{os.getpid()}")
    part.symlink_to(made)
    part.replace(play_file)
    if before is not None and before != made.resolve():
        before.unlink(missing_ok=True)

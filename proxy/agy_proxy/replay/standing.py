"""What stood in the store before a recording began: laid out before the client of a replay starts."""

import os
from contextlib import closing
from pathlib import Path

from agy_cassettes.places import Places
from agy_proxy.replay.writer import Writer
from agy_proxy.shim.isolated import play_store
from agy_proxy.shim.isolated.play_file import open_play_file
from agy_proxy.shim.isolated.play_text import Clock, Text, live_edits


def lay_out(play_file: Path, *, home: Path, cwd: Path, tmp: Path, now: int) -> int:
    """Writes the files that stood there into the store of `home`, where they are not; how many there are.

    A client may count the rows of a conversation before it goes on with it. `now` is in ns of the epoch.

    Raises
    ------
    `play_store.RefusedError` for a store behind a symlink.
    """
    spelled = Places(os.fsencode(home), os.fsencode(cwd), tmp=os.fsencode(tmp)).paths
    values = {name.decode(): paths[0] if paths else None for name, paths in spelled.items()}
    roots: dict[str, bytes | None] = {"store": os.fsencode(home)}
    laid = 0
    writer = Writer(os.fsencode(home), now=now / 1e9)
    with closing(open_play_file(os.fspath(play_file))) as play, closing(writer):
        for index, request in enumerate(play.requests()):
            if not request["stands"]:
                continue
            record = play.record(index)
            at = record.facts["at"]
            clock = None if at is None else Clock(at, now, 1)
            for event in record.facts["files"]:
                if event["op"] == "stand":
                    offset, length, marks = event["text"]
                    text = Text(record.read, offset, length, live_edits(marks, values, clock))
                    pieces = text.take(text.length)
                    if event["how"] == "decoded":
                        writer.write("stand", event["parts"], b"".join(pieces))
                    else:
                        play_store.perform("stand", roots, event["root"], event["parts"], pieces)
                    laid += 1
    return laid

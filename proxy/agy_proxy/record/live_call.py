"""A call that is being recorded, as far as its journal tells while it grows."""

import os
from pathlib import Path

from agy_proxy.record.convert import call_of, log_file_of
from agy_proxy.record.journal import (
    LONGEST_HEADER,
    Start,
    is_alive,
    lock_if_finished,
    parse_header,
    read_start,
)
from agy_proxy.watch.rows import conversation_in_output
from agy_proxy.watch.tail import Tail

HEAD = 65_536
"""Bytes of structured output in which the conversation's id is looked for."""
STRUCTURED = ("json", "stream-json")


class LiveCall:
    """One call: its start, its agy's pid, what it has printed so far that names a conversation.

    Only headers of frames are read, and the few bodies that matter, so that a call's megabytes cost nothing.
    """

    def __init__(self, path: Path, start: Start, read_to: int) -> None:
        self.path = path
        self.start = start
        self.call = call_of(start)
        self.child: int | None = None
        self.exited_at: int | None = None
        """CLOCK_MONOTONIC ns."""
        self.ended = False
        self._read_to = read_to
        self._stdin = b""
        self._output = b""
        log = log_file_of(start, self.call)
        self.log = None if log is None else Tail(log, start.before.get(log))

    @classmethod
    def open(cls, path: Path) -> "LiveCall | None":
        """Begin to follow a journal; None while its start is not whole."""
        try:
            with path.open("rb") as file:
                line = file.readline(LONGEST_HEADER)
                header = parse_header(line[:-1]) if line.endswith(b"\n") else None
                payload = file.read(header[2]) if header is not None and header[0] == "S" else b""
        except OSError:
            return None
        if header is None or len(payload) != header[2]:
            return None
        start = read_start(payload)
        return None if start is None else cls(path, start, len(line) + len(payload))

    @property
    def prompt(self) -> bytes | None:
        """The prompt as far as it is known; from stdin it may still be growing."""
        given = self.call.prompt if self.call.prompt is not None else self.call.interactive
        if given is not None:
            return given.encode("utf-8", "surrogateescape")
        return self._stdin if self._prompt_on_stdin else None

    @property
    def _prompt_on_stdin(self) -> bool:
        return self.call.prompt_on_stdin and self.start.terminal != "session"

    @property
    def told_conversation(self) -> str | None:
        """The conversation that the output names."""
        return conversation_in_output(self._output)

    def look(self) -> None:
        """Read what the journal has grown by, and see whether the call is over and all its writers gone."""
        try:
            fd = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self.ended = True
            return
        try:
            while self._read_frame(fd):
                pass
        finally:
            os.close(fd)
        if self.exited_at is not None or not is_alive(self.start.pid):
            self._see_whether_ended()

    def _read_frame(self, fd: int) -> bool:
        head = os.pread(fd, LONGEST_HEADER, self._read_to)
        line, newline, _ = head.partition(b"\n")
        header = parse_header(line) if newline else None
        if header is None:
            return False
        code, at, length = header
        body_at = self._read_to + len(line) + 1
        if os.fstat(fd).st_size < body_at + length:
            return False
        self._read_to = body_at + length
        if code == "x":
            self.exited_at = at
        elif code == "p":
            pid = os.pread(fd, min(length, 20), body_at)
            self.child = int(pid) if pid.isdigit() else None
        elif code == "i" and self._prompt_on_stdin:
            self._stdin += os.pread(fd, length, body_at)
        elif code in "om" and self.call.output_format in STRUCTURED and len(self._output) < HEAD:
            self._output += os.pread(fd, min(length, HEAD), body_at)
        return True

    def _see_whether_ended(self) -> None:
        fd = lock_if_finished(self.path)
        if fd is not None:
            os.close(fd)
            self.ended = True

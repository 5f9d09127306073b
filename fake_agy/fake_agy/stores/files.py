"""Files as agy keeps them, and the lock under which doubles that share a HOME change them."""

from __future__ import annotations

import fcntl
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.stores.layout import Layout


class locked:  # noqa: N801 - it reads as a statement: with locked(layout)
    """Hold the one lock of a HOME; it ends with the process."""

    def __init__(self, layout: Layout) -> None:
        self._own = layout.own

    def __enter__(self) -> None:
        private_folder(self._own)
        self._descriptor = open_private(f"{self._own}/lock")
        fcntl.flock(self._descriptor, fcntl.LOCK_EX)

    def __exit__(self, *why: object) -> None:
        os.close(self._descriptor)


def private_folder(path: str) -> None:
    """Make a folder and those above it that are missing, each with mode 0700; "" is the working directory."""
    if path and not os.path.isdir(path):
        private_folder(os.path.dirname(path))
        try:
            os.mkdir(path, 0o700)
        except FileExistsError:
            if not os.path.isdir(path):  # else another double was faster
                raise


def size_of(path: str) -> int:
    """Give a file's size in bytes, 0 where there is none."""
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return 0


def open_private(path: str) -> int:
    """Open a file for reading and appending, made with mode 0600 where it is new; gives its descriptor."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)


def replace_private(path: str, data: bytes) -> None:
    """Put a file of mode 0600 in place whole, so that a reader never sees half of it."""
    private_folder(os.path.dirname(path))
    folder, name = os.path.split(path)
    draft = f"{folder}/.{name}.{os.getpid()}"
    if os.path.lexists(draft):  # of a process with this number that was killed
        os.unlink(draft)
    descriptor = open_private(draft)
    try:
        write_all(descriptor, data)
        os.replace(draft, path)
    except OSError:
        os.unlink(draft)
        raise
    finally:
        os.close(descriptor)


def append_private(path: str, data: bytes) -> None:
    """Append whole lines in one write; a torn last line that stands there gets its newline first."""
    descriptor = _opened(path)
    try:
        size = os.fstat(descriptor).st_size
        torn = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
        _append(descriptor, size, b"\n" * torn + data)
    finally:
        os.close(descriptor)


def append_piece(path: str, data: bytes) -> None:
    """Append bytes that need be no whole lines, in one write."""
    descriptor = _opened(path)
    try:
        _append(descriptor, os.fstat(descriptor).st_size, data)
    finally:
        os.close(descriptor)


def read_bytes(path: str) -> bytes | None:
    """Read a file whole; None where there is none."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        pieces = []
        while piece := os.read(descriptor, 1 << 20):
            pieces.append(piece)
        return b"".join(pieces)
    except OSError as wrong:
        wrong.filename = path  # the system doesn't tell which file it was
        raise
    finally:
        os.close(descriptor)


def _append(descriptor: int, size: int, data: bytes) -> None:
    """Write all of `data` behind the `size` bytes there, or none of it: half a row would stay for ever."""
    try:
        write_all(descriptor, data)
    except OSError:
        os.ftruncate(descriptor, size)
        raise


def _opened(path: str) -> int:
    """Open a file for appending; its folder is made only where the first try fails, which is rare."""
    try:
        return open_private(path)
    except FileNotFoundError:
        private_folder(os.path.dirname(path))
        return open_private(path)


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of `data`, in one go wherever the system takes it in one go."""
    while data:
        data = data[os.write(descriptor, data) :]

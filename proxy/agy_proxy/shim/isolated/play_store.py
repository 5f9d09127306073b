"""The files that agy wrote meanwhile, written again.

Below the replay's own store, and to the call's log file. Nothing outside is written: every component below
the root is opened without following a symlink. Files are created 0600, folders 0700.
"""

import errno
import posix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Roots = dict[str, bytes | None]

_FOLDER = posix.O_RDONLY | posix.O_DIRECTORY | posix.O_CLOEXEC
_LINKS = posix.O_NOFOLLOW
_KIND = 0o170000
_SYMLINK = 0o120000
STORE = (b".gemini", b"antigravity-cli")
"""Where the store lies in HOME (contract.md 2.9)."""


class RefusedError(OSError):
    """A path that leads out of the store: a component is a symlink, or no folder where one is needed."""


def check(roots: "Roots", root: str, parts: "tuple[bytes, ...]", *, link: bool = False) -> None:
    """Raises `RefusedError` where a file could not be written safely; what isn't there yet is fine.

    A file may be a symlink itself where it becomes a `link`: then it is replaced and not followed.
    """
    base = _base(roots, root)
    if base is None:
        return
    try:
        folder = _walk(base, _below(root, parts)[:-1], create=False)
    except FileNotFoundError:
        return
    try:
        if not link:
            _refuse_link(folder, _name(roots, root, parts))
    finally:
        posix.close(folder)


def read(roots: "Roots", root: str, parts: "tuple[bytes, ...]") -> "bytes | None":
    """A file whole; None where there is none. Raises `RefusedError` or OSError."""
    base = _base(roots, root)
    if base is None:
        return None
    try:
        folder = _walk(base, _below(root, parts)[:-1], create=False)
    except FileNotFoundError:
        return None
    try:
        name = _name(roots, root, parts)
        _refuse_link(folder, name)
        fd = posix.open(name, posix.O_RDONLY | posix.O_CLOEXEC | _LINKS, dir_fd=folder)
    except FileNotFoundError:
        return None
    finally:
        posix.close(folder)
    pieces = []
    try:
        while piece := posix.read(fd, 1 << 20):
            pieces.append(piece)
    finally:
        posix.close(fd)
    return b"".join(pieces)


def make_store(roots: "Roots") -> None:
    """Makes the folder of the store where it isn't there; raises `RefusedError` or OSError."""
    base = _base(roots, "store")
    if base is not None:
        posix.close(_walk(base, STORE, create=True))


def perform(
    op: str,
    roots: "Roots",
    root: str,
    parts: "tuple[bytes, ...]",
    pieces: "Iterable[bytes]",
    target: "tuple[bytes, ...] | None" = None,
) -> None:
    """Makes one change of a file; raises `RefusedError` or OSError.

    `root` is ``store``, ``log`` or ``workspace`` and `roots` says where each lies (None: nothing is written);
    for ``log`` `parts` is empty. `pieces` is what is written. ``stand`` writes a file that stood there before
    the call, unless it does.
    """
    base = _base(roots, root)
    if base is None:
        return
    folder = _walk(base, _below(root, parts)[:-1], create=root != "log")
    try:
        name = _name(roots, root, parts)
        if op == "stand":
            try:
                _write(folder, name, posix.O_EXCL, pieces)
            except FileExistsError:
                pass
        elif op in ("create", "append", "truncate") or (op == "replace" and root == "workspace"):
            # A file of the user's keeps its mode.
            how = posix.O_APPEND if op == "append" else posix.O_TRUNC
            _write(folder, name, how, pieces)
        elif op == "replace":
            _write(folder, name + b".new", posix.O_TRUNC, pieces)
            posix.rename(name + b".new", name, src_dir_fd=folder, dst_dir_fd=folder)
        elif op == "delete":
            posix.unlink(name, dir_fd=folder)
        elif op == "rename" and target is not None:
            other = _walk(base, _below(root, target)[:-1], create=True)
            try:
                posix.rename(name, target[-1], src_dir_fd=folder, dst_dir_fd=other)
            finally:
                posix.close(other)
        elif op == "symlink" and target is not None:
            _link(folder, name, target[-1])
    finally:
        posix.close(folder)


def _base(roots: "Roots", root: str) -> "bytes | None":
    path = roots.get(root)
    if path is not None and root == "log":
        # The client named this path itself, so its folder is the client's affair; the file is not a
        # symlink's.
        return path.rpartition(b"/")[0] or b"/"
    return path


def _below(root: str, parts: "tuple[bytes, ...]") -> "tuple[bytes, ...]":
    return STORE + parts if root == "store" else parts


def _name(roots: "Roots", root: str, parts: "tuple[bytes, ...]") -> bytes:
    if root == "log":
        return (roots[root] or b"").rpartition(b"/")[2]
    return parts[-1]


def _walk(base: bytes, parts: "tuple[bytes, ...]", *, create: bool) -> int:
    """The folder `parts` below `base`, opened."""
    folder = posix.open(base, _FOLDER)
    for part in parts:
        inner = None
        try:
            inner = _step(folder, part, create=create)
        finally:
            posix.close(folder)
        folder = inner
    return folder


def _step(folder: int, part: bytes, *, create: bool) -> int:
    try:
        return posix.open(part, _FOLDER | _LINKS, dir_fd=folder)
    except FileNotFoundError:
        if not create:
            raise
    except OSError as failed:
        raise _refusal(part, failed) from None
    try:
        posix.mkdir(part, 0o700, dir_fd=folder)
    except FileExistsError:
        # Another shim of the run was here first.
        pass
    try:
        return posix.open(part, _FOLDER | _LINKS, dir_fd=folder)
    except OSError as failed:
        raise _refusal(part, failed) from None


def _write(folder: int, name: bytes, how: int, pieces: "Iterable[bytes]") -> None:
    _refuse_link(folder, name)
    flags = posix.O_WRONLY | posix.O_CREAT | posix.O_CLOEXEC | _LINKS | how
    fd = posix.open(name, flags, 0o600, dir_fd=folder)
    try:
        for piece in pieces:
            while piece:
                piece = piece[posix.write(fd, piece) :]
    finally:
        posix.close(fd)


def _link(folder: int, name: bytes, target: bytes) -> None:
    """Makes `name` a symlink to its neighbour `target`, as agy does with ``cli.log`` (stores.md 1.2)."""
    draft = b".%s.%d" % (name, posix.getpid())
    try:
        posix.unlink(draft, dir_fd=folder)
    except FileNotFoundError:
        pass
    posix.symlink(target, draft, dir_fd=folder)
    posix.rename(draft, name, src_dir_fd=folder, dst_dir_fd=folder)


def _refuse_link(folder: int, name: bytes) -> None:
    try:
        mode = posix.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return
    if mode & _KIND == _SYMLINK:
        raise _refusal(name, OSError(errno.ELOOP, ""))


def _refusal(name: bytes, failed: OSError) -> OSError:
    if failed.errno in (errno.ELOOP, errno.ENOTDIR):
        told = name.decode("utf-8", "backslashreplace")
        return RefusedError(
            failed.errno, f"{told} is a symlink or no folder, and nothing is written through it"
        )
    return failed

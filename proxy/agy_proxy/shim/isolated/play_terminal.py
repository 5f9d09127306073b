"""The terminal of a replayed session: raw as agy's own is, and as it was on every end that can be caught."""

import _signal  # type: ignore[import-not-found]  # built in, and not in typeshed
import posix

from agy_proxy.shim.isolated import play_process as process

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_ENDING = (_signal.SIGHUP, _signal.SIGINT, _signal.SIGQUIT, _signal.SIGTERM)


def make_raw(awaited: "Iterable[int]", fd: int = 0) -> None:
    """Makes the terminal raw until this process ends or is stopped; nothing where `fd` is no terminal.

    The signals that the recording awaits are left alone.
    """
    # Not built into every Python, and only sessions need it.
    import termios

    try:
        before = termios.tcgetattr(fd)
        raw = termios.tcgetattr(fd)
    except termios.error:
        return
    raw[0] &= ~(termios.IGNBRK | termios.BRKINT | termios.PARMRK | termios.ISTRIP)
    raw[0] &= ~(termios.INLCR | termios.IGNCR | termios.ICRNL | termios.IXON)
    # What was recorded has been through the recording terminal's output processing.
    raw[1] &= ~termios.OPOST
    raw[2] = raw[2] & ~(termios.CSIZE | termios.PARENB) | termios.CS8
    raw[3] &= ~(termios.ECHO | termios.ECHONL | termios.ICANON | termios.ISIG | termios.IEXTEN)
    raw[6][termios.VMIN], raw[6][termios.VTIME] = 1, 0

    def restore() -> None:
        # Whoever is in the background by now may still put it back.
        old = _signal.pthread_sigmask(_signal.SIG_BLOCK, {_signal.SIGTTOU})
        try:
            termios.tcsetattr(fd, termios.TCSANOW, before)
        except termios.error:
            # It hung up.
            pass
        _signal.pthread_sigmask(_signal.SIG_SETMASK, old)

    def set_raw() -> None:
        termios.tcsetattr(fd, termios.TCSANOW, raw)

    def stop(number: int, _: object) -> None:
        restore()
        _signal.signal(number, _signal.SIG_DFL)
        posix.kill(posix.getpid(), number)
        # Here again: somebody continued it.
        _signal.signal(number, stop)
        set_raw()

    set_raw()
    process.at_end(restore)
    for number in _ENDING:
        if number not in awaited and _signal.getsignal(number) == _signal.SIG_DFL:
            _signal.signal(number, _end)
    if _signal.getsignal(_signal.SIGTSTP) == _signal.SIG_DFL:
        _signal.signal(_signal.SIGTSTP, stop)


def _end(number: int, _: object) -> None:
    process.end(None, number)

"""Where the console scripts begin: an interrupt before everything is imported is an end, not a traceback."""

import _signal  # type: ignore[import-not-found]  # built in, and no stub names it
import os
from collections.abc import Callable

INTERRUPTED = 130

Main = Callable[[], int]


def agy_proxy() -> int:
    """Runs ``agy-proxy`` with this process's arguments; the exit status."""

    def imported() -> Main:
        from agy_proxy.cli.main import main

        return main

    return _started(imported)


def fake_agy() -> int:
    """Runs ``fake-agy``, likewise."""

    def imported() -> Main:
        from agy_proxy.cli.fake_agy import main

        return main

    return _started(imported)


def _started(imported: Callable[[], Main]) -> int:
    try:
        # An interrupt that the caller has switched off stays so.
        early = _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler
        if early:
            _signal.signal(_signal.SIGINT, _end)
        main = imported()
        if early:
            _signal.signal(_signal.SIGINT, _signal.default_int_handler)
        status = main()
        # All is said; the interpreter's own end would print a traceback.
        _signal.signal(_signal.SIGINT, _signal.SIG_IGN)
    except KeyboardInterrupt:
        return INTERRUPTED
    return status


def _end(_number: int, _frame: object) -> None:
    os._exit(INTERRUPTED)

"""Which paths a cassette may name as written: it comes from a stranger, and replay writes there."""

import re

# The store, the workspace, and the log that the call itself names; nothing else is ever written.
_PLACE = re.compile(r"\$\{LOG_FILE\}|\$\{(?:AGY_HOME|CWD)\}(?:/[^/\0]+)+")
_RELATIVE = re.compile(r"[^/\0$][^/\0]*(?:/[^/\0]+)*")


def is_writable(path: str) -> bool:
    """Tell whether a stored path lies in ``${AGY_HOME}/`` or ``${CWD}/``, or is ``${LOG_FILE}``."""
    return _PLACE.fullmatch(path) is not None and _stays(path)


def is_target(path: str) -> bool:
    """Tell whether a link or a renamed file may lead to a path: a writable one, or one further down."""
    return is_writable(path) or (_RELATIVE.fullmatch(path) is not None and _stays(path))


def _stays(path: str) -> bool:
    return not {".", ".."} & set(path.split("/"))

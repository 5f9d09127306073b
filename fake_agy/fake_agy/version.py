"""Versions of agy, compared as tuples."""

Version = tuple[int, int, int]
"""Major, minor, patch: compares as agy's versions do."""


def parse_version(text: str) -> Version:
    """Read ``1.2.10`` as ``(1, 2, 10)``; `ValueError` for anything that isn't three numbers from 1.0.0 on."""
    parts = text.split(".")
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() for part in parts):
        raise ValueError(f"{text!r} is not a version such as 1.2.10")
    version = (int(parts[0]), int(parts[1]), int(parts[2]))
    if version < (1, 0, 0):
        raise ValueError(f"{text!r} is older than agy 1.0.0, the first there was")
    return version

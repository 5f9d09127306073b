"""Names for records that sort by time and are never given twice."""

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def new_id(clock_ns: int, pid: int, random: bytes, *, mark: bool = False) -> str:
    """Name a record by a ULID, ``-`` and the pid.

    `clock_ns` is when it began, in nanoseconds since the epoch; `random` is ten random bytes; a mark's name
    ends with ``m``.
    """
    if len(random) != 10:
        raise ValueError(f"ten random bytes are needed, not {len(random)}")
    number = (clock_ns // 1_000_000 % 2**48) << 80 | int.from_bytes(random)
    digits = "".join(_CROCKFORD[number >> shift & 31] for shift in range(125, -1, -5))
    return f"{digits}-{pid}{'m' if mark else ''}"

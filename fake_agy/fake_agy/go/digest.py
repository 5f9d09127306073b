"""Digests, and ids drawn from them: the same parts always give the same id."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import sha256
else:  # hashlib itself would cost more than the rest of a start
    try:
        from _sha2 import sha256  # Python 3.12 and later
    except ImportError:
        from _sha256 import sha256


def sha256_hex(data: bytes) -> str:
    """Give the 64 hexadecimal digits of SHA-256, in lower case."""
    return sha256(data).hexdigest()


def uuid_of(*parts: str) -> str:
    """Draw an id shaped as UUIDv4, in lower case, from parts that hold no zero characters."""
    drawn = sha256_hex("\0".join(parts).encode(errors="surrogateescape"))
    variant = "89ab"[int(drawn[16], 16) % 4]
    return f"{drawn[:8]}-{drawn[8:12]}-4{drawn[13:16]}-{variant}{drawn[17:20]}-{drawn[20:32]}"


def number_of(below: int, *parts: str) -> int:
    """Draw a number from 0 up to, but not including, `below`."""
    return int(sha256_hex("\0".join(parts).encode(errors="surrogateescape"))[:12], 16) % below

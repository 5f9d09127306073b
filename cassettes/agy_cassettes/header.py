"""What a cassette begins with, before its first record."""

import re

from agy_cassettes.emitter import VERSION
from agy_cassettes.emitter import header as own_header
from agy_cassettes.limits import LIMITS, Limits
from agy_cassettes.node import FormatError, read_node

_VERSION = re.compile(rb"(?:\xef\xbb\xbf)?(?:---[^\n]*\n|[ \t]*(?:#[^\n]*)?\n)*version:[ \t]*([0-9]{1,9})\s")


def check_header(header: bytes, limits: Limits = LIMITS) -> None:
    """Check the text before the first record; raises `FormatError`.

    Keys beside ``version`` and ``interactions`` are allowed above ``interactions``.
    """
    if not header:
        raise FormatError(1, "empty, no cassette; leave out the file to record a new one")
    if header != own_header() and own_header().startswith(header):
        raise FormatError(1, "cut short before its first record; record it anew")
    version = _VERSION.match(header)
    if version is None:
        raise FormatError(1, "no cassette: the first line of one is 'version: 1'")
    if b"\r\n" in header:
        raise FormatError(1, "lines end in CRLF; git's autocrlf may have done that: set *.agy.yaml -text")
    if int(version[1]) != VERSION:
        newer = int(version[1]) > VERSION
        raise FormatError(
            1,
            f"written in version {int(version[1])} of the format, and this agy-proxy reads version {VERSION}"
            + ("; install a newer agy-proxy" if newer else ""),
        )
    if len(header) > limits.header_bytes:
        raise FormatError(1, f"more than {limits.header_bytes} bytes before the first record")
    top = read_node(header, 1, limits).value
    if not isinstance(top, dict) or "interactions" not in top:
        raise FormatError(1, "no cassette: after its version stands 'interactions:'")
    last = list(top)[-1]
    if last != "interactions" or top[last].value not in (None, []):
        raise FormatError(
            top[last].line, "the records, each '- id:' in the first column, must follow 'interactions:'"
        )

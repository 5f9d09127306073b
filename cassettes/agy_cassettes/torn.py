"""Keeping the bytes of a torn tail, which whoever repairs a cassette cuts off."""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from agy_cassettes.errors import CassetteError
from agy_cassettes.layout import Torn


def keep_torn(cassette: Path, torn: Torn, data: bytes, clock: Callable[[], int]) -> Path:
    """Put a torn tail's bytes into a new file ``NAME.agy.yaml.torn-TIME`` beside the cassette; give its path.

    `clock` gives nanoseconds since the epoch. The caller holds the cassette's lock, so that nobody else takes
    the name meanwhile. Raises `CassetteError`.
    """
    at = datetime.fromtimestamp(clock() / 1e9, UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    beside = cassette.with_name(f"{cassette.name}.torn-{at}")
    number = 1
    try:
        while os.path.lexists(beside):
            number += 1
            beside = cassette.with_name(f"{cassette.name}.torn-{at}-{number}")
        fd = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(fd, "wb") as file:
            file.write(data)
    except OSError as error:
        what = f"its torn tail could not be put to {beside}: {error.strerror}"
        raise CassetteError(cassette, what, line=torn.line) from error
    return beside

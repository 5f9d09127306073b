"""The agy that a run records: given, or found as a shell would find it."""

import os
from collections.abc import Mapping
from pathlib import Path

from agy_cassettes.errors import UserError
from agy_proxy.shim.isolated.real import find_real


def real_agy(given: Path | None, env: Mapping[str, str]) -> Path:
    """The path of the agy to record; raises `UserError` where there is none, or it is a shim itself."""
    asked = None if given is None else os.fsencode(given)
    found = find_real(asked, b"", {os.fsencode(name): os.fsencode(value) for name, value in env.items()})
    if found.path is None:
        inside = "AGY_PROXY_CASSETTE" in env
        what = "this is inside a run of agy-proxy, whose shim is the only agy here" if inside else found.why
        raise UserError(f"{what}; give --real the path of an agy")
    path = Path(os.fsdecode(found.path)).absolute()
    if not path.is_file():
        raise UserError(f"{path} was given as the real agy and is no file; give --real the path of an agy")
    if not os.access(path, os.X_OK):
        raise UserError(f"{path} was given as the real agy and can't be executed; make it executable")
    return path

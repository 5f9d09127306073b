"""What is baked into a shim: how it treats a call, and where everything lies."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from agy_proxy import VERSION

Mode = Literal["record", "replay", "auto", "passthrough", "fake"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShimSettings:
    """The settings of one shim; paths are absolute.

    `mode`: ``record``; ``replay`` (play or refuse); ``auto`` (play, else record: modes once and
    new_episodes); ``passthrough`` and ``fake`` (become `real`). `real` is the agy to run; None: found on
    PATH at each call. `finish` is the command that an installed shim starts detached when a call is over.
    `sigpipe`: how agy finds SIGPIPE. `replay` holds the player's keys (`agy_proxy.shim.isolated.play`), of
    built-in types and paths.
    """

    mode: Mode
    journal_dir: Path | None = None
    run_id: str = ""
    real: Path | None = None
    errors_log: Path | None = None
    sigpipe: Literal["default", "ignore"] = "default"
    finish: tuple[str | Path, ...] | None = None
    version: str = VERSION
    replay: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.mode in ("record", "auto") and self.journal_dir is None:
            raise ValueError(f"a shim in mode {self.mode} needs a journal_dir")
        if self.mode == "fake" and self.real is None:
            raise ValueError("a shim in mode fake needs the double as its real")


def as_constants(settings: ShimSettings) -> dict[str, Any]:
    """Return the settings as the shim's own dict: built-in types, paths as bytes, absent where None."""
    own = {each.name: getattr(settings, each.name) for each in fields(settings) if each.name != "replay"}
    constants = {**settings.replay, **own}
    return {key: _constant(value) for key, value in constants.items() if value is not None}


def _constant(value: Any) -> Any:
    if isinstance(value, os.PathLike):
        return os.fsencode(value)
    if isinstance(value, Mapping):
        return {_constant(key): _constant(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return tuple(_constant(item) for item in value)
    if isinstance(value, str | bytes | int | float | bool):
        return value
    raise TypeError(f"{value!r} can't be baked into a shim")

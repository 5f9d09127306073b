"""Where the tool keeps what is not a cassette."""

from collections.abc import Mapping
from pathlib import Path


def state_folder(env: Mapping[str, str]) -> Path:
    """``${XDG_STATE_HOME:-~/.local/state}/agy-proxy``; XDG_STATE_HOME counts only where it is absolute."""
    given = env.get("XDG_STATE_HOME", "")
    base = Path(given) if given.startswith("/") else Path(env.get("HOME") or Path.home()) / ".local" / "state"
    return base / "agy-proxy"

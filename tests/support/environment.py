"""Environments for packages that are no dependency of ours: clients that are driven, peers that are timed."""

import subprocess
import sys
from pathlib import Path


def environment(folder: Path, *requirements: str, base: Path | None = None) -> Path:
    """The interpreter of an environment in `folder` that holds `requirements`.

    It is made on first use. `base` is the interpreter that it is made from, by default the one behind ours.
    Raises `CalledProcessError` where one can't be installed.
    """
    python = folder / "bin" / "python"
    ready = folder / ".ready"
    if ready.exists():
        return python
    subprocess.run([base or base_python(), "-m", "venv", "--without-pip", "--clear", folder], check=True)
    pip = [str(base_python()), "-m", "pip", "--python", str(python), "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "-q", *requirements], check=True)
    ready.touch()
    return python


def base_python() -> Path:
    """The interpreter that this environment was made from: it is the one that has pip."""
    return Path(sys.base_prefix) / "bin" / f"python{sys.version_info[0]}.{sys.version_info[1]}"

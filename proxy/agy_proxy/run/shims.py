"""Writing the shim of a run to where clients look for agy."""

from pathlib import Path

from agy_proxy.run.folder import RunFolder
from agy_proxy.shim.bundle import write_bundle
from agy_proxy.shim.script import write_shim
from agy_proxy.shim.settings import ShimSettings

LOCAL_BIN = Path(".local/bin")
"""Below HOME: where some clients look for agy and nowhere else."""


def place_shim(settings: ShimSettings, folder: RunFolder, *, home: Path | None) -> None:
    """Writes the shim into the run's folder, and into a throw-away `home` where there is one."""
    bundle = write_bundle(folder.state)
    write_shim(folder.shim_folder, settings, bundle=bundle)
    if home is not None:
        write_shim(home / LOCAL_BIN, settings, bundle=bundle)

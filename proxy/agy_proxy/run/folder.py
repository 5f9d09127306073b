"""The folder of one run: everything it makes lies in it, and nobody else may look."""

import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class RunFolder:
    """Paths inside the run's folder, which is 0700; `run_id` names the run in journals."""

    base: Path
    run_id: str

    @property
    def shim_folder(self) -> Path:
        """Holds the shim; it comes first on the client's PATH."""
        return self.base / "bin"

    @property
    def shim(self) -> Path:
        """The shim itself."""
        return self.shim_folder / "agy"

    @property
    def double_folder(self) -> Path:
        """Holds the double, where the run brings one."""
        return self.base / "double"

    @property
    def home(self) -> Path:
        """The throw-away HOME."""
        return self.base / "home"

    @property
    def journals(self) -> Path:
        """Where recording shims write their journals."""
        return self.base / "journals"

    @property
    def state(self) -> Path:
        """Holds what must never be in a cassette, such as which secret has which placeholder."""
        return self.base / "state"

    @property
    def play_file(self) -> Path:
        """The compiled cassette."""
        return self.base / "play"

    @property
    def counts_file(self) -> Path:
        """How often each interaction was played."""
        return self.base / "counts"

    @property
    def misses(self) -> Path:
        """Holds the explanations of refused calls."""
        return self.base / "misses"

    @property
    def errors_log(self) -> Path:
        """Where shims tell of trouble, since stderr is agy's."""
        return self.base / "errors.log"


@contextmanager
def run_folder() -> Iterator[RunFolder]:
    """Makes the folder of a run; at its end only what explains a miss or was not saved stays of it."""
    folder = RunFolder(Path(tempfile.mkdtemp(prefix="agy-proxy-")).resolve(), secrets.token_hex(8))
    for part in (folder.shim_folder, folder.home, folder.journals, folder.state, folder.misses):
        part.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        kept = {part for part in (folder.misses, folder.journals) if any(part.iterdir())}
        for part in folder.base.iterdir():
            if part not in kept:
                _remove(part)
        if not kept:
            _remove(folder.base)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)

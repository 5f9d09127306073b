"""An environment of its own for each package, kept under ``.cache/clients``."""

from dataclasses import dataclass
from pathlib import Path

from tests.support.environment import environment


@dataclass(frozen=True)
class Package:
    """A program as it is published; `beside` are requirements that its own leave too open."""

    name: str
    version: str
    beside: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Name and version, as they are printed."""
        return f"{self.name} {self.version}"


def interpreter_for(package: Package, cache: Path) -> Path:
    """The package's interpreter; installs it on first use, raises `CalledProcessError` where it can't be."""
    folder = cache / f"{package.name}-{package.version}"
    return environment(folder, f"{package.name}=={package.version}", *package.beside)

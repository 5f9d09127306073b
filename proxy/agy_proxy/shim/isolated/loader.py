"""Imports the shim's modules out of its bundle; the stub executes this with the bundle's names set."""

import gc
import marshal
import posix
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

    Spec = Any

bundle: bytes = globals()["bundle"]
base: int = globals()["base"]
packages: "tuple[str, ...]" = globals()["packages"]
extensions: "dict[str, str]" = globals()["extensions"]
parts: "dict[str, tuple[int, int, tuple[str, ...]]]" = globals()["parts"]
kind = type(sys)

# Nothing here makes cycles, and the forked processes would each copy what a collection touches.
gc.disable()


class Bundle:
    """A finder of the parts' entries and of extension modules, and a loader of the former.

    Going through the import system for each module would take longer than to run its code, so a part's
    modules are put in place at once.
    """

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> "Spec":  # noqa: ARG004 -- the protocol
        """The spec of a module that is in the bundle, else None."""
        spec_of = sys.modules["_frozen_importlib"].ModuleSpec
        if name in parts:
            return spec_of(name, Bundle)
        if name in extensions:
            # Its path was looked up when the bundle was made: no folder has to be listed for it.
            loader = sys.modules["_frozen_importlib_external"].ExtensionFileLoader
            return spec_of(name, loader(name, extensions[name]), origin=extensions[name])
        return None

    @staticmethod
    def create_module(spec: "Spec") -> "ModuleType":
        """Loads the part of this entry."""
        offset, length, names = parts[spec.name]
        fd = posix.open(bundle, posix.O_RDONLY | posix.O_CLOEXEC)
        data = posix.pread(fd, length, base + offset)
        posix.close(fd)
        for name, code in zip(names, marshal.loads(data)):  # noqa: B905 -- of one length, and made here
            if name not in sys.modules:
                module = kind(name)
                sys.modules[name] = module
                exec(code, module.__dict__)
        return sys.modules[spec.name]

    @staticmethod
    def exec_module(module: "ModuleType") -> None:
        """Its code has run."""


for name in packages:
    package = kind(name)
    package.__path__ = []
    sys.modules[name] = package
sys.meta_path.insert(0, Bundle)

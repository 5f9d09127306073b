"""Imports the shim's modules out of its bundle; the stub executes this with the bundle's names set."""

import marshal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

    Spec = Any

packages: "tuple[str, ...]" = globals()["packages"]
codes: "dict[str, bytes]" = globals()["codes"]
extensions: "dict[str, str]" = globals()["extensions"]


class Bundle:
    """A finder of the modules in `codes` and `extensions`, and a loader of the former."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> "Spec":  # noqa: ARG004 -- the protocol
        """The spec of a module that is in the bundle, else None."""
        spec_of = sys.modules["_frozen_importlib"].ModuleSpec
        if name in codes:
            return spec_of(name, Bundle)
        if name in extensions:
            # Its path was looked up when the bundle was made: no folder has to be listed for it.
            loader = sys.modules["_frozen_importlib_external"].ExtensionFileLoader
            return spec_of(name, loader(name, extensions[name]), origin=extensions[name])
        return None

    @staticmethod
    def create_module(spec: "Spec") -> None:
        """Leaves it to the default."""

    @staticmethod
    def exec_module(module: "ModuleType") -> None:
        """Runs the module's code."""
        exec(marshal.loads(codes[module.__name__]), module.__dict__)


for name in packages:
    package = type(sys)(name)
    package.__path__ = []
    sys.modules[name] = package
sys.meta_path.insert(0, Bundle)

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


class Bundle:
    """A finder and loader of the modules in `codes`."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> "Spec":  # noqa: ARG004 -- the protocol
        """The spec of a module that is in the bundle, else None."""
        if name not in codes:
            return None
        return sys.modules["_frozen_importlib"].ModuleSpec(name, Bundle)

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

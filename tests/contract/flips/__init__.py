"""For every behaviour of the double's table: the calls under which its value makes a difference."""

import importlib
import pkgutil

from tests.contract.flips.flip import Flip

FLIPS: dict[str, Flip] = {}
"""The flips of all topics, by the behaviour's name."""

for _module in pkgutil.iter_modules(__path__):
    if _module.name != "flip":
        FLIPS.update(importlib.import_module(f"{__name__}.{_module.name}").FLIPS)

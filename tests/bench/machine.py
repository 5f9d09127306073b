"""What the figures were measured on."""

import os
import platform

from agy_cassettes.node import HAS_LIBYAML


def facts(seed: int) -> str:
    """One line: processors, system, Python, libyaml, load, and the seed of texts and orders."""
    yaml = "with libyaml" if HAS_LIBYAML else "without libyaml"
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{os.cpu_count()} processors, {system}, {python}, PyYAML {yaml}, {load()}, seed {seed}"


def load() -> str:
    """The load average of the last minute."""
    return f"load {os.getloadavg()[0]:.1f}"

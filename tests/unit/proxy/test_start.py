"""An interrupt ends the command line with 130, however early it comes."""

import subprocess
import sys

INTERRUPTING = """
import builtins, os, signal, sys
from agy_proxy import start

importing = builtins.__import__

def interrupted(name, *rest):
    if name == "{module}":
        os.kill(os.getpid(), signal.SIGINT)
    return importing(name, *rest)

builtins.__import__ = interrupted
sys.argv[1:] = ["--version"]
sys.exit(start.agy_proxy())
"""


def ended(module: str, *before: str) -> tuple[int, str]:
    command = [*before, sys.executable, "-c", INTERRUPTING.format(module=module)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def test_an_interrupt_while_modules_are_imported_is_an_end_without_a_traceback() -> None:
    assert ended("click") == (130, "")


def test_an_interrupt_that_the_caller_switched_off_stays_so() -> None:
    assert ended("click", "/bin/sh", "-c", 'trap \'\' INT; exec "$0" "$@"') == (0, "")

"""Pages are plain in a pipe and coloured on a terminal."""

import json
import os
import pty
import subprocess
import sys

import pytest

from agy_proxy.cli import page


def test_json_is_one_line_with_the_version_in_front(capsys: pytest.CaptureFixture[str]) -> None:
    page.print_json({"left": ["\u00e9\n"]})
    out = capsys.readouterr().out
    assert out == '{"version": 1, "left": ["\u00e9\\n"]}\n'
    assert json.loads(out)["version"] == 1


def test_json_is_utf_8_whatever_the_locale_says() -> None:
    program = "from agy_proxy.cli.page import print_json\nprint_json({'left': ['\u00e9']})"
    env = {**os.environ, "PYTHONIOENCODING": "ascii"}
    ended = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, check=True)
    assert ended.stdout == '{"version": 1, "left": ["\u00e9"]}\n'.encode()


def test_a_name_that_is_not_utf_8_is_spelled_out(capsys: pytest.CaptureFixture[str]) -> None:
    page.print_lines([("c\udcff", (" \x1b[31m", "red"))])
    page.tell("c\udcff")
    assert capsys.readouterr() == ("c\\xff \\x1b[31m\n", "agy-proxy: c\\xff\n")


PROGRAM = """
from agy_proxy.cli.page import print_lines
print_lines([("a ", ("b", "bold red"), " [c] " + "d" * 99)])
"""


def test_lines_are_plain_in_a_pipe() -> None:
    ended = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert ended.stdout == "a b [c] " + "d" * 99 + "\n"


def test_lines_are_coloured_on_a_terminal_and_not_wrapped() -> None:
    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": "xterm"}
    for name in ("NO_COLOR", "COLUMNS"):
        env.pop(name, None)
    subprocess.run([sys.executable, "-c", PROGRAM], stdout=theirs, stdin=theirs, env=env, check=True)
    os.close(theirs)
    seen = os.read(ours, 65536).decode()
    os.close(ours)
    assert seen == "a \x1b[1;31mb\x1b[0m [c] " + "d" * 99 + "\r\n"


def test_nothing_of_rich_is_imported_for_a_pipe() -> None:
    program = PROGRAM + "import sys\nsys.exit(any(name.startswith('rich') for name in sys.modules))"
    subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)

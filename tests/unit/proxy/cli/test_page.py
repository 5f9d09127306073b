"""Text is shown without letting a terminal obey it, and JSON holds any bytes."""

import json
import os
import pty
import subprocess
import sys

import pytest

from agy_proxy.cli import page


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("\x1b[31mred\x07", "\\x1b[31mred\\x07"),
        (b"\xff\x00a", "\\xff\\x00a"),
        ("caf\udce9", "caf\\xe9"),
        ("a\r\nb", "a\\x0d\nb"),
        ("abc\u202edef", "abc\\u202edef"),
        ("\u00e9\u20ac", "\u00e9\u20ac"),
    ],
)
def test_control_characters_are_spelled_out(given: str | bytes, shown: str) -> None:
    assert page.visible(given) == shown


@pytest.mark.parametrize(
    ("given", "shape"),
    [
        (None, None),
        ("text", "text"),
        (b"text", "text"),
        ("caf\u00e9", "caf\u00e9"),
        (b"\xff", {"base64": "/w=="}),
        ("\udcff", {"base64": "/w=="}),
    ],
)
def test_text_that_is_not_utf_8_is_base64_in_json(given: str | bytes | None, shape: object) -> None:
    assert page.json_text(given) == shape


def test_json_is_one_line_with_the_version_in_front(capsys: pytest.CaptureFixture[str]) -> None:
    page.print_json({"left": ["\u00e9\n"]})
    out = capsys.readouterr().out
    assert out == '{"version": 1, "left": ["\u00e9\\n"]}\n'
    assert json.loads(out)["version"] == 1


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

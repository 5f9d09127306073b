import pytest

from fake_agy.clock import clock_of
from fake_agy.command.line import parse_command_line
from fake_agy.interrupts import Interrupts
from fake_agy.main import Done, kind_of, main
from fake_agy.profile.resolve import profile_of
from fake_agy.settings import DoubleSettings
from fake_agy.version import parse_version
from fake_agy.world import Stdin, World

NOON = "2026-06-20T10:33:40Z"


class Scene:
    """A world of which only the streams and the kind of stdin matter."""

    def __init__(self, stdin: str = "pipe") -> None:
        self.out, self.err = "", ""
        interrupts = Interrupts()
        self.world = World(
            stdin=Stdin(stdin, lambda: b""),
            out=self._out,
            err=self._err,
            stdout_is_tty=False,
            clock=clock_of(NOON, None, interrupts.sleep),
            interrupts=interrupts,
            home=None,
            cwd="/w",
            env={},
            pid=1,
        )

    def _out(self, text: str) -> None:
        self.out += text

    def _err(self, text: str) -> None:
        self.err += text


@pytest.mark.parametrize(
    ("argv", "stdin", "version", "kind"),
    [
        (["--help"], "pipe", "1.3.3", "help"),
        (["-p", "x", "--version"], "pipe", "1.3.3", "version"),
        (["-p", "x"], "terminal", "1.3.3", "print"),
        (["-p", ""], "terminal", "1.3.3", "print"),
        (["-p", "models"], "pipe", "1.3.3", "print"),
        ([], "pipe", "1.3.3", "print"),
        ([], "device", "1.1.1", "print"),
        ([], "pipe", "1.1.0", "no-screen"),
        ([], "terminal", "1.3.3", "screen"),
        (["models"], "pipe", "1.3.3", "subcommand"),
        (["models"], "terminal", "1.3.3", "subcommand"),
        (["--output-format", "stream-json", "--input-format", "stream-json"], "terminal", "1.3.3", "print"),
        (["say hello"], "terminal", "1.1.1", "screen"),
    ],
)
def test_a_call_is_decided_by_its_command_line_and_its_stdin(
    argv: list[str], stdin: str, version: str, kind: str
) -> None:
    profile = profile_of(parse_version(version))
    assert kind_of(parse_command_line(argv, profile), Scene(stdin).world, profile) == kind


def test_the_version_is_a_bare_number() -> None:
    scene = Scene()
    assert main(["--version"], scene.world, DoubleSettings(agy_version="1.2.7")) == Done(0)
    assert (scene.out, scene.err) == ("1.2.7\n", "")


def test_without_a_terminal_there_is_no_screen() -> None:
    scene = Scene()
    assert main([], scene.world, DoubleSettings(agy_version="1.0.10")).exit == 1
    assert scene.err.startswith("CLI error: bubbletea: could not open TTY")


def test_without_a_home_nothing_starts() -> None:
    scene = Scene()
    assert main(["-p", "x"], scene.world, DoubleSettings()) == Done(1, "x")
    assert scene.err == "Failed to start: $HOME is not defined: $HOME is not defined\n"


def test_an_empty_prompt_is_refused() -> None:
    scene = Scene()
    assert main(["-p", " "], scene.world, DoubleSettings()).exit == 1
    assert scene.err == "error: empty prompt\n"

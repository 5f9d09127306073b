"""The same calls with the same seed and a clock that stands still come out the same, byte for byte."""

from pathlib import Path

from fake_agy.settings import DoubleSettings
from tests.support.double import Answered, Double, make_double
from tests.support.store import snapshot

SKIP = "--dangerously-skip-permissions"
STREAM = ("--output-format", "stream-json")
UNKNOWN = "00000000-0000-4000-8000-000000000000"
MESSAGES = b"".join(
    b'{"event":"user","message":{"role":"user","content":"message %d"}}\n' % number for number in range(3)
)
CALLS: tuple[tuple[tuple[str, ...], bytes | None], ...] = (
    (("--version",), None),
    (("--help",), None),
    (("models",), None),
    (("-p", "remember the word heron"), None),
    (("-c", "-p", "what did I tell you"), None),
    (("--conversation", "{id}", "--output-format", "json", "-p", "and now"), None),
    (("--conversation", UNKNOWN, "-p", "where are we"), None),
    ((*STREAM, "-p", "a stream"), None),
    ((*STREAM, "--input-format", "stream-json"), MESSAGES),
    (("--output-format", "json", "--json-schema", '{"type":"object"}', "-p", "as an object"), None),
    ((), b"a prompt from stdin"),
    (("--log-file", "{cwd}/agy.log", "-p", "with a log of its own"), None),
    (("--add-dir", "{cwd}", "-p", "with a workspace"), None),
    ((SKIP, "--add-dir", "{cwd}", "-p", "use a tool"), None),
    (("-p", "a denied tool"), None),
    (("-p", "/usage"), None),
    (("--no-such-flag",), None),
    (("--print", "--sandbox", "x"), None),
    (("--model", "no-such-model", "-p", "x"), None),
    (("plugin", "list"), None),
)
ANSWER = (("say", {"text": "Yes.\n"}),)
TOOL = (
    ("use_tool", {"name": "run_command", "args": {"CommandLine": "echo one; echo two >&2; exit 3"}}),
    ("subagent", {"prompt": "look around", "answer": "Nothing there."}),
    ("say", {"text": "Done.\n"}),
)
TURNS = (*[ANSWER] * 12, TOOL, TOOL)


def test_twenty_calls_come_out_the_same_twice(tmp_path: Path) -> None:
    settings = DoubleSettings(agy_version="1.2.10", seed=7, clock="2026-09-01T12:00:00Z", turns=TURNS)

    first, second = (played(tmp_path, settings, name) for name in ("first", "second"))

    assert len(CALLS) == 20
    assert first == second


def test_another_seed_gives_other_ids(tmp_path: Path) -> None:
    one, two = (
        played(tmp_path, DoubleSettings(seed=seed, clock="2026-09-01T12:00:00Z"), f"seed {seed}")
        for seed in (1, 2)
    )

    assert {path for path in one[1] if "brain/" in path}.isdisjoint(
        path for path in two[1] if "brain/" in path
    )


def played(folder: Path, settings: DoubleSettings, name: str) -> tuple[list[Answered], dict[str, object]]:
    """Plays all calls in the same place as before, which is moved away afterwards."""
    place = folder / "double"
    double = make_double(place, settings)
    answers = [called(double, argv, stdin) for argv, stdin in CALLS]
    kept = snapshot(double.home) | snapshot(double.cwd)
    place.rename(folder / name)
    return answers, kept


def called(double: Double, argv: tuple[str, ...], stdin: bytes | None) -> Answered:
    known = double.newest_conversation()
    words = [word.replace("{id}", known).replace("{cwd}", str(double.cwd)) for word in argv]
    return double.call(*words, stdin=stdin)

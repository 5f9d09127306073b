import io
import json
from pathlib import Path
from typing import NamedTuple

import pytest

from fake_agy.clock import Clock
from fake_agy.main import NOT_PLAYED, World, main
from fake_agy.settings import DoubleSettings

NOON = 1781951620.25
UNKNOWN = "11111111-2222-4333-8444-555555555555"


class Called(NamedTuple):
    code: int
    out: str
    err: str


class Seen(NamedTuple):
    """What stood where when the double waited."""

    waited: float
    rows: list[str]
    out: bytes
    remembered: bool


class Room:
    """A HOME, and calls of the double in this process with a clock that stands still."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.root = self.home / ".gemini" / "antigravity-cli"
        self.seen: list[Seen] = []

    def call(
        self, *argv: str, stdin: bytes | None = b"", version: str = "1.3.3", seed: int = 1, cwd: str = "/w"
    ) -> Called:
        out, err = io.BytesIO(), io.BytesIO()

        def look(seconds: float) -> None:
            self.seen.append(Seen(seconds, self.types(), out.getvalue(), self.remembered()))

        world = World(
            read_stdin=lambda: stdin or b"",
            stdin_is_tty=stdin is None,
            stdout=out,
            stderr=err,
            clock=Clock(lambda: NOON, look, frozen=True),
            home=self.home,
            cwd=cwd,
            pid=1,
        )
        code = main(argv, world, DoubleSettings(agy_version=version, seed=seed))
        return Called(code, out.getvalue().decode(), err.getvalue().decode())

    def types(self) -> list[str]:
        found = self.root.glob("brain/*/.system_generated/logs/transcript.jsonl")
        return [json.loads(line)["type"] for path in found for line in path.read_bytes().splitlines()]

    def remembered(self) -> bool:
        return (self.root / "cache" / "last_conversations.json").exists()

    def last(self, cwd: str = "/w") -> str:
        return str(json.loads((self.root / "cache" / "last_conversations.json").read_bytes())[cwd])

    def log(self) -> str:
        return (self.root / "log" / "cli.log").read_text()


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def test_a_turn_happens_in_agys_order(room: Room) -> None:
    answer = room.call("-p", "ping").out.encode().splitlines(keepends=True)
    both = ["USER_INPUT", "PLANNER_RESPONSE"]
    assert room.seen == [
        Seen(0.1, [], b"", False),
        Seen(0.3, ["USER_INPUT"], b"", False),
        Seen(0.1, both, b"", False),
        Seen(0.1, both, answer[0], False),
        Seen(0.1, both, b"".join(answer), False),
    ]
    assert room.remembered()


@pytest.mark.parametrize(
    ("version", "first", "second"),
    [
        ("1.1.27", ["USER_INPUT", "CONVERSATION_HISTORY", "PLANNER_RESPONSE"], 6),
        ("1.2.0", ["USER_INPUT", "PLANNER_RESPONSE"], 5),
    ],
)
def test_rows_of_a_turn_follow_the_version(room: Room, version: str, first: list[str], second: int) -> None:
    room.call("-p", "one", version=version)
    assert room.types() == first
    room.call("-c", "-p", "two", version=version)
    assert room.types() == [*first, "USER_INPUT", "SYSTEM_MESSAGE", "PLANNER_RESPONSE"]
    assert len(room.types()) == second


def test_the_log_has_the_lines_clients_search_for(room: Room) -> None:
    room.call("-p", "ping", "--model", "m")  # the flag comes too late: it is a value of nothing
    room.call("--model", "m", "-p", "ping")
    conversation = room.last()
    assert room.log().startswith("I0620 ")
    texts = [line.split("] ", 1)[1] for line in room.log().splitlines()]
    for text in (
        f"CLI app data directory: {room.root}",
        'Print mode: starting (promptLength=4, model="m", conversationID="")',
        "Print mode: silent auth succeeded",
        f"Created conversation {conversation}",
        f"Print mode: conversation={conversation}, sending message",
    ):
        assert text in texts
    assert not any("resuming" in text for text in texts)
    room.call("--conversation", conversation, "-p", "more")
    assert f"Print mode: resuming conversation {conversation}\n" in room.log()


def test_a_log_file_takes_the_log_out_of_the_store(room: Room, tmp_path: Path) -> None:
    room.call("--log-file", str(tmp_path / "my.log"), "-p", "ping")
    assert f"Created conversation {room.last()}\n" in (tmp_path / "my.log").read_text()
    assert not (room.root / "log").exists()


@pytest.mark.parametrize(
    ("version", "out", "err"),
    [
        ("1.1.11", f'Warning: conversation "{UNKNOWN}" not found.\n', ""),
        ("1.1.12", "", f'warning: conversation "{UNKNOWN}" not found\n'),
        ("1.3.3", "", f'warning: conversation "{UNKNOWN}" not found\n'),
    ],
)
def test_an_unknown_id_is_a_warning_and_a_new_conversation(
    room: Room, version: str, out: str, err: str
) -> None:
    called = room.call("--conversation", UNKNOWN, "-p", "ping", version=version)
    assert called.code == 0
    assert called.out.startswith(f"{out}This is turn 1 ")
    assert called.err == err
    assert room.last() != UNKNOWN
    assert "resuming" not in room.log()


def test_continue_looks_only_at_its_own_directory(room: Room) -> None:
    room.call("-p", "one", cwd="/a")
    assert room.call("-c", "-p", "two", cwd="/b").out.startswith("This is turn 1 ")
    assert room.call("--continue", "-p", "two", cwd="/a").out.startswith("This is turn 2 ")
    assert room.last("/a") != room.last("/b")


def test_an_id_resumes_from_any_directory(room: Room) -> None:
    room.call("-p", "one", cwd="/a")
    called = room.call("--conversation", room.last("/a"), "-p", "two", cwd="/b")
    assert called.out.startswith("This is turn 2 ")
    assert room.last("/b") == room.last("/a")


def test_json_is_one_object_in_agys_key_order_with_figures_of_the_conversation(room: Room) -> None:
    first = json.loads(room.call("--output-format", "json", "-p", "a <b>").out)
    called = room.call("-c", "--output-format=json", "-p", "c")
    second = json.loads(called.out)
    assert list(second) == ["conversation_id", "status", "response", "duration_seconds", "num_turns", "usage"]
    assert called.out.endswith("}}\n")
    assert called.out.count("\n") == 1
    assert "a \\u003cb\\u003e" in called.out
    assert (first["num_turns"], second["num_turns"]) == (1, 2)
    assert second["conversation_id"] == first["conversation_id"]
    assert second["usage"]["input_tokens"] > 2 * 16000
    assert second["usage"]["output_tokens"] > first["usage"]["output_tokens"]
    # The clock stands at .25, and the first row, when the conversation began, says the whole second.
    assert '"duration_seconds":0,' in room.call("--output-format", "json", "-p", "x").out
    assert '"duration_seconds":0.25,' in called.out


def test_an_unrecognised_output_format_is_text(room: Room) -> None:
    assert room.call("--output-format", "yaml", "-p", "ping").out.startswith("This is turn 1 ")


def test_stdin_is_the_prompt_when_no_flag_gives_one(room: Room) -> None:
    assert 'You said: "from a pipe"' in room.call(stdin=b"from a pipe\n").out


def test_stdin_is_not_read_beside_a_prompt_flag(room: Room) -> None:
    assert "pipe" not in room.call("-p", "ping", stdin=b"pipe").out


@pytest.mark.parametrize(
    ("version", "mark"), [("1.1.1", "Error: "), ("1.1.27", "Error: "), ("1.1.28", "error: ")]
)
@pytest.mark.parametrize("argv", [("-p", ""), ("-p=",), ("--print", " \n"), ()])
def test_an_empty_prompt_is_an_error(room: Room, version: str, mark: str, argv: tuple[str, ...]) -> None:
    assert room.call(*argv, version=version) == Called(1, "", f"{mark}empty prompt\n")
    assert not room.home.exists()


def test_an_empty_prompt_flag_took_stdin_up_to_1_1_0(room: Room) -> None:
    assert 'said: "piped"' in room.call("-p", "", stdin=b"piped", version="1.1.0").out
    assert 'said: "given"' in room.call("-p", "given", stdin=b"piped", version="1.1.0").out


def test_a_swallowed_prompt_is_exit_2_since_1_1_18_and_an_answer_to_the_flag_before(room: Room) -> None:
    called = room.call("--print", "--sandbox", "real prompt")
    assert (called.code, called.out) == (2, "")
    assert called.err.startswith('Error: --print took "--sandbox" as its prompt, so ')
    assert called.err.count("\n") == 2
    old = room.call("--print", "--sandbox", "real prompt", version="1.1.17")
    assert (old.code, old.err) == (0, "")
    assert 'You said: "--sandbox"' in old.out


def test_a_stray_word_is_exit_2(room: Room) -> None:
    beside = room.call("-p", "ping", "stray")
    assert (beside.code, beside.out) == (2, "")
    assert beside.err.startswith('Error: unexpected argument "stray". Prompts are read only from')
    assert room.call("-p", "ping", "stray", version="1.1.17").code == 0
    assert room.call("stray").err == beside.err


def test_without_a_prompt_or_a_pipe_there_is_no_screen(room: Room) -> None:
    called = room.call(stdin=None)
    assert called.code == 1
    assert called.err.startswith("CLI error: bubbletea: could not open TTY")
    assert room.call("hello", version="1.1.20").err == called.err


def test_a_wrong_flag_is_exit_2_with_the_usage_on_stderr(room: Room) -> None:
    called = room.call("--yolo", "-p", "ping")
    assert (called.code, called.out) == (2, "")
    assert called.err.startswith("flags provided but not defined: -yolo\nUsage of agy:\n")
    assert not room.home.exists()


@pytest.mark.parametrize("argv", [("--help",), ("-h",), ("help",), ("help", "models"), ("models", "--help")])
def test_help_is_printed_on_stdout(room: Room, argv: tuple[str, ...]) -> None:
    called = room.call(*argv)
    assert (called.code, called.err) == (0, "")
    assert called.out.startswith("Usage of agy:\n  --add-dir ")


@pytest.mark.parametrize("version", ["1.0.0", "1.2.10", "1.5.13"])
def test_version_is_the_bare_number_and_touches_nothing(room: Room, version: str) -> None:
    assert room.call("--version", version=version) == Called(0, f"{version}\n", "")
    assert not room.home.exists()


def test_models_are_listed_and_the_progress_is_on_stderr_since_1_1_12(room: Room) -> None:
    called = room.call("models")
    assert (called.code, called.err) == (0, "Fetching available models...\n")
    assert all(len(line.split("\t")) == 2 for line in called.out.splitlines())
    assert room.call("models", version="1.1.11").out.startswith("Fetching available models...\n")


def test_models_as_json_take_the_flag_before_the_subcommand(room: Room) -> None:
    envelope = json.loads(room.call("--output-format", "json", "models").out)
    assert envelope["conversation_id"] == ""
    assert envelope["command"]["name"] == "models"
    assert envelope["response"] == room.call("models").out
    refused = room.call("models", "--output-format", "json")
    assert (refused.code, refused.out) == (1, "")
    assert refused.err == (
        "  -h      Show help\n  --help  Show help\nError: flags provided but not defined: -output-format\n"
    )


@pytest.mark.parametrize(
    "argv",
    [
        ("--output-format", "stream-json", "-p", "x"),
        ("--input-format", "stream-json", "--output-format", "stream-json"),
        ("--json-schema", "{}", "-p", "x"),
        ("-i", "x"),
        ("--remote-control", "-p", "x"),
        ("plugin", "list"),
        ("changelog",),
    ],
)
def test_what_is_not_played_is_said_and_is_125(room: Room, argv: tuple[str, ...]) -> None:
    called = room.call(*argv)
    assert (called.code, called.out) == (NOT_PLAYED, "")
    assert called.err.startswith("fake-agy: ")
    assert "does not play it yet" in called.err


def test_what_has_no_effect_is_accepted(room: Room) -> None:
    called = room.call(
        "--add-dir", "/a", "--add-dir=/b", "--model", "Gemini 3.1 Pro (Low)", "--print-timeout", "885s",
        "--dangerously-skip-permissions", "--sandbox", "--mode", "plan", "-p", "ping",
    )  # fmt: skip
    assert (called.code, called.err) == (0, "")


def test_a_prompt_that_is_not_utf_8_is_kept_as_far_as_json_can(room: Room) -> None:
    called = room.call("-p", b"caf\xe9".decode(errors="surrogateescape"))
    assert 'You said: "caf\ufffd"' in called.out
    assert 'You said: "caf\ufffd"' in room.call(stdin=b"caf\xe9").out

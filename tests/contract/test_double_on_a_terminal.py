"""The double as a client on a terminal meets it: print mode there, and interactive sessions."""

import json
import signal
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from fake_agy.profile.row import Value
from fake_agy.settings import DoubleSettings
from fake_agy.turns.moves import PlainMove
from tests.contract.flips.screen import trusting
from tests.support.double import Double, make_double
from tests.support.terminal import Terminal

CLOCK = "2026-09-01T12:00:00Z"
IDLE, BUSY = "? for shortcuts", "esc to cancel"
HANG: tuple[PlainMove, ...] = (("hang", {}),)
DONE: PlainMove = ("say", {"text": "All done.\n"})
COMMAND: PlainMove = ("use_tool", {"name": "run_command", "args": {"CommandLine": "echo made it"}})

Start = Callable[..., Terminal]


class Place:
    """One HOME, and sessions in it that end with the test."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._terminals: list[Terminal] = []
        self.double = self.double_of("1.2.10")

    def double_of(
        self,
        version: str,
        *,
        turns: tuple[tuple[PlainMove, ...], ...] = (),
        switches: Mapping[str, Value] | None = None,
        clock: str | None = CLOCK,
        speed: float | None = None,
    ) -> Double:
        """Put another double into the place of the one before."""
        settings = DoubleSettings(
            agy_version=version,
            clock=clock,
            speed=speed,
            turns=turns,
            switches=tuple((switches or {}).items()),
        )
        self.double = make_double(self._folder, settings)
        return self.double

    def start(
        self,
        *argv: str,
        version: str = "1.2.10",
        trusted: bool = True,
        size: tuple[int, int] = (80, 30),
        **settings: Any,
    ) -> Terminal:
        """Start a session."""
        double = self.double_of(version, **settings)
        if trusted and not (double.root / "settings.json").exists():
            trusting(double)
        terminal = Terminal(double.command(*argv), size=size)
        self._terminals.append(terminal)
        return terminal

    def settings(self) -> Mapping[str, Any]:
        value = json.loads((self.double.root / "settings.json").read_text())
        assert isinstance(value, dict)
        return value

    def history(self) -> list[Mapping[str, Any]]:
        return [json.loads(line) for line in (self.double.root / "history.jsonl").read_bytes().splitlines()]

    def close(self) -> None:
        for terminal in self._terminals:
            terminal.__exit__(None, None, None)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path)
    yield made
    made.close()


def ask(terminal: Terminal, prompt: str) -> None:
    """Send a prompt and wait until its turn is over."""
    terminal.shows(IDLE)
    terminal.enter(prompt)
    terminal.shows(f'You said: "{prompt}"')
    terminal.shows(IDLE)


def leave(terminal: Terminal) -> str:
    """Leave by a command; gives what stands below the screen."""
    terminal.shows(IDLE)
    terminal.enter("/exit")
    assert terminal.ends() == 0
    return terminal.reader.text()


@pytest.mark.parametrize(
    ("version", "said"),
    [("1.2.10", b"All done.\r\n"), ("1.0.14", b"\x1b[39mAll done.\x1b[0m\r\n")],
)
def test_print_mode_on_a_terminal_is_plain_but_in_old_versions(
    version: str, said: bytes, place: Place
) -> None:
    terminal = place.start("-p", "hello", version=version, turns=((DONE,),))

    assert terminal.ends() == 0
    assert terminal.seen == said


def test_a_folder_is_trusted_once(place: Place) -> None:
    terminal = place.start(trusted=False)
    terminal.shows("> Yes, I trust this folder\n  No, exit")
    terminal.type("\r")
    leave(terminal)

    assert place.settings() == {"trustedWorkspaces": [str(place.double.cwd)]}
    again = place.start(trusted=False)
    again.shows(IDLE)
    assert "Yes, I trust" not in again.seen.decode()


def test_who_does_not_trust_the_folder_is_out(place: Place) -> None:
    terminal = place.start(trusted=False)
    terminal.shows("No, exit")
    terminal.type("2")

    assert terminal.ends() == 0
    assert "Resume with" not in terminal.seen.decode()
    assert not (place.double.root / "settings.json").exists()


@pytest.mark.parametrize("argv", [("-i", "hello"), ("--prompt-interactive=hello",), ("hello",)])
def test_a_session_may_begin_with_a_prompt(argv: tuple[str, ...], place: Place) -> None:
    terminal = place.start(*argv, version="1.1.18")
    terminal.shows(
        '> hello\n\n▸ Thought for 2s, 20 tokens\n\nThis is turn 1 of our conversation. You said: "hello"'
    )
    terminal.shows(IDLE)


def test_a_session_shows_its_version_its_composer_and_the_conversation(place: Place) -> None:
    terminal = place.start(version="1.1.18")
    terminal.shows(IDLE)
    lines = terminal.reader.lines()
    assert lines[0] == "Antigravity CLI 1.1.18"
    assert lines[-4:-1] == ["─" * 80, ">", "─" * 80]
    assert terminal.reader.title == "Antigravity CLI"
    ask(terminal, "my cat is Tom")
    ask(terminal, "who is Tom?")

    assert "> my cat is Tom" in terminal.reader.lines()
    assert 'Earlier you told me: 1) "my cat is Tom"' in terminal.reader.text()
    assert terminal.reader.title == "my cat is Tom"


@pytest.mark.parametrize(
    ("version", "lines"),
    [
        ("1.2.10", ["Resume with -c (or command below):", "agy --conversation=ID"]),
        ("1.1.0", ["agy --conversation=ID"]),
        (
            "1.0.12",
            [
                "Resume with: agy --conversation=ID",
                "Resume in the same project (default-cli-project): agy -c",
            ],
        ),
    ],
)
def test_a_session_ends_with_how_to_go_on(version: str, lines: list[str], place: Place) -> None:
    terminal = place.start(version=version)
    ask(terminal, "hello")
    text = leave(terminal).replace(place.double.newest_conversation(), "ID").rstrip()

    assert text.split("\n")[-len(lines) - 1 :] == [
        "? for shortcuts                                            Gemini 3.1 Pro · high",
        *lines,
    ]


def exits_by_ctrl_c(terminal: Terminal) -> None:
    terminal.type("\x03")
    terminal.shows("press ctrl+c again to exit")
    terminal.type("\x03")


def exits_by_ctrl_d(terminal: Terminal) -> None:
    terminal.type("\x04")
    terminal.shows("press ctrl+d again to exit")
    terminal.type("\x04")


@pytest.mark.parametrize(
    "way",
    [
        exits_by_ctrl_c,
        exits_by_ctrl_d,
        lambda terminal: terminal.enter("/quit"),
        lambda terminal: terminal.process.send_signal(signal.SIGTERM),
        lambda terminal: terminal.process.send_signal(signal.SIGHUP),
        lambda terminal: terminal.process.send_signal(signal.SIGINT),
    ],
    ids=["ctrl-c", "ctrl-d", "quit", "term", "hup", "int"],
)
def test_every_way_out_gives_the_terminal_back(way: Callable[[Terminal], None], place: Place) -> None:
    terminal = place.start()
    ask(terminal, "hello")
    assert not terminal.is_as_before()
    way(terminal)

    assert terminal.ends() == 0
    assert terminal.is_as_before()
    assert terminal.reader.modes == {"?25"}
    assert "Resume with -c (or command below):" in terminal.reader.text()


def test_a_store_that_cannot_be_written_gives_the_terminal_back(place: Place) -> None:
    terminal = place.start()
    terminal.shows(IDLE)
    (place.double.root / "conversations").write_text("in the way")
    terminal.enter("hello")

    assert terminal.ends() == 125
    assert terminal.is_as_before()
    assert "fake-agy: the double can't play this call" in terminal.reader.text()


def test_a_signal_in_a_turn_ends_the_session(place: Place) -> None:
    terminal = place.start("-i", "wait", turns=(HANG,))
    terminal.shows(BUSY)
    terminal.until(lambda: bool(place.double.prompts()), "the turn has begun")
    terminal.process.send_signal(signal.SIGTERM)

    assert terminal.ends() == 0
    assert terminal.is_as_before()


def test_a_terminal_that_hangs_up_ends_the_session(place: Place) -> None:
    terminal = place.start()
    ask(terminal, "hello")
    terminal.hang_up()

    assert terminal.process.wait(timeout=30) == 0


def test_esc_interrupts_and_what_was_typed_meanwhile_has_its_turn(place: Place) -> None:
    terminal = place.start("-i", "wait for me", turns=(HANG,))
    terminal.shows(BUSY)
    terminal.enter("and then?")
    terminal.shows("Running...\n\n> and then?")
    terminal.type("\x1b")
    terminal.shows("⎿  Interrupted · What should Antigravity CLI do instead?")
    terminal.shows('This is turn 2 of our conversation. You said: "and then?"')
    terminal.shows(IDLE)

    assert [b"wait for me" in place.double.prompts()[0], b"and then?" in place.double.prompts()[1]] == [
        True,
        True,
    ]


def test_a_turn_can_be_interrupted_before_it_has_begun(place: Place) -> None:
    terminal = place.start(speed=0.3, clock=None)
    terminal.shows(IDLE)
    terminal.enter("hello")
    terminal.shows(BUSY)
    terminal.type("\x1b")
    terminal.shows("> hello\n\n⎿  Interrupted · What should Antigravity CLI do instead?\n\n─")
    terminal.enter("/exit")

    assert terminal.ends() == 0
    assert place.double.prompts() == []


def test_ctrl_c_interrupts_first_and_exits_then(place: Place) -> None:
    terminal = place.start("-i", "wait", turns=(HANG,))
    terminal.shows(BUSY)
    terminal.type("\x03")
    terminal.shows("⎿  Interrupted")
    terminal.shows("press ctrl+c again to exit")
    terminal.type("\x03")

    assert terminal.ends() == 0


def test_a_command_that_runs_can_be_interrupted(place: Place) -> None:
    command: PlainMove = ("use_tool", {"name": "run_command", "args": {"CommandLine": "sleep 3"}})
    terminal = place.start("--dangerously-skip-permissions", "-i", "sleep", turns=((command, DONE),))
    terminal.shows("○ RunCommand(sleep 3)")
    terminal.type("\x1b")
    terminal.shows("⎿  Interrupted")

    assert "All done." not in terminal.reader.text()


def test_the_spinner_turns_while_time_passes(place: Place) -> None:
    terminal = place.start("-i", "wait", turns=(HANG,), clock=None)
    for picture in ("⡿  Running...", "⣟  Running...", "⣯  Running..."):
        terminal.shows(picture)


@pytest.mark.parametrize(
    ("keys", "result", "kept"),
    [
        ("1", "⎿  made it", []),
        ("\r", "⎿  made it", []),
        ("2", "⎿  made it", []),
        ("3", "⎿  made it", ["command(echo made it)"]),
        ("4", "⎿  User declined the tool call", []),
        ("\x1b", "⎿  User declined the tool call", []),
        ("\x1b[A\r", "⎿  User declined the tool call", []),
    ],
)
def test_a_tool_waits_for_its_permission(keys: str, result: str, kept: list[str], place: Place) -> None:
    terminal = place.start("-i", "make it", turns=((COMMAND, DONE),))
    terminal.shows("○ RunCommand(echo made it)")
    terminal.shows("Requesting permission for:\n  echo made it")
    terminal.shows(BUSY)
    terminal.type(keys)
    terminal.shows(f"● RunCommand(echo made it)\n  {result}")
    terminal.shows("All done.")
    terminal.shows(IDLE)

    assert place.settings().get("permissions", {}).get("allow", []) == kept


def test_what_was_allowed_for_a_conversation_is_not_asked_again(place: Place) -> None:
    terminal = place.start("-i", "make it", version="1.1.18", turns=((COMMAND, COMMAND, DONE),))
    terminal.shows("Do you want to proceed?")
    terminal.type("2")
    terminal.shows("All done.")

    assert terminal.reader.text().count("● RunCommand(echo made it)") == 2


@pytest.mark.parametrize("version", ["1.0.10", "1.1.4", "1.3.3"])
def test_every_version_asks_on_a_screen(version: str, place: Place) -> None:
    terminal = place.start("-i", "make it", version=version, turns=((COMMAND, DONE),))
    terminal.shows("4. No")


def test_another_size_is_drawn_at_once(place: Place) -> None:
    terminal = place.start()
    ask(terminal, "hello")
    terminal.resize((50, 20))
    terminal.shows("─" * 50)
    terminal.hides("─" * 51)
    assert terminal.reader.lines()[-1] == "? for shortcuts              Gemini 3.1 Pro · high"
    terminal.enter("wide?")
    terminal.shows("This is turn 2 of our conversation. You said:\n")


def test_replies_of_the_terminal_are_no_typing(place: Place) -> None:
    terminal = place.start()
    terminal.shows(IDLE)
    for asked in ("\x1b[c", "\x1b[?u", "\x1b]11;?\x07", "\x1b_Ga=q,f=32,s=1,v=1,i=31;AAAAAA==\x1b\\"):
        assert asked in terminal.reader.questions
    terminal.type("he\x1b[?62;22c")
    terminal.shows("> he")
    terminal.type("\x1b[?1u\x1b]11;rgb:0000/0000/0000\x1b\\\x1b_Gi=31;OK\x1b\\llo")
    terminal.shows("> hello")
    terminal.type("\r")
    terminal.shows('You said: "hello"')


def test_a_bracketed_paste_is_one_prompt_that_waits_for_enter(place: Place) -> None:
    terminal = place.start()
    terminal.shows(IDLE)
    assert "?2004" in terminal.reader.modes
    terminal.type("\x1b[200~one\rtwo\x1b[201~")
    terminal.shows("> one\n  two")
    terminal.type("\r")
    terminal.shows('You said: "one two"')


@pytest.mark.parametrize(
    ("version", "shown"),
    [("1.1.13", 'This is turn 2 of our conversation. You said: "two"'), ("1.1.14", "> one\n  two")],
)
def test_lines_without_brackets_are_sent_one_by_one_up_to_1_1_13(
    version: str, shown: str, place: Place
) -> None:
    terminal = place.start(version=version)
    terminal.shows(IDLE)
    terminal.type("one\rtwo\r")
    terminal.shows(shown)


def test_a_conversation_goes_on_from_print_mode_to_a_screen_and_back(place: Place) -> None:
    place.double.call("-p", "my cat is Tom")
    conversation = place.double.last_conversation()
    terminal = place.start("--conversation", conversation)
    terminal.shows('> my cat is Tom\n\nThis is turn 1 of our conversation. You said: "my cat is Tom"')
    ask(terminal, "and my dog is Rex")
    assert f"agy --conversation={conversation}" in leave(terminal)

    told = place.double.call("--conversation", conversation, "-p", "who?").out
    assert '1) "my cat is Tom", 2) "and my dog is Rex"' in told


def test_the_last_conversation_of_a_folder_goes_on(place: Place) -> None:
    place.double.call("-p", "my cat is Tom")
    terminal = place.start("-c")
    terminal.shows("> my cat is Tom")
    ask(terminal, "who is Tom?")

    assert "This is turn 2" in terminal.reader.text()


@pytest.mark.parametrize(
    ("version", "warning"),
    [
        ("1.1.11", 'Warning: conversation "no-such" not found.'),
        ("1.1.12", 'warning: conversation "no-such" not found'),
    ],
)
def test_an_unknown_id_is_warned_of_and_another_conversation_begins(
    version: str, warning: str, place: Place
) -> None:
    terminal = place.start("--conversation", "no-such", version=version)
    terminal.shows(f"⚠ {warning}")
    ask(terminal, "hello")

    assert "This is turn 1" in terminal.reader.text()


def test_a_conversation_that_is_open_elsewhere_says_so(place: Place) -> None:
    first = place.start("-i", "hello")
    first.shows("My word")
    first.shows(IDLE)
    second = place.start("--conversation", place.double.newest_conversation())
    second.shows("⚠ Conversation already open")
    second.shows(
        "⎿  When you opened this conversation it was already open in another CLI instance\n   on this"
    )


def test_what_was_typed_is_kept_with_its_time_and_its_conversation(place: Place) -> None:
    terminal = place.start(version="1.1.18")
    ask(terminal, "hello")
    ask(terminal, "again")
    leave(terminal)
    conversation, cwd = place.double.newest_conversation(), str(place.double.cwd)
    stamp = 1788264000000

    assert place.history() == [
        {"display": "hello", "timestamp": stamp, "workspace": cwd},
        {"display": "again", "timestamp": stamp, "workspace": cwd, "conversationId": conversation},
        {"display": "/exit", "timestamp": stamp, "workspace": cwd, "conversationId": conversation},
    ]


def test_print_mode_keeps_no_history(place: Place) -> None:
    place.double.call("-p", "hello")

    assert not (place.double.root / "history.jsonl").exists()


def test_who_is_not_signed_in_is_asked_to(place: Place) -> None:
    terminal = place.start(switches={"account": "signed-out"})
    terminal.shows(
        "Welcome to the Antigravity CLI. You are currently not signed in.\n\n"
        "Select login method:\n> 1. Google OAuth\n  2. Use a Google Cloud project"
    )
    terminal.type("1")
    terminal.shows("Authentication required. Please visit the URL to log in:")
    terminal.type("4/code")
    terminal.shows("> 4/code")
    terminal.type("\r")
    ask(terminal, "hello")


def test_the_survey_waits_for_a_key(place: Place) -> None:
    terminal = place.start("-i", "hello", switches={"survey-card": True})
    terminal.shows("[1] Good  [2] Fine  [3] Bad  [0] Skip")
    terminal.type("0")
    terminal.hides("[0] Skip")
    ask(terminal, "again")


def test_a_screen_of_its_own_leaves_the_one_before_as_it_was(place: Place) -> None:
    place.double.root.mkdir(parents=True)
    kept = {"altScreenMode": "always", "trustedWorkspaces": [str(place.double.cwd)]}
    (place.double.root / "settings.json").write_text(json.dumps(kept))
    terminal = place.start()
    ask(terminal, "hello")
    assert "?1049" in terminal.reader.modes

    assert leave(terminal).split("\n")[0] == "Resume with -c (or command below):"


@pytest.mark.parametrize("account", ["quota", "server"])
def test_a_failure_of_the_api_is_shown(account: str, place: Place) -> None:
    terminal = place.start("-i", "hello", version="1.1.18", switches={"account": account})
    said = {
        "quota": "⚠ Individual quota reached. Please upgrade your subscription to increase your\n"
        "  limits.\n  Resets in 120h9m43s.",
        "server": "⚠ Internal error encountered.",
    }
    terminal.shows(said[account])
    terminal.shows(IDLE)


def test_a_silent_failure_of_an_old_version_is_shown_on_a_screen(place: Place) -> None:
    terminal = place.start("-i", "hello", version="1.1.0", switches={"account": "server"})
    terminal.shows("⚠ Agent execution terminated due to error.")


def test_commands_answer_without_a_turn(place: Place) -> None:
    terminal = place.start(size=(100, 50))
    terminal.shows(IDLE)
    for command, said in (
        ("/help", "/model"),
        ("/usage", "Weekly Limit Remaining"),
        ("/nothing", "⎿  Unknown command: /nothing"),
        ("/rename", "⎿  /rename does nothing in this double"),
        ("/model no-such", "is not recognized as a known model"),
        ("/resume", "⎿  No conversations found."),
    ):
        terminal.enter(command)
        terminal.shows(said)
        terminal.hides(f"\n> {command}\n─")

    assert place.double.newest_conversation() == ""


def test_enter_completes_a_command_before_it_sends_it(place: Place) -> None:
    terminal = place.start()
    terminal.shows(IDLE)
    terminal.type("/exi")
    terminal.shows("  /exit")
    terminal.type("\r")
    terminal.shows("> /exit")
    terminal.type("\r")

    assert terminal.ends() == 0


def test_the_model_can_be_changed(place: Place) -> None:
    terminal = place.start()
    terminal.shows(IDLE)
    terminal.enter("/model")
    terminal.shows("Select a model:")
    terminal.type("1")
    terminal.shows("⎿  Model: Gemini 3.8 Flash (Low)")
    terminal.shows("Gemini 3.8 Flash · low")


def test_another_conversation_can_be_begun_and_an_old_one_taken_up_again(place: Place) -> None:
    terminal = place.start()
    ask(terminal, "my cat is Tom")
    first = place.double.newest_conversation()
    terminal.enter("/clear")
    terminal.hides("my cat is Tom")
    ask(terminal, "my dog is Rex")
    assert "This is turn 1" in terminal.reader.text()
    terminal.enter("/resume")
    terminal.shows("  my cat is Tom")
    terminal.type("2")
    terminal.shows("> my cat is Tom")
    assert "already open" not in terminal.reader.text()
    ask(terminal, "who is Tom?")
    assert "This is turn 2" in terminal.reader.text()

    assert f"agy --conversation={first}" in leave(terminal)


def test_an_unknown_model_is_warned_of(place: Place) -> None:
    terminal = place.start("--model", "no-such")
    terminal.shows('"no-such" is not recognized as a known model')


def test_the_mode_goes_round(place: Place) -> None:
    terminal = place.start()
    terminal.shows(IDLE)
    terminal.type("\x1b[Z")
    terminal.shows("accept-edits · Gemini")
    terminal.type("\x1b[Z")
    terminal.shows("plan · Gemini")


def test_a_conversation_longer_than_the_screen_keeps_its_end_in_view(place: Place) -> None:
    long: PlainMove = ("say", {"text": "".join(f"line {number}\n" for number in range(60))})
    terminal = place.start("-i", "count", size=(60, 20), turns=((long,),))
    terminal.shows("line 59")
    terminal.shows(IDLE)

    assert len(terminal.reader.lines()) == 20
    assert terminal.reader.lines()[0] == "line 45"


def test_without_a_home_nothing_starts(place: Place) -> None:
    command = place.double_of("1.2.10").command()
    del command["env"]["HOME"]
    with Terminal(command) as terminal:
        assert terminal.ends() == 1
        assert terminal.seen == b"Failed to start: $HOME is not defined: $HOME is not defined\r\n"

import pytest

from fake_agy.command.line import CommandLine
from fake_agy.command.place import Place
from fake_agy.command.subcommand_table import SUBCOMMANDS, is_subcommand
from fake_agy.command.subcommands import Answer, run
from fake_agy.profile.resolve import profile_of
from fake_agy.turns.ending import Ending

HERE = Place(None, "/nowhere", "signed-in", {})
NOW = profile_of((1, 3, 3))


def ran(*words: str, place: Place = HERE, version: tuple[int, int, int] = (1, 3, 3)) -> Answer:
    return run(CommandLine({}, words), profile_of(version), place)


@pytest.mark.parametrize(
    ("name", "before", "first"),
    [
        ("models", (1, 0, 4), (1, 0, 5)),
        ("agent", (1, 1, 0), (1, 1, 1)),
        ("agents", (1, 1, 0), (1, 1, 1)),
        ("mcp", (1, 1, 15), (1, 1, 16)),
        ("mic-serve", (1, 1, 20), (1, 1, 21)),
        ("remote-control", (1, 1, 28), (1, 2, 0)),
    ],
)
def test_a_subcommand_is_a_word_before_its_version(
    name: str, before: tuple[int, int, int], first: tuple[int, int, int]
) -> None:
    assert not is_subcommand(name, profile_of(before))
    assert is_subcommand(name, profile_of(first))


@pytest.mark.parametrize("name", ["run", "resume", "login", "", "MODELS"])
def test_other_words_are_no_subcommands(name: str) -> None:
    assert not is_subcommand(name, NOW)


def test_models_has_its_progress_apart_and_the_list_as_text_and_data() -> None:
    old, new = ran("models", version=(1, 1, 11)), ran("models", version=(1, 1, 12))
    assert (old.progress, old.ending) == ("Fetching available models...\n", Ending())
    assert (new.progress, new.ending) == ("", Ending(err="Fetching available models...\n"))
    assert "gemini-3.1-pro-high\tGemini 3.1 Pro (High)\n" in new.response
    assert isinstance(new.data, dict)
    assert {"id": "gemini-3.1-pro-high", "label": "Gemini 3.1 Pro (High)"} in new.data["models"]


def test_who_is_signed_out_gets_no_models() -> None:
    said = "Error: Please sign in to view available models. Launch the CLI without arguments to sign in.\n"
    assert ran("models", place=HERE._replace(account="signed-out")) == Answer(Ending(1, err=said))


@pytest.mark.parametrize("words", [("models", "--output-format", "json"), ("update", "-output-format=json")])
def test_a_flag_that_belongs_in_front_is_refused_with_three_lines_and_1(words: tuple[str, ...]) -> None:
    assert ran(*words).ending == Ending(
        1,
        err="  -h      Show help\n  --help  Show help\n"
        "Error: flags provided but not defined: -output-format\n",
    )


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_every_subcommand_has_help_of_its_own(name: str) -> None:
    shown = ran(name, "--help").ending
    assert (shown.exit, shown.err) == (0, "")
    assert shown.out.startswith(f"Usage of agy {name}:\n")
    assert "  --help  " in shown.out or "--help " in shown.out
    assert ran("help", name).ending == shown


def test_help_without_a_known_word_is_the_whole_help() -> None:
    assert ran("help").ending.out.startswith("Usage of agy:\n")
    assert ran("help", "bogus") == ran("help")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("agents",), 0, "default\n"),
        (("changelog",), 0, "1.3.3\n"),
        (("install", "--dir", "/opt", "--skip-path"), 0, "configured"),
        (("install", "--bogus"), 1, "Error: flags provided but not defined: -bogus"),
        (("update",), 0, "Antigravity CLI 1.3.3 is up to date.\n"),
        (("mic-serve",), 1, "Error: no microphone is available\n"),
        (("remote-control", "status"), 0, "Remote control is not running.\n"),
        (("remote-control", "stop"), 1, "not running"),
        (("remote-control", "start"), 1, "network"),
        (("remote-control", "bogus"), 1, 'unknown remote-control command "bogus"'),
        (("remote-control",), 1, 'unknown remote-control command ""'),
    ],
)
def test_the_others_say_one_thing(words: tuple[str, ...], code: int, said: str) -> None:
    ending = ran(*words).ending
    assert ending.exit == code
    assert said in (ending.err if code else ending.out)


@pytest.mark.parametrize("name", ["plugin", "plugins", "mcp", "agentapi"])
def test_without_a_home_nothing_is_kept(name: str) -> None:
    words = {"agentapi": ("send-message", "a", "b")}.get(name, ("list",))
    assert ran(name, *words).ending == Ending(1, err="Error: $HOME is not defined\n")

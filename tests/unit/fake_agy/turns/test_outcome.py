import pytest

from fake_agy.profile.resolve import profile_of
from fake_agy.turns.ending import Ending
from fake_agy.turns.outcome import Denied, concluded, denied_objects, shown_response
from fake_agy.version import parse_version

COMMAND = Denied("command", "RunCommand", "no command")
READ = Denied("read_file", "ViewFile", "no read")


@pytest.mark.parametrize(
    ("version", "said", "status", "code"),
    [
        ("1.1.18", "", "CANCELED", 0),
        ("1.1.27", "", "CANCELED", 0),
        ("1.1.28", "", "SUCCESS", 0),
        ("1.1.13", "said", "ERROR", 1),
        ("1.1.18", "said", "ERROR", 0),
        ("1.1.20", "said", "SUCCESS", 0),
    ],
)
def test_a_denied_tool_ends_a_turn_by_version_and_by_what_it_said(
    version: str, said: str, status: str, code: int
) -> None:
    ending = concluded(said, [COMMAND], COMMAND.message, None, profile_of(parse_version(version)))
    assert (ending.status, ending.exit) == (status, code)
    assert ending.err.startswith("jetski: no output produced") == (not said)


def test_an_old_error_returns_where_the_version_holds_on_to_it() -> None:
    held = concluded("said", (), None, "old", profile_of((1, 2, 6)))
    assert (held.status, held.error) == ("ERROR", "old")
    assert concluded("said", (), None, "old", profile_of((1, 2, 10))) == Ending()


def test_a_turn_cut_short_keeps_its_text_by_version() -> None:
    failed = Ending(1, "ERROR", "e")
    assert shown_response("said", failed, profile_of((1, 2, 9)), complete=False) == ""
    assert shown_response("said", failed, profile_of((1, 2, 10)), complete=False) == "said"
    assert shown_response("said", failed, profile_of((1, 1, 18)), complete=True) == "said"
    assert shown_response("said", Ending(), profile_of((1, 1, 28)), complete=False) == "said"


def test_each_kind_of_denied_action_is_named_once() -> None:
    new, old = profile_of((1, 1, 27)), profile_of((1, 1, 26))
    assert denied_objects([COMMAND, READ, COMMAND], new) == (
        {"action": "command", "display_name": "RunCommand"},
        {"action": "read_file", "display_name": "ViewFile"},
    )
    assert denied_objects([COMMAND], old) == ()

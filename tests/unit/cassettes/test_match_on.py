from pathlib import Path

import pytest

from agy_cassettes.call import parse_call
from agy_cassettes.errors import UserError
from agy_cassettes.match_on import load_matchers, select
from agy_cassettes.matchers import DEFAULT_MATCH_ON, MATCHERS, Reason, compare
from agy_cassettes.request_view import RequestView

VIEW = RequestView(call=parse_call([]), argv=())


def test_by_default_what_identifies_a_turn_is_matched() -> None:
    assert tuple(name for name, _ in select()) == DEFAULT_MATCH_ON


def test_matchers_come_in_the_order_named_and_once() -> None:
    assert select(["turn", "kind", "turn"]) == (("turn", MATCHERS["turn"]), ("kind", MATCHERS["kind"]))


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (
            ["promt"],
            "there is no matcher 'promt'; did you mean 'prompt'[?] choose from kind, prompt, .*, mine",
        ),
        (["zzz"], "there is no matcher 'zzz'; choose from"),
        ([], "no matchers to match on; choose from"),
    ],
)
def test_a_wrong_list_of_matchers_is_refused(names: list[str], message: str) -> None:
    with pytest.raises(UserError, match=message):
        select(names, {"mine": MATCHERS["kind"]})


def test_an_own_matcher_may_not_hide_a_built_in_one() -> None:
    with pytest.raises(UserError, match="the matcher 'prompt' is built in"):
        select(["kind"], {"prompt": MATCHERS["kind"]})


def test_own_matchers_come_from_a_python_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from agy_cassettes.matchers import Reason\n"
        "def never(live, recorded):\n"
        "    return [Reason('never', live.cwd, recorded.cwd)]\n"
        "matchers = {'never': never}\n"
    )
    match_on = select(["kind", "never"], load_matchers(file))
    assert compare(VIEW, VIEW, match_on) == (Reason("never", "${CWD}", "${CWD}"),)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x = 1\ny = (\n", r":2: '\(' was never closed"),
        ("\n\nraise ValueError('no')\n", ":3: ValueError: no"),
        ("raise ValueError('boom\\nx')\n", ":1: ValueError: boom x$"),
        ("import sys\nsys.exit(0)\n", ":2: SystemExit: 0$"),
        ("import nothing_such\n", ":1: ModuleNotFoundError: No module"),
        ("", 'has no matchers; write matchers = {"name": function}'),
        ("matchers = {}\n", "has no matchers"),
        ("matchers = ['x']\n", "has no matchers"),
        ("matchers = {'x': 1}\n", "the matcher 'x' is no function"),
    ],
)
def test_a_file_without_matchers_is_refused_with_its_line(tmp_path: Path, source: str, message: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(source)
    with pytest.raises(UserError, match=message) as caught:
        load_matchers(file)
    assert str(caught.value).startswith(str(file))


def test_a_file_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="can't be read as a file of matchers: No such file"):
        load_matchers(tmp_path / "none.py")


def test_a_matcher_that_fails_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def bad(live, recorded):\n    return live.nothing\nmatchers = {'bad': bad}\n")
    with pytest.raises(UserError, match=r"mine.py:2: the matcher 'bad' failed: AttributeError"):
        compare(VIEW, VIEW, select(["bad"], load_matchers(file)))


def test_a_matcher_may_return_the_names_of_what_differs(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("matchers = {'never': lambda live, recorded: ['weather', 'mood']}\n")
    match_on = select(["never"], load_matchers(file))
    assert compare(VIEW, VIEW, match_on) == (Reason("weather"), Reason("mood"))


def test_a_matcher_that_ends_the_program_only_fails(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("import sys\nmatchers = {'bad': lambda live, recorded: sys.exit(0)}\n")
    with pytest.raises(UserError, match=r"mine\.py:2: the matcher 'bad' failed: SystemExit: 0$"):
        compare(VIEW, VIEW, select(["bad"], load_matchers(file)))


def test_an_interrupt_is_none_of_a_matchers_faults(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        load_matchers(file)

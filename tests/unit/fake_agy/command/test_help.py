import pytest

from fake_agy.command.help import help_text
from fake_agy.profile.resolve import profile_of


def test_the_usage_text_shows_what_the_version_has() -> None:
    old, new = help_text(profile_of((1, 1, 1))), help_text(profile_of((1, 3, 3)))
    assert old.startswith("Usage of agy:\n  --add-dir ")
    assert "(default 5m0s)" in old
    assert "--output-format" not in old
    assert "(default 0s)" in new
    assert "  -p " in new
    assert "\nAvailable subcommands:\n" in new


def test_words_are_set_apart_so_that_a_flag_can_be_looked_for() -> None:
    words = help_text(profile_of((1, 1, 18))).split()
    for each in (
        "--conversation",
        "--output-format",
        "--input-format",
        "-p",
        "-c",
        "-i",
        "--print",
        "models",
        "mcp",
    ):
        assert each in words


@pytest.mark.parametrize(
    ("version", "word", "there"),
    [
        ((1, 1, 18), "--remote-control", False),
        ((1, 1, 19), "--remote-control", False),
        ((1, 2, 6), "--remote-control", True),
        ((1, 3, 3), "--version", False),
        ((1, 3, 3), "agentapi", False),
        ((1, 1, 15), "mcp", False),
        ((1, 2, 0), "remote-control", True),
    ],
)
def test_what_is_hidden_is_not_in_the_help(version: tuple[int, int, int], word: str, *, there: bool) -> None:
    assert (word in help_text(profile_of(version)).split()) is there


def test_no_line_ends_in_blanks() -> None:
    lines = help_text(profile_of((1, 1, 4))).splitlines()
    assert [line.rstrip() for line in lines] == lines
    assert "  agents" in lines

"""What is told of a version's behaviours is what the double's table says."""

import pytest

from agy_proxy.report.behaviours import difference_lines, difference_shape, profile_lines, profile_shape
from agy_proxy.report.lines import Line
from fake_agy.command.flag_table import FLAGS, flags_of
from fake_agy.profile.resolve import NEWEST_KNOWN, REFERENCE, profile_of
from fake_agy.profile.table import BEHAVIOURS
from fake_agy.version import Version


def texts(lines: list[Line]) -> list[str]:
    return ["".join(piece if isinstance(piece, str) else piece[0] for piece in line) for line in lines]


def test_every_behaviour_is_told_once_with_the_row_that_holds() -> None:
    told = {each["name"]: each for each in profile_shape((1, 1, 11))["behaviours"]}
    assert list(told) == [each.name for each in BEHAVIOURS]
    assert {name: each["value"] for name, each in told.items()} == profile_of((1, 1, 11)).values
    models = told["models-progress"]
    assert (models["value"], models["since"], models["until"]) == ("stdout", "1.0.0", "1.1.12")
    assert (models["topic"], models["values"]) == ("subcommands", ["stdout", "stderr"])
    assert models["sure"]
    assert models["source"].startswith("contract.md")


@pytest.mark.parametrize(
    ("version", "heading"),
    [
        (REFERENCE, "agy 1.1.18: the reference profile, the one captured most fully"),
        (NEWEST_KNOWN, "agy 1.3.3, the newest that is known (reference profile: 1.1.18)"),
        ((1, 0, 4), "agy 1.0.4 (reference profile: 1.1.18)"),
        ((1, 3, 4), "agy 1.3.4: assumed to behave as 1.3.3, the newest that is known"),
    ],
)
def test_the_heading_says_how_much_is_known_of_a_version(version: Version, heading: str) -> None:
    assert texts(list(profile_lines(profile_shape(version))))[0] == heading


def test_lines_name_value_versions_sureness_source_and_the_other_values() -> None:
    lines = texts(list(profile_lines(profile_shape((1, 1, 11)))))
    at = next(at for at, line in enumerate(lines) if line.startswith("  models-progress = stdout  "))
    assert lines[at + 1].startswith("      since 1.0.0 until 1.1.12, ")
    assert "contract.md 1.3" in lines[at + 1]
    assert lines[at + 2] == "      or by a switch: stderr"
    assert "  --output-format  since 1.1.8" not in texts(list(profile_lines(profile_shape((1, 1, 7)))))
    assert "  --output-format  since 1.1.8" in lines


@pytest.mark.parametrize("name", FLAGS)
def test_a_flag_is_known_from_the_version_that_is_told_on(name: str) -> None:
    since = FLAGS[name].since
    before = (since[0], since[1], since[2] - 1) if since[2] else (since[0], since[1] - 1, 99)
    assert name in flags_of(profile_of(since))
    assert since == (1, 0, 0) or name not in flags_of(profile_of(before))


def test_two_versions_differ_in_what_changed_between_them_and_in_nothing_else() -> None:
    shape = difference_shape((1, 1, 7), (1, 1, 8))
    a, b = profile_of((1, 1, 7)), profile_of((1, 1, 8))
    changed = [each.name for each in BEHAVIOURS if a[each.name] != b[each.name]]
    assert [each["name"] for each in shape["behaviours"]] == changed
    assert changed
    assert [(each["a"], each["b"]) for each in shape["behaviours"]] == [
        (a[name], b[name]) for name in changed
    ]
    assert shape["flags"] == [
        {"name": "json-schema", "a": False, "b": True},
        {"name": "output-format", "a": False, "b": True},
    ]
    lines = texts(list(difference_lines(shape)))
    assert "flag --output-format: only in 1.1.8" in lines


def test_a_subcommand_that_came_between_is_a_difference() -> None:
    shape = difference_shape((1, 1, 16), (1, 1, 15))
    assert shape["subcommands"] == [{"name": "mcp", "a": True, "b": False}]
    assert "subcommand mcp: only in 1.1.16" in texts(list(difference_lines(shape)))


def test_a_version_behaves_as_itself_and_an_unknown_one_as_the_newest() -> None:
    assert texts(list(difference_lines(difference_shape((1, 2, 0), (1, 2, 0))))) == [
        "1.2.0 and 1.2.0 behave alike"
    ]
    assert texts(list(difference_lines(difference_shape((9, 0, 0), NEWEST_KNOWN)))) == [
        "agy 9.0.0 is assumed to behave as 1.3.3, the newest that is known",
        "9.0.0 and 1.3.3 behave alike",
    ]

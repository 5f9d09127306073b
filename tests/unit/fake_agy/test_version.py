import pytest

from fake_agy.models import label_of, listing
from fake_agy.usage import usage
from fake_agy.version import parse_version


def test_versions_compare_as_numbers() -> None:
    assert parse_version("1.2.10") > parse_version("1.2.9")


@pytest.mark.parametrize("text", ["", "1.2", "1.2.x", "0.9.9", "v1.2.3", "1.2.3.4", "1.2.²"])
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is "):
        parse_version(text)


@pytest.mark.parametrize(
    ("version", "line"),
    [
        ((1, 1, 4), "Gemini 3.1 Pro (High)"),
        ((1, 1, 5), "gemini-3.1-pro-high"),
        ((1, 1, 11), "gemini-3.1-pro-high\tGemini 3.1 Pro (High)"),
    ],
)
def test_models_are_listed_in_the_form_of_the_version(version: tuple[int, int, int], line: str) -> None:
    assert line in listing(version).splitlines()


def test_a_model_is_named_by_its_label() -> None:
    assert label_of("gemini-3.1-pro-low") == "Gemini 3.1 Pro (Low)"
    assert label_of("unheard-of") == "unheard-of"
    assert label_of("") == "Gemini 3.1 Pro (High)"


def test_the_usage_text_shows_what_the_version_has() -> None:
    old, new = usage((1, 1, 1)), usage((1, 3, 3))
    assert old.startswith("Usage of agy:\n  --add-dir ")
    assert "(default 5m0s)" in old
    assert "--output-format" not in old
    assert "(default 0s)" in new
    assert "  -p " in new
    assert "\nAvailable subcommands:\n" in new

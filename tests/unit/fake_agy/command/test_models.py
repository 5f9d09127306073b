import pytest

from fake_agy.command.models import Chosen, choose, label_of, listing
from fake_agy.profile.resolve import profile_of
from fake_agy.turns.ending import Ending

NOW = profile_of((1, 3, 3))


@pytest.mark.parametrize(
    ("version", "line"),
    [
        ((1, 1, 4), "Gemini 3.1 Pro (High)"),
        ((1, 1, 5), "gemini-3.1-pro-high"),
        ((1, 1, 11), "gemini-3.1-pro-high\tGemini 3.1 Pro (High)"),
    ],
)
def test_models_are_listed_in_the_form_of_the_version(version: tuple[int, int, int], line: str) -> None:
    assert line in listing(profile_of(version)).splitlines()


def test_a_model_is_named_by_its_label() -> None:
    assert label_of("gemini-3.1-pro-low") == "Gemini 3.1 Pro (Low)"
    assert label_of("unheard-of") == "unheard-of"
    assert label_of("") == "Gemini 3.1 Pro (High)"


@pytest.mark.parametrize(
    ("model", "effort", "slug"),
    [
        ("", None, "gemini-3.1-pro-high"),
        ("gemini-3.8-flash-low", None, "gemini-3.8-flash-low"),
        ("Gemini 3.8 Flash (Low)", None, "gemini-3.8-flash-low"),
        ("", "low", "gemini-3.1-pro-low"),
        ("gemini-3.8-flash-low", "low", "gemini-3.8-flash-low"),
    ],
)
def test_a_model_is_chosen_by_slug_label_and_effort(model: str, effort: str | None, slug: str) -> None:
    assert choose(model, effort, NOW) == Chosen(slug, label_of(slug))


@pytest.mark.parametrize(
    ("model", "effort", "said"),
    [
        ("bogus", None, "is not recognized as a known model"),
        ("", "bogus", '--effort "bogus"): invalid --effort "bogus" (valid: low, medium, high)'),
        ("gemini-3.8-flash-low", "high", "--model gemini-3.8-flash-low conflicts with --effort=high"),
        ("claude-sonnet-4-6", "low", '--effort is not supported for model "claude-sonnet-4-6"'),
    ],
)
def test_a_choice_that_there_is_not_ends_the_call_with_1(model: str, effort: str | None, said: str) -> None:
    ending = choose(model, effort, profile_of((1, 2, 7)))
    assert isinstance(ending, Ending)
    assert (ending.exit, ending.status) == (1, "ERROR")
    assert said in ending.err

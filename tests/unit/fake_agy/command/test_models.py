import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_agy.command.models import (
    DEFAULT,
    Chosen,
    catalogue,
    choose,
    choose_on_screen,
    label_of,
    listing,
)
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


def test_a_model_that_there_is_not_is_refused_with_the_list_of_those_there_are() -> None:
    ending = choose("bogus", None, profile_of((1, 1, 18)))
    assert isinstance(ending, Ending)
    assert ending.err.startswith('Error: invalid --model "bogus": ')
    assert "\nAvailable models:\n" in ending.err
    assert "\n  gemini-3.1-pro-high\tGemini 3.1 Pro (High)\n" in ending.err


def test_the_oldest_versions_fall_back_to_the_default_without_a_word() -> None:
    assert choose("bogus", None, profile_of((1, 1, 1))) == Chosen(DEFAULT.slug, DEFAULT.label)


@pytest.mark.parametrize(("version", "slug"), [((1, 1, 9), DEFAULT.slug), ((1, 1, 10), "gemini-3.1-pro-low")])
def test_print_mode_heeds_the_model_since_1_1_10(version: tuple[int, int, int], slug: str) -> None:
    chosen = choose("Gemini 3.1 Pro (Low)", None, profile_of(version))
    assert isinstance(chosen, Chosen)
    assert chosen.slug == slug


def test_before_1_1_5_a_model_has_no_identifier() -> None:
    assert isinstance(choose("gemini-3.1-pro-low", None, profile_of((1, 1, 4))), Ending)
    assert isinstance(choose("gemini-3.1-pro-low", None, profile_of((1, 1, 5))), Chosen)


@pytest.mark.parametrize(
    ("version", "output_format", "quiet"),
    [
        ((1, 1, 18), "json", False),
        ((1, 1, 19), "json", True),
        ((1, 1, 19), "stream-json", True),
        ((1, 3, 3), "text", False),
    ],
)
def test_stderr_is_empty_where_the_result_tells(
    version: tuple[int, int, int], output_format: str, *, quiet: bool
) -> None:
    ending = choose("", "bogus", profile_of(version), output_format)
    assert isinstance(ending, Ending)
    assert (ending.err == "") is quiet
    assert ending.error is not None


@pytest.mark.parametrize(
    ("model", "effort", "slug"),
    [
        ("claude-opus-5-5", "max", "claude-opus-5-5-max"),
        ("claude-opus-5-5", None, "claude-opus-5-5-max"),
        ("gemini-3.1-pro", "low", "gemini-3.1-pro-low"),
        ("", "medium", "gemini-3.1-pro-high"),
    ],
)
def test_some_models_take_more_efforts(model: str, effort: str | None, slug: str) -> None:
    profile = profile_of((1, 3, 3), [("catalogue", "claude-5.5")])
    assert choose(model, effort, profile) == Chosen(slug, label_of(slug))


def test_a_model_without_an_effort_asked_for_is_refused() -> None:
    ending = choose("gemini-3.1-pro", "max", NOW)
    assert isinstance(ending, Ending)
    assert ending.err.endswith('invalid --effort "max" (valid: low, high)\n')


@pytest.mark.parametrize(
    ("model", "effort"), [("bogus", None), ("", "bogus"), ("gemini-3.1-pro-low", "high")]
)
def test_a_terminal_session_goes_on_with_the_default_and_a_warning(model: str, effort: str | None) -> None:
    chosen = choose_on_screen(model, effort, NOW)
    assert chosen.slug == DEFAULT.slug
    assert chosen.warning.startswith("warning: ")


@given(st.text(), st.none() | st.text(), st.sampled_from(["text", "json"]))
def test_any_model_and_effort_get_a_model_or_an_error(model: str, effort: str | None, form: str) -> None:
    chosen = choose(model, effort, NOW, form)
    assert (
        chosen.exit == 1
        if isinstance(chosen, Ending)
        else chosen.slug in {each.slug for each in catalogue(NOW)}
    )

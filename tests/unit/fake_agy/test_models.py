import pytest

from fake_agy.models import label_of, listing


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

import pytest

from fake_agy.version import parse_version


def test_versions_compare_as_numbers() -> None:
    assert parse_version("1.2.10") > parse_version("1.2.9")


@pytest.mark.parametrize("text", ["", "1.2", "1.2.x", "0.9.9", "v1.2.3", "1.2.3.4", "1.2.²"])
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is "):
        parse_version(text)

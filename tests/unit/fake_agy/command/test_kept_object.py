import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_agy.command.kept_object import indented, keep_object, read_object

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_json_for_people_is_indented_by_two(value: Any) -> None:
    assert indented(value) == json.dumps(value, ensure_ascii=False, indent=2)


def test_what_is_kept_reads_back_and_is_private(tmp_path: Path) -> None:
    path = tmp_path / "config" / "x.json"
    keep_object(str(path), {"a": [1, {"b": "é"}]})
    assert read_object(str(path)) == {"a": [1, {"b": "é"}]}
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_file_that_is_missing_or_empty_holds_nothing(tmp_path: Path) -> None:
    assert read_object(str(tmp_path / "x.json")) == {}
    (tmp_path / "x.json").write_text(" \n")
    assert read_object(str(tmp_path / "x.json")) == {}


@pytest.mark.parametrize("text", ["[]", "1", "{", "nope"])
def test_a_file_that_holds_something_else_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(ValueError, match=r"."):
        read_object(str(tmp_path / "x.json"))

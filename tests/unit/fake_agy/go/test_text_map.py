"""The map that is changed in its text is the map that would have been read, changed and written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_agy.go.json import go_table, read_json
from fake_agy.go.text_map import with_entry

awkward = st.text(alphabet='/ab ",:{}\\<\n\u2028\u00e9!', max_size=6)
paths = awkward.map(lambda text: f"/{text}")


def written(entries: dict[str, str]) -> bytes:
    return go_table(dict(sorted(entries.items()))).encode()


@given(entries=st.dictionaries(paths, awkward), path=paths, text=awkward)
def test_an_entry_is_set_as_by_reading_and_writing_or_the_map_is_to_be_read(
    entries: dict[str, str], path: str, text: str
) -> None:
    changed = with_entry(written(entries), path, text)
    assert changed in (None, written({**entries, path: text}))


@given(entries=st.dictionaries(awkward, awkward), path=paths, text=awkward)
def test_keys_that_are_no_paths_never_lead_to_a_wrong_place(
    entries: dict[str, str], path: str, text: str
) -> None:
    changed = with_entry(written(entries), path, text)
    assert changed is None or read_json(changed.decode()) == {**entries, path: text}


@pytest.mark.parametrize(
    ("before", "path", "after"),
    [
        (b"{}", "/a", b'{"/a":"new"}'),
        (b'{"/a":"1"}', "/a", b'{"/a":"new"}'),
        (b'{"/a":"1","/c":"3"}', "/b", b'{"/a":"1","/b":"new","/c":"3"}'),
        (b'{"/b":"2"}', "/a", b'{"/a":"new","/b":"2"}'),
        (b'{"/a":"1"}', "/a b", b'{"/a":"1","/a b":"new"}'),
        (b'{"/a b":"1"}', "/a", b'{"/a":"new","/a b":"1"}'),
        (b'{"/a":"1","/b":"2"}', "/c", b'{"/a":"1","/b":"2","/c":"new"}'),
    ],
)
def test_what_agy_wrote_is_changed_in_its_text(before: bytes, path: str, after: bytes) -> None:
    assert with_entry(before, path, "new") == after


@pytest.mark.parametrize(
    "before",
    [
        b"",
        b"null",
        b'{"/a": "1"}',
        b'{\n "/a":"1"\n}',
        b'{"/a":1}',
        b'{"/a":"1","/b":2,"/c":"3"}',
        b'{"/a":"1"',
        b'{"/a":"1","/b',
        b'{"/a":{"/b":"1"}}',
        b'{"/a\\"":"1"}',
    ],
)
def test_what_is_damaged_or_was_written_otherwise_is_to_be_read(before: bytes) -> None:
    assert with_entry(before, "/b", "new") is None

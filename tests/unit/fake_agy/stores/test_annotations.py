"""The name of a conversation as a text protobuf (stores.md 1.2)."""

from pathlib import Path

from fake_agy.stores.annotations import annotate
from fake_agy.stores.layout import layout_of


def test_a_title_is_written_in_escapes_of_c(tmp_path: Path) -> None:
    place = layout_of(str(tmp_path))
    annotate(place, "one", 'Say "hü"\\\n')

    assert (Path(place.root) / "annotations" / "one.pbtxt").read_bytes() == (
        b'title:"Say \\"h\\303\\274\\"\\\\\\n"\n'
    )

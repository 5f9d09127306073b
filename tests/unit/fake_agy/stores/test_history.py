"""What people typed in a terminal session (stores.md 4.5)."""

from pathlib import Path

from fake_agy.stores.history import remember
from fake_agy.stores.layout import layout_of


def test_the_first_prompt_of_a_conversation_has_no_id_yet(tmp_path: Path) -> None:
    place = layout_of(str(tmp_path))
    for display, conversation in (("first", None), ('say "hi"', "one")):
        remember(
            place, display=display, timestamp_ms=1782641384058, workspace="/w", conversation=conversation
        )

    assert (Path(place.root) / "history.jsonl").read_text() == (
        '{"display":"first","timestamp":1782641384058,"workspace":"/w"}\n'
        '{"display":"say \\"hi\\"","timestamp":1782641384058,"workspace":"/w","conversationId":"one"}\n'
    )


def test_newer_lines_say_what_was_typed(tmp_path: Path) -> None:
    place = layout_of(str(tmp_path))
    remember(place, display="/exit", timestamp_ms=1, workspace="/w", conversation="one", kind="slash_command")

    assert (Path(place.root) / "history.jsonl").read_text() == (
        '{"display":"/exit","timestamp":1,"workspace":"/w","conversationId":"one","type":"slash_command"}\n'
    )

"""What the system and children tell a conversation, in files with blanks (stores.md 1.4)."""

from pathlib import Path

import pytest

from fake_agy.stores.layout import Layout, brain, layout_of
from fake_agy.stores.messages import Message, post, restart_message

AT = 1782641384.5


@pytest.fixture
def place(tmp_path: Path) -> Layout:
    return layout_of(str(tmp_path))


def files(place: Layout) -> dict[str, str]:
    folder = Path(brain(place, "conv")) / ".system_generated" / "messages"
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_the_notice_of_a_restart_is_kept_hidden_and_read(place: Layout) -> None:
    post(place, "conv", restart_message("m1", AT), cursor=True)

    assert files(place) == {
        "m1.json": '{"id": "m1", "recipient": "conv", "sender": "system", '
        '"priority": "MESSAGE_PRIORITY_LOW", "timestamp": "2026-06-28T10:09:44.500000000Z", '
        '"hideFromUser": true, "content": "[Notice] All your subagents and background tasks have been '
        'stopped due to server restart."}',
        "read.json": '{"m1": true}',
        "cursor.json": '{"last_read_unix_nano": 1782641384500000000}',
    }


def test_messages_are_marked_as_read_one_after_the_other(place: Layout) -> None:
    post(place, "conv", restart_message("m1", AT), cursor=False)
    post(place, "conv", Message("m2", "child", "MESSAGE_PRIORITY_HIGH", AT, 'a "report"'), cursor=False)
    kept = files(place)

    assert kept["read.json"] == '{"m1": true, "m2": true}'
    assert '"sender": "child", "priority": "MESSAGE_PRIORITY_HIGH"' in kept["m2.json"]
    assert '"hideFromUser": false, "content": "a \\"report\\""}' in kept["m2.json"]
    assert "cursor.json" not in kept


@pytest.mark.parametrize("damaged", ["", "[1]", '{"m0": tr'])
def test_a_damaged_list_of_what_was_read_is_begun_anew(damaged: str, place: Layout) -> None:
    folder = Path(brain(place, "conv")) / ".system_generated" / "messages"
    folder.mkdir(parents=True)
    (folder / "read.json").write_text(damaged)
    post(place, "conv", restart_message("m1", AT), cursor=False)

    assert files(place)["read.json"] == '{"m1": true}'


def test_a_time_is_never_rounded_up_to_a_billion_nanoseconds(place: Layout) -> None:
    post(place, "conv", restart_message("m1", 1782641384.9999999999), cursor=False)

    assert '"timestamp": "2026-06-28T10:09:45.000000000Z"' in files(place)["m1.json"]

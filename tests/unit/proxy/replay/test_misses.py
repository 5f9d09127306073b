from pathlib import Path

from agy_proxy.replay.misses import Miss, details_path, misses, write_miss


def miss(folder: Path, call: int) -> Miss:
    return Miss(
        call=call, pid=7, at=1.5 + call, why="none", short="short\n", details=details_path(folder, call, 7)
    )


def test_no_folder_means_no_misses(tmp_path: Path) -> None:
    assert misses(tmp_path / "none") == ()


def test_misses_are_read_back_in_the_order_of_the_calls(tmp_path: Path) -> None:
    folder = tmp_path / "misses"
    for call in (10, 2):
        write_miss(miss(folder, call), f"all about {call}\n")

    found = misses(folder)

    assert found == (miss(folder, 2), miss(folder, 10))
    assert [each.text for each in found] == ["all about 2\n", "all about 10\n"]


def test_a_miss_whose_details_are_gone_has_no_text(tmp_path: Path) -> None:
    write_miss(miss(tmp_path, 1), "text")
    details_path(tmp_path, 1, 7).unlink()

    assert misses(tmp_path)[0].text == ""


def test_bytes_that_are_no_text_are_shown_escaped(tmp_path: Path) -> None:
    write_miss(miss(tmp_path, 1), "a\udcffb")

    assert misses(tmp_path)[0].text == "a\\udcffb"

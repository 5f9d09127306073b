from datetime import UTC, datetime

from agy_cassettes.edits import apply
from agy_proxy.replay.marks import in_order, log_marks, nanoseconds, path_marks, row_marks
from agy_proxy.shim.isolated.play_text import live_edits

RECORDED = datetime(2026, 6, 20, 10, 33, 38, 500_000, tzinfo=UTC)


def test_places_are_marked_and_a_doubled_dollar_is_taken_out() -> None:
    text = b"in ${HOME}/a and $${CWD}, ${LOG_FILE} ${OTHER}"

    live = apply(text, live_edits(path_marks(text), {"HOME": b"/h", "CWD": b"/c", "LOG_FILE": b"/l"}, None))

    assert live == b"in /h/a and ${CWD}, /l ${OTHER}"


def test_a_place_that_the_live_call_lacks_stays_as_it_is() -> None:
    text = b"${LOG_FILE}"

    assert live_edits(path_marks(text), {"LOG_FILE": None}, None) == []


def test_nothing_is_put_into_bytes_that_are_no_text() -> None:
    assert path_marks(b"\xff${HOME}") == ()


def test_the_created_at_of_a_row_is_marked_but_not_one_within_its_content() -> None:
    quoted = b'\\"created_at\\":\\"2026-06-20T10:33:41Z\\"'
    row = b'{"step_index":0,"created_at":"2026-06-20T10:33:40Z","content":"' + quoted + b'"}\n'

    (found,) = row_marks(row)

    assert row[found[0] : found[1]] == b"2026-06-20T10:33:40Z"
    assert found[2:] == ("T", (nanoseconds(datetime(2026, 6, 20, 10, 33, 40, tzinfo=UTC)), 0))


def test_the_fraction_of_a_created_at_is_kept_with_its_digits() -> None:
    (found,) = row_marks(b'{"created_at":"2026-06-20T10:33:40.123456789Z"}')

    assert found[3] == (nanoseconds(datetime(2026, 6, 20, 10, 33, 40, tzinfo=UTC)) + 123_456_789, 9)


def test_a_created_at_that_is_no_time_is_left_alone() -> None:
    assert row_marks(b'{"created_at":"2026-13-20T10:33:40Z"}') == ()


def test_the_times_of_log_lines_are_read_in_the_zone_of_who_recorded_them() -> None:
    line = b"I0620 12:33:39.000250 73304 printmode.go:71] Print mode: starting\n  12:00:00 is no start\n"

    (found,) = log_marks(line, RECORDED)

    assert line[found[0] : found[1]] == b"0620 12:33:39.000250"
    assert found[3] == (nanoseconds(datetime(2026, 6, 20, 10, 33, 39, 250, tzinfo=UTC)), 6)


def test_a_log_line_of_the_last_evening_of_a_year_is_of_that_year() -> None:
    recorded = datetime(2027, 1, 1, 0, 0, 1, tzinfo=UTC)

    (found,) = log_marks(b"I1231 23:59:59.000000 1 a.go:1] x\n", recorded)

    assert found[3] == (nanoseconds(datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC)), 6)


def test_a_stray_prefix_before_a_log_line_is_no_hindrance() -> None:
    line = b"ERROR: logging before google.Init: I0620 10:33:39.000250 73304 a.go:71] x\n"

    assert len(log_marks(line, RECORDED)) == 1


def test_marks_of_all_kinds_come_in_order() -> None:
    text = b'{"created_at":"2026-06-20T10:33:40Z","content":"${HOME}"}${CWD}'

    found = in_order(path_marks(text), row_marks(text))

    assert [mark[2] for mark in found] == ["T", "P", "P"]

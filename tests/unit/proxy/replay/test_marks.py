from datetime import UTC, datetime

from agy_cassettes.edits import apply
from agy_proxy.replay.marks import (
    in_order,
    log_marks,
    log_name_marks,
    nanoseconds,
    number_marks,
    path_marks,
    row_marks,
    second_marks,
)
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


def test_numbers_since_the_epoch_are_marked_under_their_keys_alone() -> None:
    line = b'{"display":"\\"timestamp\\":1781951620000","timestamp":1781951620123,"other":1781951620123}\n'

    (found,) = number_marks(line, b"timestamp", 3)

    assert line[found[0] : found[1]] == b"1781951620123"
    assert found[2:] == ("U", (1_781_951_620_123_000_000, 3))


def test_seconds_with_a_fraction_are_marked_with_no_fewer_than_six_digits() -> None:
    line = b'{"created":1781951620.5,"finished": 1781951620.123456789, "idx": 1781951620}'

    first, second = second_marks(line, b"created|finished")

    assert line[first[0] : first[1]] == b"1781951620.5"
    assert first[3] == (1_781_951_620_500_000_000, 6)
    assert line[second[0] : second[1]] == b"1781951620.123456789"
    assert second[3] == (1_781_951_620_123_456_789, 9)


def test_the_time_in_a_logs_name_is_read_in_the_zone_of_who_recorded_it() -> None:
    name = b"cli-20260620_123339.log"

    (found,) = log_name_marks(name, RECORDED)

    assert name[found[0] : found[1]] == b"20260620_123339"
    assert found[3] == (nanoseconds(datetime(2026, 6, 20, 10, 33, 39, tzinfo=UTC)), 0)
    assert log_name_marks(b"cli-20261320_123339.log", RECORDED) == ()
    assert log_name_marks(b"cli.log", RECORDED) == ()


def test_a_prompts_name_that_was_really_typed_is_marked_in_input_only() -> None:
    text = b"say $${PROMPT}"

    assert apply(text, live_edits(path_marks(text, stdin=True), {}, None)) == b"say ${PROMPT}"
    assert path_marks(text) == ()

"""What a person reads of a record."""

import json

from agy_cassettes.interaction import FileEvent, Interaction, Process, Recorded
from agy_proxy.report.lines import BRIEF, interaction_lines, mark_lines
from tests.support.interactions import AT, BY, interaction, mark

REQUEST = "<USER_REQUEST>\nWhat is\nleft?\n</USER_REQUEST>\n<ADDITIONAL_METADATA>\nThe time.\n"


def shown(record: Interaction, *, whole: bool = False) -> list[str]:
    lines = interaction_lines(1, record, whole=whole)
    return ["".join(piece if isinstance(piece, str) else piece[0] for piece in line) for line in lines]


def test_a_turn_tells_what_was_asked_what_came_out_and_when() -> None:
    row = json.dumps({"step_index": 0, "type": "USER_INPUT", "content": REQUEST}).encode()
    append = FileEvent(
        op="append", path="${AGY_HOME}/brain/1/.system_generated/logs/t.jsonl", text=row + b"\n"
    )
    record = interaction(
        stderr=b"warning\n",
        timing=[(100, "f", 1), (900, "o", 6), (250, "e", 8), (0, "x", 1)],
        files=[append],
        code=1,
    )
    assert shown(record) == [
        f"1. 01J0-1  turn  {AT}  agy 1.2.10  exit 1 after 1.250 s",
        "   asked              What is left?",
        "   argv               agy -p ${PROMPT}",
        f"       0.100  file    append ${{AGY_HOME}}/brain/1/.../t.jsonl, {len(row) + 1} bytes",
        "                        0 USER_INPUT: What is left?",
        "       1.000  stdout  Half.",
        "       1.250  stderr  warning",
        "       1.250  agy     exit 1",
    ]


def test_the_whole_of_a_record_leaves_nothing_out_of_a_row() -> None:
    row = json.dumps({"type": "USER_INPUT", "content": REQUEST}).encode() + b"\n"
    path = "${AGY_HOME}/brain/1/.system_generated/logs/t.jsonl"
    lines = shown(interaction(files=[FileEvent(op="append", path=path, text=row)]), whole=True)
    assert path in lines[-2]
    assert lines[-1].endswith("USER_INPUT: " + " ".join(REQUEST.split()))


def test_what_is_special_about_a_record_comes_before_its_content() -> None:
    recorded = Recorded(
        at=AT, by=BY, origin="invented", redaction="off", redacted=2, complete=False, extra={"note": "second"}
    )
    left = Process(left_behind=("sleep 9",))
    lines = shown(interaction(recorded=recorded, process=left, extra={"note": "first\nmore", "other": 1}))
    assert lines[1:9] == [
        "   invented: no agy said this",
        "   incomplete: the recorder was killed, what follows is a prefix",
        "   recorded with redaction off",
        "   2 places redacted",
        "   left behind: sleep 9",
        "   note               first",
        "                      more",
        "   note               second",
    ]


def test_streams_that_others_wrote_into_too_are_named() -> None:
    recorded = Recorded(at=AT, by=BY, extra={"shared": ["stdout", "stderr"]})
    assert "   stdout and stderr may hold what others wrote into the same file" in shown(
        interaction(recorded=recorded)
    )


def test_long_output_is_cut_unless_all_is_asked_for() -> None:
    long = interaction(stdout=b"".join(b"line %d\n" % number for number in range(100)))
    cut, whole = shown(long), shown(long, whole=True)
    assert len(whole) - len(cut) == 100 - BRIEF - 1
    assert cut[-2] == f"                      ... {100 - BRIEF} more lines; CASSETTE#ID shows all"
    assert whole[-2].endswith("line 99")


def test_recorded_control_characters_are_spelled_out_wherever_they_stand() -> None:
    evil = "\x1b]0;evil\x07"
    row = json.dumps({"type": evil, "content": evil}).encode() + b"\n"
    record = interaction(
        argv=("agy", evil),
        prompt=evil,
        stdout=evil.encode(),
        stderr=evil.encode(),
        timing=[(0, "o", 10), (0, "e", 10), (0, "f", 2)],
        files=[
            FileEvent(op="append", path=f"${{CWD}}/{evil}.jsonl", text=row),
            FileEvent(op="symlink", path="${CWD}/a", target=evil),
        ],
        extra={"note": evil},
        recorded=Recorded(at=AT, by=evil, agy=evil),
        process=Process(left_behind=(evil,)),
    )
    text = "\n".join(shown(record, whole=True))
    assert "\x1b" not in text
    assert "\x07" not in text
    assert text.count("\\x1b]0;evil\\x07") == 11


def test_a_file_that_holds_no_rows_is_told_by_its_size() -> None:
    record = interaction(files=[FileEvent(op="create", path="${AGY_HOME}/x.json", text=b"{}", approx=True)])
    assert "file    create ${AGY_HOME}/x.json, 2 bytes, time is a guess" in shown(record)[-1]


def test_a_mark_is_shown_with_its_note() -> None:
    lines = [
        "".join(p if isinstance(p, str) else p[0] for p in line) for line in mark_lines(2, mark(note="why"))
    ]
    assert lines == [f"2. 01J0-1m  mark reset  {AT}", "   note               why"]


def test_a_long_note_is_wrapped_and_what_was_recorded_is_not() -> None:
    lines = shown(interaction(prompt="asked " * 40, extra={"note": "word " * 60}))
    assert [len(line) <= 110 for line in lines if "word" in line] == [True] * 4
    assert max(len(line) for line in lines if "asked" in line) > 200


def test_rows_that_were_just_shown_and_streams_that_close_at_the_exit_are_not_told_again() -> None:
    row = json.dumps({"type": "PLANNER_RESPONSE", "content": "yes"}).encode() + b"\n"
    files = [FileEvent(op="append", path=f"${{AGY_HOME}}/{name}.jsonl", text=row) for name in ("a", "b")]
    ticks = [(10, "f", 2), (0, "o", 6), (1, "x", 1), (1, "c", 1)]
    brief, whole = (shown(interaction(files=files, timing=ticks), whole=whole) for whole in (False, True))
    assert sum("PLANNER_RESPONSE" in line for line in brief) == 1
    assert brief[6] == "                        the same"
    assert not any("streams" in line for line in brief)
    assert sum("PLANNER_RESPONSE" in line for line in whole) == 2
    assert any("streams" in line for line in whole)


def test_a_row_that_is_nested_too_deep_is_shown_as_it_is() -> None:
    row = b"[" * 100_000 + b"\n"
    record = interaction(files=[FileEvent(op="append", path="${CWD}/a.jsonl", text=row)])
    assert shown(record)[-1].endswith("[[[...")

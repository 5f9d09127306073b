from dataclasses import replace

import pytest
import yaml
from hypothesis import given, settings

from agy_cassettes.document import read_record
from agy_cassettes.emitter import emit_record, header, record_hash
from agy_cassettes.interaction import FileEvent, Mark, Process, Record, Recorded, Sidecar, Tty
from agy_cassettes.mapping import to_mapping
from agy_cassettes.node import FormatError
from tests.support.interactions import interaction, mark
from tests.support.records import records

WHOLE = r"""- id: "01J0-4711"
  recorded: {at: "2026-12-01T02:37:00Z", by: "agy-proxy 0.1.0", agy: "1.2.10", REST
  request:
    argv: ["agy", "--conversation", "9b1d", "-p", "${PROMPT}", !!binary "/w=="]
    prompt: |
      What is left to do?
    stdin: null
    cwd: "${CWD}"
    env: {TERM: "dumb", "NO": "1"}
    stdio: {stdin: "null", stdout: "pipe", stderr: "pipe"}
    tty: {rows: 24, cols: 80}
  response:
    exit: {signal: 9}
    stdout: |
      One.
        Two.

      Three.
    stderr: "\e[31mlate\e[0m\r\n\
      \  indented\n"
    timing: "2104o22 0f1 350e24 900x"
  files:
  - {op: append, path: "${AGY_HOME}/brain/9b1d/transcript.jsonl", TEXT
  - {op: create, path: "${LOG_FILE}", text: {file: "HASH.bin", bytes: 5}}
  process: {client: "python3 -m mybot", killed_by: null, left_behind: [], sampled: true}
"""

WHOLE_RECORD = replace(
    interaction(
        "01J0-4711",
        argv=("agy", "--conversation", "9b1d", "-p", "${PROMPT}", b"\xff"),
        prompt="What is left to do?\n",
        stdout=b"One.\n  Two.\n\nThree.\n",
        stderr=b"\x1b[31mlate\x1b[0m\r\n  indented\n",
        timing=[(2104, "o", 22), (0, "f", 1), (350, "e", 24), (900, "x", 1)],
        code=None,
        signal=9,
        recorded=Recorded(
            at="2026-12-01T02:37:00Z", by="agy-proxy 0.1.0", agy="1.2.10", redaction="off", redacted=2
        ),
        files=[
            FileEvent(
                op="append",
                path="${AGY_HOME}/brain/9b1d/transcript.jsonl",
                before=4183,
                text=b'{"a": 1}\n',
                approx=True,
            ),
            FileEvent(op="create", path="${LOG_FILE}", text=Sidecar("0" * 64 + ".bin", 5)),
        ],
        process=Process(client="python3 -m mybot"),
    )
)
WHOLE_RECORD = replace(
    WHOLE_RECORD,
    request=replace(WHOLE_RECORD.request, env={"TERM": "dumb", "NO": "1"}, tty=Tty(rows=24, cols=80)),
)


def test_a_record_is_written_in_the_documented_form() -> None:
    lines = (
        WHOLE.replace("HASH", "0" * 64)
        .replace("REST", 'origin: captured, redaction: "off", redacted: 2, complete: true}')
        .replace("TEXT", 'before: {bytes: 4183}, text: "{\\"a\\": 1}\\n", approx: true}')
    )
    end = f'  end: "01J0-4711 {record_hash(lines.encode())}"\n'
    assert emit_record(WHOLE_RECORD).decode() == lines + end


def test_a_mark_is_written_in_the_documented_form() -> None:
    lines = (
        '- mark: reset\n  id: "01J0-1m"\n'
        '  recorded: {at: "2026-12-01T02:37:00Z", by: "agy-proxy 0.1.0"}\n  note: "by /new"\n'
    )
    end = f'  end: "01J0-1m {record_hash(lines.encode())}"\n'
    assert emit_record(mark(note="by /new")).decode() == lines + end


def test_a_header_with_records_is_one_document_that_safe_load_reads() -> None:
    data = header() + emit_record(WHOLE_RECORD) + emit_record(mark())
    document = yaml.safe_load(data)
    assert document["version"] == 1
    assert [record["id"] for record in document["interactions"]] == ["01J0-4711", "01J0-1m"]


def test_the_sizes_of_a_terminal_are_written_in_one_line_and_read_again() -> None:
    tty = Tty(rows=24, cols=80, resizes=((30, 90), (10, 40)))
    record = replace(WHOLE_RECORD, request=replace(WHOLE_RECORD.request, tty=tty))
    data = emit_record(record)
    assert b"tty: {rows: 24, cols: 80, resizes: [[30, 90], [10, 40]]}\n" in data
    assert read_record(data, 1) == record
    for wrong in (b"[[30]]", b"[[30, -1]]", b"[30, 90]", b"[[30, x]]", b"[[30, true]]", b"[[30, 70000]]"):
        with pytest.raises(FormatError, match="resizes"):
            read_record(data.replace(b"[[30, 90], [10, 40]]", wrong), 1)


@settings(max_examples=300)
@given(records)
def test_any_text_in_any_field_survives_both_loaders_and_the_document(record: Record) -> None:
    data = emit_record(record)
    expected = [to_mapping(record) | {"end": yaml.safe_load(data)[0]["end"]}]
    assert yaml.load(data, Loader=yaml.SafeLoader) == expected
    assert yaml.load(data, Loader=yaml.CSafeLoader) == expected
    assert read_record(data, 1) == record


@given(records)
def test_what_was_read_is_written_the_same_again(record: Record) -> None:
    data = emit_record(record)
    assert emit_record(read_record(data, 1)) == data


def test_an_unknown_key_called_end_is_refused() -> None:
    with pytest.raises(ValueError, match="end mark"):
        emit_record(interaction(extra={"end": "x"}))


def test_a_surrogate_that_stands_for_no_byte_is_refused() -> None:
    with pytest.raises(ValueError, match="surrogate"):
        emit_record(interaction(prompt="\ud800"))


def test_a_mark_says_what_is_unusual_about_its_making() -> None:
    made = Mark(
        id="01J0-1m", mark="on", recorded=Recorded(at="2026-12-01T02:37:00Z", by="me", origin="edited")
    )
    assert b'- mark: "on"\n' in emit_record(made)
    assert b'by: "me", origin: edited}' in emit_record(made)

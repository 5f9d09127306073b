import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agy_cassettes import layout as module
from agy_cassettes.emitter import emit_record, header
from agy_cassettes.interaction import Record
from agy_cassettes.layout import Layout, Torn, scan_layout
from agy_cassettes.limits import LIMITS, Limits
from tests.support.interactions import interaction, mark
from tests.support.records import records

ONE = emit_record(interaction("01J0-1"))
TWO = emit_record(interaction("01J0-2", stdout=b"Two.\n"))
MARK = emit_record(mark("01J0-3m"))
FILE = header() + ONE + TWO + MARK


def scan(data: bytes, limits: Limits = LIMITS) -> Layout:
    return scan_layout(io.BytesIO(data), len(data), limits)


def test_records_are_found_with_offset_length_line_and_state() -> None:
    entries = scan(FILE).entries
    assert [(entry.kind, entry.id, entry.state) for entry in entries] == [
        ("interaction", "01J0-1", "whole"),
        ("interaction", "01J0-2", "whole"),
        ("mark", "01J0-3m", "whole"),
    ]
    for entry, data in zip(entries, (ONE, TWO, MARK), strict=True):
        assert FILE[entry.offset : entry.offset + entry.length] == data
        assert FILE.count(b"\n", 0, entry.offset) + 1 == entry.line


@pytest.mark.parametrize("window", [1, 7, 64, 1000])
def test_windows_of_any_size_give_the_same(window: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = scan(FILE + b"- id: torn\n")
    monkeypatch.setattr(module, "_WINDOW", window)
    assert scan(FILE + b"- id: torn\n") == whole


@settings(max_examples=40)
@given(st.lists(records, min_size=1, max_size=2))
def test_no_text_in_a_record_is_taken_for_a_mark_of_its_own(some: list[Record]) -> None:
    parts = [emit_record(record) for record in some]
    layout = scan(header() + b"".join(parts))
    assert [entry.length for entry in layout.entries] == [len(part) for part in parts]
    assert {entry.state for entry in layout.entries} == {"whole"}
    assert layout.torn is None


def test_a_body_that_looks_like_records_is_text() -> None:
    text = FILE + b"- id: x\n" + b"<<<<<<< ours\n"
    data = header() + emit_record(interaction(stdout=text, stderr=b"\x1b[0m" + text, prompt=text.decode()))
    layout = scan(data)
    assert (len(layout.entries), layout.problems, layout.torn) == (1, (), None)


def test_another_hash_is_an_edited_record() -> None:
    layout = scan(FILE.replace(b"Two.", b"Tow."))
    assert [entry.state for entry in layout.entries] == ["whole", "edited", "whole"]
    assert layout.problems == ()


def test_every_cut_inside_the_last_record_is_torn() -> None:
    start = len(header() + ONE)
    for cut in range(start + 1, start + len(TWO) - 1):
        layout = scan(FILE[:cut])
        assert layout.problems == ()
        assert [entry.id for entry in layout.entries] == ["01J0-1"]
        assert layout.torn is not None
        assert (layout.torn.offset, layout.torn.length) == (start, cut - start)


def test_a_cut_that_took_only_the_last_newline_is_no_loss_but_shows() -> None:
    layout = scan((header() + ONE)[:-1])
    assert (len(layout.entries), layout.entries[0].state, layout.torn, layout.ended) == (
        1,
        "whole",
        None,
        False,
    )


def test_a_cut_between_records_is_a_shorter_cassette() -> None:
    layout = scan(header() + ONE)
    assert (len(layout.entries), layout.torn, layout.problems) == (1, None, ())


def test_a_torn_record_is_named_as_far_as_it_goes() -> None:
    cut = header() + ONE + MARK[:30]
    assert scan(cut).torn == Torn(len(header() + ONE), 30, 22, "01J0-3m")


def test_comments_and_blank_lines_between_records_are_allowed() -> None:
    layout = scan(header() + b"# first\n\n" + ONE + b"\n  # second\n" + TWO + b"# end\n")
    assert [entry.state for entry in layout.entries] == ["whole", "whole"]
    assert layout.problems == ()


@pytest.mark.parametrize(
    ("data", "line", "what"),
    [
        (header() + ONE.partition(b"\n")[0] + b"\n" + TWO, 4, "before that of line 3 has ended"),
        (header() + ONE + TWO.splitlines(keepends=True)[-1], 22, "belongs to no record"),
        (header() + ONE + b"  recorded: {}\n" + TWO, 22, "belongs to no record"),
        (header() + ONE + b"notes: x\n", 22, "belongs to no record"),
        (header() + ONE.replace(b"  request:", b"request:"), 5, "first column"),
        (header() + ONE.replace(b"  end: ", b"  end: x"), 21, "no end mark"),
        (header() + ONE.replace(b'  end: "01J0-1', b'  end: "01J0-2'), 21, "end mark of '01J0-2' in"),
        (header() + ONE + ONE, 22, "the id '01J0-1' a second time, first in line 3"),
        (header() + b"<<<<<<< ours\n" + ONE + b"=======\n" + TWO + b">>>>>>> theirs\n", 3, "conflict marker"),
        (header() + b"- 1\n", 3, "must begin with '- id:'"),
        (b"", 1, "empty"),
        (b"version: 1\n", 1, "cut short"),
        (b"version: 1\nx: 1\n", 1, "interactions"),
        (b"version: 2\ninteractions:\n", 1, "version 2 of the format, and this agy-proxy reads version 1"),
        (b"version: 0\ninteractions:\n", 1, "version 0"),
        (b"version: one\ninteractions:\n", 1, "no cassette"),
        (b"interactions:\n" + ONE, 1, "no cassette"),
        (b"version: 1\nversion: 1\ninteractions:\n" + ONE, 2, "twice"),
        (b"version: 1\ninteractions: 3\n", 2, "must follow"),
        (b"version: 1\ninteractions:\nnotes: x\n" + ONE, 3, "must follow"),
        (b"version: 1\nx: &a [*a]\ninteractions:\n" + ONE, 2, "anchor"),
        (FILE.replace(b"\n", b"\r\n"), 1, "CRLF"),
        (b"PNG\r\n\0\xff" * 10, 1, "no cassette"),
        ("version: 1\ninteractions:\n".encode("utf-16"), 1, "no cassette"),
    ],
)  # fmt: skip
def test_lines_in_no_order_are_a_problem(data: bytes, line: int, what: str) -> None:
    problem = scan(data).problems[0]
    assert what in problem.what
    assert problem.line == line


def test_keys_above_the_records_are_allowed() -> None:
    assert scan(b"---\n# made by hand\nversion: 1\ntitle: x\ninteractions:\n" + ONE).problems == ()
    assert scan(b"\xef\xbb\xbfversion: 1\ninteractions: []\n").problems == ()


def test_limits_on_records_and_their_size_hold() -> None:
    assert "more than 2 records" in scan(FILE, Limits(records=2)).problems[0].what
    assert "more than 99 bytes" in scan(FILE, Limits(record_bytes=99)).problems[0].what
    assert "more than 9 bytes" in scan(FILE, Limits(header_bytes=9)).problems[0].what


def test_a_file_full_of_faults_is_told_of_a_hundred_times_at_most() -> None:
    assert len(scan(header() + ONE + b"x\n" * 1000).problems) == 100

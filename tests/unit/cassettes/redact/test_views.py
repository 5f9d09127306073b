import html
import json
import shlex
import urllib.parse

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agy_cassettes.redact.views import chain, origin, plain

PIECES = st.lists(
    st.sampled_from(
        b'a bc \\n \\\\ \\" \\u00e9 \\ud83d\\ude00 %41 %2541 &amp; \x1b[31m \x1b]0;t%41\\u0062\x07 \x1b]8;;x'
        b" \\u001b[1m \x1b \\ % \xff".split(b" ")
    ),
    max_size=12,
).map(b"".join)


@pytest.mark.parametrize(
    "spelled",
    [
        json.dumps("1//0ab+c@d.e"),
        json.dumps(json.dumps("1//0ab+c@d.e")),
        '"1\\/\\/0ab\\u002bc\\u0040d.e"',
        urllib.parse.quote('"1//0ab+c@d.e"', safe=""),
        urllib.parse.quote(urllib.parse.quote('"1//0ab+c@d.e"', safe=""), safe=""),
        html.escape('"1//0ab+c@d.e"'),
        '"1\x1b[0m//0ab\x1b]8;;http://x\x1b\\+c@\x1b[1;31md.e"',
        '"1\\//0ab\\+c\\@d.e"',
        shlex.quote('"1//0ab+c@d.e"').strip("'"),
    ],
)
def test_all_spellings_of_a_secret_have_one_plain_form(spelled: str) -> None:
    assert plain(spelled.encode()).strip(b'"') == b"1//0ab+c@d.e"


def test_what_terminal_commands_carry_is_a_view_of_its_own() -> None:
    views = [steps[-1] for steps in chain(b"x\x1b]0;one%21\x07y\x1b]2;two\x1b\\z\x1b]2;cut")]
    assert [view.text for view in views if view.osc] == [
        b"0;one%21\n2;two\n2;cut\n",
        b"0;one!\n2;two\n2;cut\n",
    ]
    assert [view.text for view in views if not view.osc] == [b"xyz"]


@given(PIECES)
def test_every_place_of_a_view_leads_back_in_order_and_to_whole_escapes(text: bytes) -> None:
    for steps in chain(text):
        at, previous = 0, (0, 0)
        for place in range(len(steps[-1].text)):
            start, end = origin(steps, place, place + 1)
            # A terminal command that was cut off has no end: its line end stands for nothing.
            assert 0 <= start <= end <= len(text)
            assert start >= at or (start, end) == previous
            at, previous = end, (start, end)
            assert origin(steps, place, len(steps[-1].text))[0] == start


def test_a_span_leaves_out_the_colours_around_it() -> None:
    text = b"\x1b[1mab\x1b[0mcd\x1b[0m"
    (steps,) = chain(text)
    assert text[slice(*origin(steps, 0, 4))] == b"ab\x1b[0mcd"
    assert text[slice(*origin(steps, 0, 2))] == b"ab"
    assert text[slice(*origin(steps, 2, 4))] == b"cd"

"""Input: whole, line by line, and as a part of what identifies a call."""

from tests.support.target import Bed, all_ways

GIVEN = """
done = subprocess.run(["agy"], input={given!r}, stdout=PIPE, stderr=PIPE)
tell((done.stdout, done.returncode))
"""

TALK = """
agy = Popen(["agy", {options}], stdin=PIPE, stdout=PIPE)
seen = [agy.stdout.readline()]
for line in (b"first\\n", b"second\\n"):
    agy.stdin.write(line)
    agy.stdin.flush()
    seen.append(agy.stdout.readline())
agy.stdin.close()
tell((seen, agy.stdout.read(), agy.wait()))
"""

STREAMS = '"--output-format", "stream-json", "--input-format", "stream-json"'


def given(data: bytes) -> str:
    return GIVEN.replace("{given!r}", repr(data))


def test_input_given_whole_reaches_the_call_and_is_kept(bed: Bed) -> None:
    ways = bed.three_ways(given(b"a prompt\n"))

    (kept,) = bed.interactions
    assert ways == all_ways((b"ready\nA PROMPT\n", 0))
    assert kept.request.prompt == "a prompt\n"


def test_other_input_than_recorded_is_a_miss(bed: Bed) -> None:
    bed.record(given(b"a prompt\n"))

    other = bed.replay(given(b"another prompt\n"))

    assert (other.told, other.status) == ((b"", 125), 125)


def test_each_input_gets_its_own_answer_whatever_the_order(bed: Bed) -> None:
    client = """
told = [subprocess.run(["agy"], input=data, stdout=PIPE).stdout for data in {inputs!r}]
tell(told)
"""
    recorded = bed.record(client.replace("{inputs!r}", "(b'one\\n', b'two\\n')"))

    replayed = bed.replay(client.replace("{inputs!r}", "(b'two\\n', b'one\\n')"), "--fail-unplayed")

    assert recorded.told == [b"ready\nONE\n", b"ready\nTWO\n"]
    assert (replayed.told, replayed.status) == (recorded.told[::-1], 0)


def test_a_reply_comes_before_the_input_ends(bed: Bed) -> None:
    expected = ([b"ready\n", b"FIRST\n", b"SECOND\n"], b"", 0)

    assert bed.three_ways(TALK.replace("{options}", STREAMS)) == all_ways(expected)


def test_a_reply_to_input_that_is_the_prompt_comes_before_its_end_while_recording(bed: Bed) -> None:
    talk = TALK.replace("{options}", "")

    assert bed.record(talk).told == bed.direct(talk).told
    assert bed.interactions[0].request.prompt == "first\nsecond\n"


def test_input_that_agy_reads_beside_its_prompt_is_passed_through_and_stays_open(bed: Bed) -> None:
    assert bed.record(TALK.replace("{options}", '"-p", "echo"')).told == (
        [b"ready\n", b"FIRST\n", b"SECOND\n"],
        b"",
        0,
    )


def test_an_open_silent_pipe_holds_up_nothing(bed: Bed) -> None:
    client = """
agy = Popen(["agy", "-p", "apart"], stdin=PIPE, stdout=PIPE, stderr=PIPE)
tell((agy.stdout.read(), agy.wait()))
"""

    assert bed.three_ways(client) == all_ways((b"answer\n", 0))

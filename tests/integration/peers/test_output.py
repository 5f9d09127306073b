"""Output: when it comes, and that every byte of it does."""

import hashlib

import pytest

from tests.support.figures import scaled
from tests.support.target import ODD, Bed, all_ways

LINE_BY_LINE = """
agy = Popen(["agy", "-p", "stream"], stdout=PIPE, stderr=PIPE)
seen = []
seen.append(agy.stdout.readline()); open_gate()
seen.append(agy.stdout.readline()); open_gate()
seen.append(agy.stderr.readline()); open_gate()
seen.append(agy.stdout.read())
tell((seen, agy.wait()))
"""

ITERATED = """
agy = Popen(["agy", "-p", "stream"], stdout=PIPE, stderr=subprocess.STDOUT)
seen = []
for line in agy.stdout:
    seen.append(line)
    open_gate()
tell((seen, agy.wait()))
"""

FIRST_LINE_THEN_TERM = """
agy = Popen(["agy", "-p", "stream"], stdout=PIPE, stderr=PIPE)
first, running = agy.stdout.readline(), agy.poll() is None
agy.terminate()
tell((first, running, agy.stdout.read(), agy.wait()))
"""

WHOLE = """
told = []
for prompt in {prompts!r}:
    done = subprocess.run(["agy", "-p", prompt], stdout=PIPE, stderr=PIPE)
    told.append((done.stdout, done.stderr, done.returncode))
tell(told)
"""

DIGEST = """
import hashlib
done = subprocess.run(["agy", "-p", "{prompt}"], stdout=PIPE)
tell((len(done.stdout), hashlib.sha256(done.stdout).hexdigest(), done.returncode))
"""


def test_each_line_arrives_before_the_next_is_written(bed: Bed) -> None:
    expected = ([b"one\n", b"two\n", b"warned\n", b"end"], 0)

    assert bed.three_ways(LINE_BY_LINE) == all_ways(expected)


def test_a_pipe_can_be_iterated_line_by_line_while_the_call_runs(bed: Bed) -> None:
    expected = ([b"one\n", b"two\n", b"warned\n", b"end"], 0)

    assert bed.three_ways(ITERATED) == all_ways(expected)


def test_a_replayed_line_arrives_while_the_next_is_not_due(bed: Bed) -> None:
    bed.record(LINE_BY_LINE)
    bed.retime("0o4 3600000o4 0e7 0o3 0x 0c")

    assert bed.replay(FIRST_LINE_THEN_TERM).told == (b"one\n", True, b"", -15)


def test_every_byte_comes_through_and_comes_back_on_its_own_stream(bed: Bed) -> None:
    expected = {
        "bytes": (bytes(range(256)), b""),
        "odd": (ODD, b""),
        "apart": (b"answer\n", b"warning\n"),
        "lines 0 none": (b"", b""),
    }

    ways = bed.three_ways(WHOLE.replace("{prompts!r}", repr(tuple(expected))))

    kept = [(each.response.stdout, each.response.stderr) for each in bed.interactions]
    assert ways == all_ways([(out, err, 0) for out, err in expected.values()])
    assert kept == list(expected.values())


def test_text_mode_gives_text(bed: Bed) -> None:
    client = """
done = subprocess.run(["agy", "-p", "apart"], stdout=PIPE, stderr=PIPE, text=True)
tell((done.stdout, done.stderr, done.returncode))
"""

    assert bed.three_ways(client) == all_ways(("answer\n", "warning\n", 0))


@pytest.mark.stress
def test_many_megabytes_come_back(bed: Bed) -> None:
    size = scaled(50 << 20) // 16 * 16
    expected = (size, hashlib.sha256(b"0123456789abcdef" * (size // 16)).hexdigest(), 0)

    assert bed.three_ways(DIGEST.replace("{prompt}", f"big {size}")) == all_ways(expected)


def test_a_line_far_above_64_kib_is_one_line(bed: Bed) -> None:
    client = """
agy = Popen(["agy", "-p", "big 320000"], stdout=PIPE)
line = agy.stdout.readline()
tell((len(line), agy.stdout.read(), agy.wait()))
"""

    assert bed.three_ways(client) == all_ways((320000, b"", 0))

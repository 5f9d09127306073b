"""Which recording answers a call: never another one's, and none when there is none."""

import re

from tests.support.target import Bed

CALL = """
done = subprocess.run(["agy", *{words!r}], stdout=PIPE, stderr=PIPE)
tell((done.stdout, done.returncode))
"""

CALLS = """
told = []
for words in {calls!r}:
    done = subprocess.run(["agy", *words], stdout=PIPE, stderr=PIPE)
    told.append((done.stdout, done.returncode))
tell(told)
"""


def call(*words: str) -> str:
    return CALL.replace("{words!r}", repr(list(words)))


REFUSED = (b"", 125)


APART = [("tell", "a b", "c"), ("tell", "a", "b", "c"), ("tell", "a b", ""), ("tell", "a b"), ("-p", "a b")]


def test_words_with_spaces_are_kept_apart(bed: Bed) -> None:
    client = CALLS.replace("{calls!r}", repr(APART))
    bed.record(client)
    direct = bed.direct(client).told

    backwards = bed.replay(CALLS.replace("{calls!r}", repr(APART[::-1])), "--fail-unplayed")

    assert (backwards.told, backwards.status) == (direct[::-1], 0)
    assert bed.replay(call("-p", "a", "b")).told == REFUSED


def test_a_prompt_that_is_only_like_a_recorded_one_is_refused(bed: Bed) -> None:
    bed.record(call("-p", "What is left to do?"))
    like = ["What is left to do ?", "what is left to do?", "What is left to do?\n"]

    ended = bed.replay(CALLS.replace("{calls!r}", repr([("-p", prompt) for prompt in like])))

    assert (ended.told, ended.status) == ([REFUSED] * len(like), 125)
    assert ended.stderr.count("no recorded call matches") == len(like)


def test_the_working_directory_is_no_part_of_the_match_unless_asked(bed: Bed) -> None:
    bed.record(call("-p", "hello"))
    other = bed.folder / "other"
    other.mkdir()
    client = f"os.chdir({str(other)!r})\n{call('-p', 'hello')}"

    assert bed.replay(client).told == (b"HELLO\n", 0)
    assert bed.replay(call("-p", "hello"), "--match-on", "prompt,cwd").told == (b"HELLO\n", 0)


def test_calls_are_answered_in_any_order_and_equal_ones_in_the_order_recorded(bed: Bed) -> None:
    # Two that are equal in all but what they print: the environment is no part of the match.
    client = """
told = []
for prompt in {prompts!r}:
    os.environ["TURN"] = str(len(told))
    told.append(subprocess.run(["agy", "-p", prompt], stdout=PIPE).stdout)
tell(told)
"""
    turn = "environment TURN"
    bed.record(client.replace("{prompts!r}", repr((turn, turn, "last"))))

    other_order = bed.replay(client.replace("{prompts!r}", repr(("last", turn, turn))), "--fail-unplayed")

    assert (other_order.told, other_order.status) == ([b"LAST\n", b"0\n", b"1\n"], 0)


def test_a_recording_is_used_once_and_then_refused_unless_repeats_are_allowed(bed: Bed) -> None:
    bed.record(call("-p", "hello"))
    twice = """
tell([subprocess.run(["agy", "-p", "hello"], stdout=PIPE, stderr=PIPE).returncode for _ in range(2)])
"""

    strict, repeated = bed.replay(twice), bed.replay(twice, "--allow-repeats")

    assert (strict.told, strict.status) == ([0, 125], 125)
    assert (repeated.told, repeated.status) == ([0, 0], 0)


def test_recordings_that_nobody_asked_for_are_reported(bed: Bed) -> None:
    bed.record(CALLS.replace("{calls!r}", repr([("-p", "hello"), ("-p", "unused")])))
    unused = bed.interactions[1].id

    lenient = bed.replay(call("-p", "hello"))
    strict = bed.replay(call("-p", "hello"), "--fail-unplayed")

    assert (lenient.status, strict.status) == (0, 125)
    assert unused in lenient.stderr
    assert unused in strict.stderr


SECRETS = {
    "environment": "AIzaSyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q",
    "argument": "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8",
    "output": "ya29.a0AfH6SMBx1y2z3A4b5C6d7E8f9G0h1I2j3K4l5M6n7O8p9",
}


def test_no_secret_of_environment_argument_or_output_is_kept(bed: Bed) -> None:
    client = """
os.environ["GEMINI_API_KEY"] = {environment!r}
done = [
    subprocess.run(["agy", "-p", "use {argument}"], stdout=PIPE),
    subprocess.run(["agy", "-p", "leak {output}"], stdout=PIPE),
    subprocess.run(["agy", "-p", "environment GEMINI_API_KEY"], stdout=PIPE),
]
tell([(each.stdout, each.returncode) for each in done])
"""
    for name, secret in SECRETS.items():
        client = client.replace(f"{{{name}}}", secret).replace(f"{{{name}!r}}", repr(secret))
    recorded = bed.record(client)
    made = bed.real_calls

    replayed = bed.replay(client, "--fail-unplayed")

    kept = bed.cassette.read_bytes().decode()
    for secret in SECRETS.values():
        assert secret in repr(recorded.told) or secret.upper() in repr(recorded.told)
        assert secret not in kept
        assert secret not in recorded.stderr + replayed.stderr
        assert secret not in repr(replayed.told)
    assert (replayed.status, bed.real_calls) == (0, made)
    assert re.search(r"the key is REDACTED-[a-z0-9-]+-\d+", repr(replayed.told))

"""Calls that are answered message by message: what comes in has to be what came in then."""

import itertools
import json
import os
import signal
import socket
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from agy_cassettes.client_words import alarming
from agy_cassettes.interaction import Interaction
from tests.support.interactions import interaction
from tests.support.players import Player, player

STREAM = ("--input-format", "stream-json", "--output-format", "stream-json")
ONE, TWO, THREE = (b'{"text":"%s"}\n' % word for word in (b"one", b"two", b"three"))
FAR = 100_000_000
Ticks = Sequence[tuple[int, str, int]]


def exchange(
    said: bytes = ONE + TWO, ticks: Ticks | None = None, *, out: bytes = b"1\n2\nend\n", code: int = 0
) -> Interaction:
    """Two messages, each answered as it came, and a word after the end of the input."""
    usual = [(1, "i", len(ONE)), (1, "o", 2), (1, "i", len(TWO)), (1, "o", 2), (1, "z", 1), (1, "o", 4)]
    return interaction(
        argv=("agy", *STREAM),
        prompt=None,
        stdin=said.decode() if said.isascii() else said,
        stdout=out,
        timing=[*(usual if ticks is None else ticks), (1, "x", 1)],
        code=code,
    )


class Talk:
    """A client that writes and reads in turns."""

    def __init__(self, agy: Player) -> None:
        self.process = agy.start(*STREAM, stdin=subprocess.PIPE, bufsize=0)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.stdin = self.process.stdin
        self.stdout = self.process.stdout

    def say(self, line: bytes) -> None:
        self.stdin.write(line)

    def end(self) -> tuple[bytes, bytes, int]:
        """What still comes, without anything more to be said and with stdin left open."""
        out = self.stdout.read()
        assert self.process.stderr is not None
        err = self.process.stderr.read()
        code = self.process.wait(60)
        self.stdin.close()
        self.stdout.close()
        self.process.stderr.close()
        return out, err, code


def test_the_recorded_exchange_is_played_message_by_message(tmp_path: Path) -> None:
    talk = Talk(player(tmp_path, exchange(code=3)))

    for message, answer in ((ONE, b"1\n"), (TWO, b"2\n")):
        talk.say(message)
        assert talk.stdout.read(2) == answer
    assert talk.process.poll() is None
    talk.stdin.close()

    assert talk.end() == (b"end\n", b"", 3)


@pytest.mark.parametrize(
    "said",
    [
        ONE + TWO,
        b'{ "text" : "one" }\n{"text": "\\u0074wo"}\r\n',
        (ONE + TWO).removesuffix(b"\n"),
    ],
    ids=["the bytes", "the same JSON", "no last line break"],
)
def test_what_means_the_same_is_the_same(said: bytes, tmp_path: Path) -> None:
    result = player(tmp_path, exchange()).run(*STREAM, stdin=said)

    assert (result.stdout, result.stderr, result.returncode) == (b"1\n2\nend\n", b"", 0)


def test_paths_are_those_of_the_live_call(tmp_path: Path) -> None:
    said = b'{"text":"in ${CWD} $${PROMPT} $${HOME}"}\n'
    agy = player(tmp_path, exchange(said, [(1, "i", len(said)), (1, "o", 2)], out=b"1\n"))

    live = b'{"text":"in %s ${PROMPT} ${HOME}"}\n' % os.fsencode(tmp_path)
    assert agy.run(*STREAM, stdin=live, cwd=tmp_path).returncode == 0


def test_a_secret_is_compared_as_it_was_redacted(tmp_path: Path) -> None:
    said = b'{"text":"mail REDACTED-email-3"}\n'
    one = player(tmp_path / "one", exchange(said, [(1, "i", len(said)), (1, "o", 2)], out=b"1\n"))
    other = player(tmp_path / "other", exchange(said, [(1, "i", len(said)), (1, "o", 2)], out=b"1\n"))

    assert one.run(*STREAM, stdin=b'{"text":"mail ada@lovelace.org"}\n').returncode == 0
    assert other.run(*STREAM, stdin=b'{"text":"mail nobody"}\n').returncode == 125


def check_departed(agy: Player, err: bytes, *words: str) -> None:
    """A miss like any other, with the difference in it."""
    text = err.decode()
    (miss,) = agy.misses
    assert miss.why == "departed"
    assert miss.short == text
    assert text.splitlines()[0] == (
        f"agy-proxy: the input is not the recorded one (call 1); details: {miss.details}"
    )
    assert len(text.splitlines()) <= 10
    assert not alarming(text)
    assert miss.details.stat().st_mode & 0o777 == 0o600
    for word in words:
        assert word in miss.text


def test_another_message_is_a_miss_that_shows_the_difference(tmp_path: Path) -> None:
    agy = player(tmp_path, exchange())
    talk = Talk(agy)

    talk.say(ONE)
    assert talk.stdout.read(2) == b"1\n"
    talk.say(b'{"text":"too"}\n')
    out, err, code = talk.end()

    assert (out, code) == (b"", 125)
    check_departed(agy, err, "line 2 parts at character 11", '{"text":"t[o]o"}', '{"text":"t[w]o"}')


def test_nothing_of_an_answer_comes_before_its_message_was_compared(tmp_path: Path) -> None:
    result = player(tmp_path, exchange()).run(*STREAM, stdin=ONE + b'{"text":"too"}\n')

    assert (result.stdout, result.returncode) in ((b"", 125), (b"1\n", 125))


def test_one_message_more_is_a_miss(tmp_path: Path) -> None:
    agy = player(tmp_path, exchange())
    talk = Talk(agy)

    for message in (ONE, TWO, THREE):
        talk.say(message)
    out, err, code = talk.end()

    assert code == 125
    assert (b"1\n2\n").startswith(out)
    check_departed(agy, err, "after the end of the recorded input came", "three")


def test_a_message_more_ends_the_wait_for_a_signal(tmp_path: Path) -> None:
    ticks = [(1, "i", len(ONE)), (1, "o", 2), (1, "s", int(signal.SIGTERM))]
    agy = player(tmp_path, exchange(ONE, ticks, out=b"1\n"))
    talk = Talk(agy)

    talk.say(ONE)
    assert talk.stdout.read(2) == b"1\n"
    talk.say(TWO)
    _, err, code = talk.end()

    assert code == 125
    check_departed(agy, err, "after the end of the recorded input came")


def test_a_message_more_ends_a_long_wait_for_output(tmp_path: Path) -> None:
    ticks = [(1, "i", len(ONE)), (1, "o", 2), (FAR, "o", 2)]
    agy = player(tmp_path, exchange(ONE, ticks, out=b"1\n2\n"), speed=1)
    talk = Talk(agy)

    talk.say(ONE)
    assert talk.stdout.read(2) == b"1\n"
    talk.say(TWO)

    assert talk.end()[2] == 125


def test_an_input_that_ends_too_early_is_a_miss(tmp_path: Path) -> None:
    agy = player(tmp_path, exchange())

    result = agy.run(*STREAM, stdin=ONE)

    assert result.returncode == 125
    check_departed(agy, result.stderr, "the input ended before this was read", "two")


@pytest.mark.parametrize("how", ["closed", "null"])
def test_no_input_at_all_is_a_miss(how: str, tmp_path: Path) -> None:
    agy = player(tmp_path, exchange())
    script = f'exec "$0" "$@" {"<&-" if how == "closed" else "</dev/null"}'

    done = subprocess.run(
        ["/bin/sh", "-c", script, agy.agy, *STREAM],
        env={**os.environ, "HOME": str(agy.home)},
        capture_output=True,
        check=False,
    )

    assert (done.returncode, done.stdout) == (125, b"")
    check_departed(agy, done.stderr, "the input ended before this was read", "one")


def test_a_client_that_closes_its_side_early_gets_what_was_recorded_after_that(tmp_path: Path) -> None:
    agy = player(tmp_path, exchange())

    assert agy.run(*STREAM, stdin=ONE + TWO).stdout == b"1\n2\nend\n"


def test_a_socket_that_is_half_closed_ends_the_input(tmp_path: Path) -> None:
    agy = player(tmp_path, exchange())
    ours, theirs = socket.socketpair()

    with ours, agy.start(*STREAM, stdin=theirs, stdout=theirs) as process:
        theirs.close()
        ours.sendall(ONE + TWO)
        ours.shutdown(socket.SHUT_WR)
        with ours.makefile("rb") as stream:
            assert stream.read() == b"1\n2\nend\n"
        assert process.wait(60) == 0


def test_messages_may_come_in_any_pieces_and_before_their_time(tmp_path: Path) -> None:
    talk = Talk(player(tmp_path, exchange()))

    for byte in ONE + TWO:
        talk.say(bytes([byte]))
    talk.stdin.close()

    assert talk.end() == (b"1\n2\nend\n", b"", 0)


def test_a_huge_message_is_compared_and_answered(tmp_path: Path) -> None:
    huge = json.dumps({"text": "x" * 3_000_000}).encode() + b"\n"
    ticks = [(1, "i", len(huge)), (1, "o", 2)]
    agy = player(tmp_path, exchange(huge, ticks, out=b"1\n"))

    assert agy.run(*STREAM, stdin=huge).stdout == b"1\n"


def test_a_line_without_an_end_is_not_kept_for_ever(tmp_path: Path) -> None:
    agy = player(tmp_path, exchange())

    with agy.start(*STREAM, stdin=subprocess.PIPE, bufsize=0) as process:
        assert process.stdin is not None
        pieces = itertools.repeat(b"x" * 65536)
        with pytest.raises(BrokenPipeError):
            process.stdin.writelines(pieces)
        assert process.wait(60) == 125


def test_what_is_no_utf8_is_compared_byte_by_byte(tmp_path: Path) -> None:
    said = b'{"text":"caf\xe9"}\n'
    ticks = [(1, "i", len(said)), (1, "o", 2)]
    same = player(tmp_path / "same", exchange(said, ticks, out=b"1\n"))
    other = player(tmp_path / "other", exchange(said, ticks, out=b"1\n"))

    assert same.run(*STREAM, stdin=said).stdout == b"1\n"
    result = other.run(*STREAM, stdin=b'{"text":"caf\xe8"}\n')
    assert result.returncode == 125
    check_departed(other, result.stderr, "[\\xe8]", "[\\xe9]")


def test_a_client_that_says_all_before_it_reads_is_no_deadlock(tmp_path: Path) -> None:
    lines = [json.dumps({"text": f"{at} " + "x" * 1000}).encode() + b"\n" for at in range(400)]
    ticks = [tick for line in lines for tick in ((0, "i", len(line)), (0, "o", 1000))]
    out = os.urandom(1000 * len(lines))
    agy = player(tmp_path, exchange(b"".join(lines), ticks, out=out))
    talk = Talk(agy)

    talk.say(b"".join(lines))

    assert talk.end() == (out, b"", 0)


def test_a_client_that_waits_for_each_answer_gets_it_where_messages_were_sent_ahead(tmp_path: Path) -> None:
    answers = [b'{"event":"result","result":{"response":"%d"}}\n' % at for at in (1, 2)]
    ticks = [(1, "i", len(ONE + TWO)), (1, "o", len(answers[0]) + 5), (1, "o", 999), (1, "z", 1)]
    talk = Talk(player(tmp_path, exchange(ticks=ticks, out=b"".join(answers))))

    for message, answer in zip((ONE, TWO), answers, strict=True):
        talk.say(message)
        assert talk.stdout.readline() == answer
    talk.stdin.close()

    assert talk.end() == (b"", b"", 0)


def test_a_signal_instead_of_a_message_does_what_it_does_to_any_program(tmp_path: Path) -> None:
    ticks = [(1, "i", len(ONE)), (1, "o", 2), (1, "i", len(TWO)), (1, "s", int(signal.SIGTERM))]
    talk = Talk(player(tmp_path, exchange(ticks=ticks, out=b"1\n")))

    talk.say(ONE)
    assert talk.stdout.read(2) == b"1\n"
    talk.process.send_signal(signal.SIGTERM)

    assert talk.end() == (b"", b"", -signal.SIGTERM)


def test_a_recorded_signal_between_messages_is_answered_as_then(tmp_path: Path) -> None:
    ticks = [(1, "i", len(ONE)), (1, "o", 2), (1, "s", int(signal.SIGINT)), (1, "o", 2), (1, "i", len(TWO))]
    talk = Talk(player(tmp_path, exchange(ticks=[*ticks, (1, "o", 4)])))

    talk.say(ONE)
    assert talk.stdout.read(2) == b"1\n"
    talk.process.send_signal(signal.SIGINT)
    assert talk.stdout.read(2) == b"2\n"
    talk.say(TWO)

    assert talk.end() == (b"end\n", b"", 0)


def test_input_that_no_tick_tells_of_belongs_to_the_start(tmp_path: Path) -> None:
    agy = player(tmp_path, exchange(ticks=[(1, "o", 8)], out=b"1\n2\nend\n"))

    assert agy.run(*STREAM, stdin=ONE).returncode == 125


def test_a_departure_is_refused_even_where_the_helper_fails(tmp_path: Path) -> None:
    result = player(tmp_path, exchange(), helper=["/bin/false"]).run(*STREAM, stdin=THREE)

    assert result.returncode == 125
    assert result.stderr.startswith(b"agy-proxy: ")
    assert not alarming(result.stderr.decode())

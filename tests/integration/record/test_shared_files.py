"""Output that goes into a regular file, where the client and other calls write too."""

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from agy_cassettes.cassette import Cassette
from agy_cassettes.interaction import Interaction
from agy_proxy.record.finish import Target, finish_run
from agy_proxy.record.journal import list_journals, read_journal
from agy_proxy.record.witness import Witness
from tests.support.direct_or_shim import PATIENCE, Agy, gone, none_left, recorded_agy, until

ANSWERS = """
echo "$2 begins"
echo "$2 is asked" >&2
echo $$ > {folder}/pid-"$2"
while ! [ -e {folder}/go-"$2" ]; do sleep .01; done
echo "$2 ends"
"""
"""Answers its prompt in two parts, the second when it is told to go on."""


class Desk:
    """A client's side: an output file, and calls of agy into it that go on when they are told to."""

    def __init__(self, folder: Path, *, watched: bool, append: bool) -> None:
        self.folder = folder
        self.agy: Agy = recorded_agy(folder, ANSWERS.format(folder=folder), sh=True)
        self.out = folder / "out.txt"
        self.append = append
        flags = os.O_WRONLY | os.O_CREAT | (os.O_APPEND if append else 0)
        self.fd = os.open(self.out, flags, 0o600)
        state = folder / "state"
        state.mkdir(mode=0o700)
        self.target = Target(
            cassette=folder / "c.agy.yaml", state=state, redact=None, ask_version=lambda _real: None
        )
        self.witness = Witness(self.agy.journals, folder) if watched else None
        if self.witness is not None:
            self.witness.start()

    def says(self, text: bytes) -> None:
        os.write(self.fd, text)

    def call(self, prompt: str, *, stderr: int = subprocess.DEVNULL) -> "subprocess.Popen[bytes]":
        """Returns once the first part of the answer is there."""
        running = self.agy.start("-p", prompt, stdout=self.fd, stderr=stderr, start_new_session=True)
        until(lambda: (self.folder / f"pid-{prompt}").exists(), "agy's first words")
        return running

    def pid(self, prompt: str) -> int:
        told = self.folder / f"pid-{prompt}"
        until(lambda: told.read_text().endswith("\n"), "agy's pid")
        return int(told.read_text())

    def go_on(self, prompt: str, running: "subprocess.Popen[bytes]") -> None:
        (self.folder / f"go-{prompt}").touch()
        assert running.wait(PATIENCE) == 0

    def save(self) -> None:
        """Saves what is over; the standby may be a moment longer than the shim."""
        until(
            lambda: not finish_run(self.agy.journals, self.target, witness=self.witness).live, "all is over"
        )

    def save_one(self) -> None:
        def one_less(before: int = len(list_journals(self.agy.journals))) -> bool:
            finish_run(self.agy.journals, self.target, witness=self.witness)
            return len(list_journals(self.agy.journals)) < before

        until(one_less, "one call is over")

    def saved(self) -> dict[str, Interaction]:
        self.save()
        return {str(each.request.prompt): each for each in Cassette.open(self.target.cassette).interactions()}


@pytest.fixture(params=[True, False], ids=["watched", "unwatched"])
def desk(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Callable[..., Desk]]:
    made: list[Desk] = []

    def make(*, append: bool = False) -> Desk:
        made.append(Desk(tmp_path, watched=request.param, append=append))
        return made[-1]

    ending = none_left(tmp_path)
    next(ending)
    yield make
    for each in made:
        if each.witness is not None:
            each.witness.stop()
        os.close(each.fd)
    assert not list(ending)


def of(saved: Interaction) -> tuple[object, object, bool]:
    return saved.response.stdout, saved.recorded.extra.get("shared"), saved.recorded.complete


@pytest.mark.parametrize("append", [False, True])
def test_calls_one_after_the_other_have_each_their_own_of_a_file_and_nothing_of_the_clients(
    desk: Callable[..., Desk], *, append: bool
) -> None:
    at = desk(append=append)
    at.says(b"client begins\n")
    for prompt in ("a", "b"):
        at.go_on(prompt, at.call(prompt))
        at.says(b"client goes on\n")
    saved = at.saved()
    assert [of(saved[name]) for name in "ab"] == [
        (b"a begins\na ends\n", None, True),
        (b"b begins\nb ends\n", None, True),
    ]


@pytest.mark.parametrize("append", [False, True])
@pytest.mark.parametrize("at_once", [True, False], ids=["saved at the end", "saved one by one"])
def test_calls_at_the_same_time_into_one_file_are_marked(
    desk: Callable[..., Desk], *, append: bool, at_once: bool
) -> None:
    at = desk(append=append)
    running = {prompt: at.call(prompt) for prompt in "ab"}
    at.go_on("a", running["a"])
    if not at_once:
        at.save_one()
    at.go_on("b", running["b"])
    at.says(b"client\n")
    at.go_on("c", at.call("c"))
    saved = at.saved()
    assert [of(saved[name]) for name in "abc"] == [
        (b"a begins\nb begins\na ends\n", ["stdout"], True),
        (b"b begins\na ends\nb ends\n", ["stdout"], True),
        (b"c begins\nc ends\n", None, True),
    ]


def test_a_stream_of_its_own_is_not_marked_beside_one_that_is_shared(desk: Callable[..., Desk]) -> None:
    at = desk(append=True)
    first = at.call("a")
    with (at.folder / "err.txt").open("ab") as err:
        second = at.call("b", stderr=err.fileno())
    at.go_on("a", first)
    at.go_on("b", second)
    saved = at.saved()["b"]
    assert (saved.response.stderr, saved.recorded.extra["shared"]) == (b"b is asked\n", ["stdout"])


@pytest.mark.parametrize("append", [False, True])
def test_what_the_client_writes_after_it_killed_a_call_is_not_the_calls(
    desk: Callable[..., Desk], *, append: bool
) -> None:
    at = desk(append=append)
    running = at.call("a")
    running.kill()
    running.wait(PATIENCE)
    until(lambda: gone(at.pid("a")), "agy's death")
    at.says(b"client says hello\n")
    at.go_on("b", at.call("b"))
    at.says(b"bye\n")
    saved = at.saved()
    assert (saved["a"].response.stdout, saved["a"].recorded.complete) == (b"a begins\n", False)
    assert of(saved["b"]) == (b"b begins\nb ends\n", None, True)


def test_what_the_client_writes_in_the_very_moment_of_the_death_is_marked(desk: Callable[..., Desk]) -> None:
    at = desk()
    running = at.call("a")
    running.kill()
    os.waitid(os.P_PID, running.pid, os.WEXITED | os.WNOWAIT)
    at.says(b"client says hello\n")
    running.wait(PATIENCE)
    until(lambda: gone(at.pid("a")), "agy's death")
    at.says(b"bye\n")
    body, shared, complete = of(at.saved()["a"])
    assert not complete
    assert body == b"a begins\n" or (body, shared) == (b"a begins\nclient says hello\n", ["stdout"])


def test_where_nobody_saw_the_end_only_what_was_seen_before_is_the_calls(desk: Callable[..., Desk]) -> None:
    at = desk()
    running = at.call("a")
    at.pid("a")
    os.killpg(running.pid, signal.SIGKILL)
    running.wait(PATIENCE)
    (journal,) = list_journals(at.agy.journals)
    assert read_journal(journal).first("f") is None
    at.says(b"client says hello\n")
    body, _, complete = of(at.saved()["a"])
    assert not complete
    assert body in (b"", b"a begins\n")

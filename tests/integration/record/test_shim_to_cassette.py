"""Calls of the double through the real shim, with and without a witness."""

import os
import subprocess
from pathlib import Path

import pytest

from agy_cassettes.cassette import Cassette
from agy_cassettes.interaction import Interaction
from agy_cassettes.verify import verify
from agy_proxy.record.finish import Target, finish_run
from agy_proxy.record.witness import Witness
from agy_proxy.shim.bundle import write_bundle
from agy_proxy.shim.script import write_shim
from agy_proxy.shim.settings import ShimSettings
from fake_agy.double import write_double
from fake_agy.settings import DoubleSettings


class Bed:
    """A shim in front of the double, and a place for all they write."""

    def __init__(self, base: Path, home: Path) -> None:
        self.journals, self.project, state = base / "journals", base / "project", base / "state"
        self.project.mkdir()
        state.mkdir(mode=0o700)
        self.home = home
        self.target = Target(
            cassette=base / "c.agy.yaml", state=state, redact=None, errors_log=base / "errors.log"
        )
        settings = ShimSettings(
            mode="record",
            journal_dir=self.journals,
            run_id="run",
            real=write_double(base / "real", DoubleSettings()),
            errors_log=base / "errors.log",
        )
        self.shim = write_shim(base / "bin", settings, bundle=write_bundle(base / "bundle"))

    def agy(self, *argv: str | Path, text: bytes = b"") -> bytes:
        env = {**os.environ, "HOME": str(self.home)}
        command = [self.shim, *argv]
        ran = subprocess.run(command, input=text, env=env, cwd=self.project, capture_output=True, check=True)
        return ran.stdout

    def interactions(self) -> list[Interaction]:
        assert verify(self.target.cassette).is_sound()
        return list(Cassette.open(self.target.cassette).interactions())


@pytest.fixture
def bed(tmp_path: Path, home: Path) -> Bed:
    return Bed(tmp_path, home)


def kinds(interaction: Interaction) -> list[tuple[str, str]]:
    return sorted((event.path.rpartition("/")[2], event.op) for event in interaction.files)


def rows_of(interaction: Interaction) -> bytes:
    bodies = [event.text for event in interaction.files if event.path.endswith("/transcript.jsonl")]
    return b"".join(body for body in bodies if isinstance(body, bytes))


@pytest.mark.parametrize("watched", [True, False])
def test_a_conversation_is_recorded_with_its_rows(bed: Bed, tmp_path: Path, watched: bool) -> None:
    witness = Witness(bed.journals, bed.home) if watched else None
    if witness is not None:
        witness.start()
    log = tmp_path / "agy.log"
    said = [bed.agy("-p", "hello there", "--log-file", log), bed.agy("-c", "-p", "and now?")]
    said.append(bed.agy(text=b"by stdin\n"))
    if witness is not None:
        witness.stop()
    report = finish_run(bed.journals, bed.target, witness=witness)
    assert (len(report.saved), report.turns, report.errors) == (3, 3, ())
    first, second, third = bed.interactions()
    assert [each.response.stdout for each in (first, second, third)] == said
    assert all(each.recorded.agy and each.recorded.complete for each in (first, second, third))
    transcripts = {"transcript.jsonl", "transcript_full.jsonl"}
    assert {path for path, _ in kinds(first)} >= {"${LOG_FILE}", *transcripts}
    assert {op for path, op in kinds(second) if path in transcripts} == {"append"}
    assert [rows_of(each).count(b"USER_INPUT") for each in (first, second, third)] == [1, 1, 1]
    assert b"hello there" not in rows_of(second).splitlines()[0]
    assert (third.request.prompt, third.request.stdin) == ("by stdin\n", "${PROMPT}")
    if not watched:
        assert all(event.approx for each in (first, second, third) for event in each.files)
    assert not (tmp_path / "errors.log").exists()

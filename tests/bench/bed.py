"""What is measured, in a throw-away folder: shims, reals behind them, cassettes of 100 and 10,000 turns."""

import json
import os
import random
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from agy_cassettes.cassette import Cassette
from agy_cassettes.emitter import emit_record, header
from agy_proxy.replay.compile import compile_play_file
from agy_proxy.replay.options import PlayOptions, PlayPlaces, player_settings
from agy_proxy.shim.bundle import write_bundle
from agy_proxy.shim.script import interpreter, write_shim
from agy_proxy.shim.settings import ShimSettings
from tests.bench.command import Command
from tests.bench.corpus import Turn, to_interaction, turns
from tests.bench.peers import DRIVERS
from tests.bench.trouble import BenchError

FEW, MANY = 100, 10_000


@dataclass(frozen=True)
class Recorder:
    """A shim that records into journals of its own, and the real agy behind it."""

    agy: Path
    real: Path
    journals: Path

    def clear(self, *, expected: int) -> None:
        """Delete the journals; raises `BenchError` where there are not as many as there were calls."""
        found = list(self.journals.glob("*.journal"))
        if len(found) != expected:
            raise BenchError(f"{expected} calls were recorded into {len(found)} journals")
        for path in found:
            path.unlink()


@dataclass(frozen=True)
class Bed:
    """Everything below `folder`; `seed` draws texts and orders."""

    folder: Path
    seed: int

    @property
    def python(self) -> Path:
        """The interpreter that shims run on."""
        return interpreter()

    @cached_property
    def draw(self) -> random.Random:
        """Where orders within rounds come from."""
        return random.Random(self.seed)

    @cached_property
    def env(self) -> Mapping[str, str]:
        """The environment of everything that is timed."""
        return {"PATH": "/usr/bin:/bin", "HOME": str(self.made("home")), "LANG": "C.UTF-8", "TERM": "dumb"}

    @cached_property
    def bundle(self) -> Path:
        """The shim's compiled code."""
        return write_bundle(self.made("bundle"))

    @cached_property
    def bare(self) -> Command:
        """The interpreter with nothing to do: the floor of all that is written in Python."""
        return Command((str(self.python), "-IS", "-c", "pass"), b"")

    @cached_property
    def turns(self) -> Sequence[Turn]:
        """The turns of the cassettes."""
        return tuple(turns(MANY, self.seed))

    def made(self, name: str) -> Path:
        """A folder of that name, made where it is missing."""
        path = self.folder / name
        path.mkdir(parents=True, exist_ok=True)
        return path

    def recorder(self, name: str, real: Path) -> Recorder:
        """A recording shim."""
        folder = self.made(f"recorders/{name}")
        journals = folder / "journals"
        journals.mkdir(mode=0o700)
        settings = ShimSettings(mode="record", journal_dir=journals, run_id=name, real=real)
        return Recorder(write_shim(folder / "bin", settings, bundle=self.bundle), real, journals)

    def player(self, count: int) -> Path:
        """A shim that replays the first `count` turns, at once."""
        folder = self.made(f"players/{count}")
        cassette = self.cassette(folder, count)
        places = PlayPlaces(
            cassette=cassette,
            play_file=folder / "play",
            counts_file=folder / "counts",
            misses=folder / "misses",
            errors_log=folder / "errors.log",
        )
        compile_play_file(Cassette.open(cassette), places.play_file)
        options = PlayOptions(speed=None, files="transcripts")
        replay = player_settings(options, places, run_id=f"players-{count}")
        return write_shim(folder / "bin", ShimSettings(mode="replay", replay=replay), bundle=self.bundle)

    def cassette(self, folder: Path, count: int) -> Path:
        """A cassette of the first `count` turns, as so many appends would have left it."""
        path = folder / "turns.agy.yaml"
        whole = self._whole
        path.write_bytes(header() + b"".join(whole[:count]))
        return path

    def turns_as_json(self, count: int) -> Path:
        """A file with the prompts and answers of the first `count` turns, for those who can't import them."""
        path = self.folder / f"turns-{count}.json"
        told = [{"prompt": turn.prompt, "answer": turn.answer} for turn in self.turns[:count]]
        path.write_text(json.dumps(told), encoding="utf-8")
        return path

    def script(self, name: str, text: str) -> Path:
        """An executable with that text."""
        path = self.made("reals") / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)
        return path

    def python_script(self, name: str) -> Path:
        """A driver made executable, run by the shims' interpreter."""
        text = (DRIVERS / f"{name}.py").read_text(encoding="utf-8")
        return self.script(name, f"#!{self.python} -IS\n{text}")

    def remove(self, *names: str) -> None:
        """Delete files and folders of these names."""
        for name in names:
            path = self.folder / name
            if path.is_dir():
                shutil.rmtree(path)
            elif os.path.lexists(path):
                path.unlink()

    @cached_property
    def _whole(self) -> Sequence[bytes]:
        return [emit_record(to_interaction(turn)) for turn in self.turns]

"""Secrets through the real recording shim and back: printed by a program, recorded, replayed."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from agy_cassettes.cassette import Cassette
from agy_cassettes.interaction import Interaction
from tests.support.carriers import CARRIERS
from tests.support.corpus import PLACEHOLDER, Case, everything, left_in, sizes, wrong_timing
from tests.support.figures import drawn_seed
from tests.support.secrets import KINDS, Draw, Person, draw_secret

AGY = r"""#!{python} -IS
import json, os, sys
if sys.argv[1:] == ["--version"]:
    print("1.2.10")
    sys.exit(0)
if not any(word.startswith("--print=") for word in sys.argv):
    sys.stdin.buffer.read()
folder = os.path.dirname(os.path.abspath(__file__))
with open(folder + "/made", "a+") as made:
    made.write("x")
    number = made.tell() - 1
answer = json.load(open(folder + "/answers.json"))[number]
logs = os.environ["HOME"] + "/.gemini/antigravity-cli/brain/{conversation}/.system_generated/logs"
os.makedirs(logs, exist_ok=True)
with open(logs + "/transcript.jsonl", "a") as rows:
    rows.write(answer["row"])
for word in sys.argv:
    if word.startswith("--log-file="):
        with open(word[11:], "a") as log:
            log.write(answer["log"])
for code, text in answer["chunks"]:
    os.write(code, text.encode())
sys.exit(answer["exit"])
"""

CLIENT = r"""
import json, subprocess, sys
calls = json.load(open(sys.argv[1]))
got = []
for call in calls:
    done = subprocess.run(
        ["agy", *call["argv"]], input=call["stdin"].encode(), stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if call["merged"] else subprocess.PIPE,
    )
    got.append([done.stdout.decode(), (done.stderr or b"").decode(), done.returncode])
json.dump(got, open(sys.argv[2], "w"))
"""

CONVERSATION = "9b1d2c3e-0000-4000-8000-00000000abcd"
Got = list[list[Any]]


class Scene(NamedTuple):
    """What was planted, what the client got when it was recorded and when it was replayed."""

    cases: Mapping[str, Case]
    recorded: Got
    replayed: Got
    interactions: tuple[Interaction, ...]
    file: bytes
    told: bytes
    log: str
    log_before: str


class Bench(NamedTuple):
    """A HOME, an agy and a client in folders of their own."""

    folder: Path
    env: Mapping[str, str]
    cassette: Path

    def client(self, calls: list[dict[str, Any]], *marks: str) -> tuple[str, ...]:
        (self.folder / "calls.json").write_text(json.dumps(calls))
        return (sys.executable, "client.py", "calls.json", "got.json", *marks)

    def run(self, *argv: object) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "agy_proxy", *(str(word) for word in argv)]
        return subprocess.run(
            command, capture_output=True, timeout=120, check=False, env=dict(self.env), cwd=self.folder
        )

    def got(self) -> Got:
        loaded: Got = json.loads((self.folder / "got.json").read_text())
        return loaded


def bench(folder: Path, person: Person, answers: list[dict[str, Any]]) -> Bench:
    home = folder / "home"
    home.mkdir()
    (folder / "bin").mkdir()
    agy = folder / "bin" / "agy"
    agy.write_text(AGY.replace("{python}", sys.executable).replace("{conversation}", CONVERSATION))
    agy.chmod(0o755)
    (folder / "bin" / "answers.json").write_text(json.dumps(answers))
    (folder / "client.py").write_text(CLIENT)
    env = {**os.environ, "HOME": str(home), "USER": person.user, "LOGNAME": person.user}
    return Bench(folder, env, folder / "made.agy.yaml")


def answer(**changes: Any) -> dict[str, Any]:
    return {"chunks": [[1, "Half.\n"]], "row": "{}\n", "log": "", "exit": 0, **changes}


def call(**changes: Any) -> dict[str, Any]:
    return {"argv": ["--print=What is left?"], "stdin": "", "merged": False, **changes}


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """Seven calls, each with a secret in a channel of its own, recorded and replayed."""
    draw = Draw(drawn_seed())
    # The host of this machine may have a name for all, which is no secret.
    kinds = [kind for kind in KINDS if kind not in ("host-in-path", "user-at-host", "private-key-cut")]
    channels = ("stdout", "stderr", "merged", "prompt", "stdin", "argv", "row", "log", "env", "client")
    cases = {channel: _case(draw, draw.one(*kinds), channel) for channel in channels}
    text = {channel: case.data.decode() for channel, case in cases.items()}
    answers = [
        answer(chunks=_chunks(draw, 1, text["stdout"])),
        answer(chunks=[*_chunks(draw, 2, text["stderr"]), [1, "Half.\n"]], exit=3),
        answer(chunks=[[1, "a\n"], *_chunks(draw, 2, text["merged"]), [1, "b\n"]]),
        answer(),
        answer(),
        answer(row=json.dumps({"content": text["row"]}) + "\n"),
        answer(log=text["log"]),
    ]
    folder = tmp_path_factory.mktemp("way")
    calls = [
        call(argv=["--print=one"]),
        call(argv=["--print=two"]),
        call(argv=["--print=three"], merged=True),
        call(argv=[f"--print={text['prompt']}"]),
        call(argv=["--sandbox"], stdin=text["stdin"]),
        call(argv=["--model", text["argv"], "--conversation", CONVERSATION, "--print=six"]),
        call(argv=[f"--log-file={folder / 'log.txt'}", "--print=seven"]),
    ]
    made = bench(folder, draw.person, answers)
    made = made._replace(env={**made.env, "AGY_CLI_VALUE": text["env"]})
    client = made.client(calls, text["client"])
    told = made.run("record", made.cassette, "--real", folder / "bin" / "agy", "--", *client)
    assert told.returncode == 0, told.stderr.decode()
    recorded, log = made.got(), (folder / "log.txt").read_text()
    (folder / "log.txt").unlink()
    shutil.rmtree(folder / "bin")
    again = made.run("replay", made.cassette, "--time", "recorded", "--speed", "max", "--", *client)
    assert again.returncode == 0, again.stderr.decode()
    return Scene(
        cases,
        recorded,
        made.got(),
        tuple(Cassette.open(made.cassette).interactions()),
        made.cassette.read_bytes(),
        told.stdout + told.stderr + again.stdout + again.stderr,
        (folder / "log.txt").read_text(),
        log,
    )


def _case(draw: Draw, kind: str, channel: str) -> Case:
    secret = draw_secret(draw, kind)
    # Lines and arguments that begin with a hyphen would be flags to agy.
    names = {"prompt": "after words", "argv": "sentence", "client": "after words"}
    wanted = [each for each in CARRIERS if each.name == names.get(channel)] or list(CARRIERS)
    taking = [each for each in wanted if each.takes(secret)]
    return Case(secret, draw.random.choice(taking or [CARRIERS[1]]), channel)


def _chunks(draw: Draw, code: int, text: str) -> list[list[Any]]:
    """The text in writes of up to 60 characters."""
    chunks = []
    while text:
        size = draw.random.randint(1, 60)
        chunks.append([code, text[:size]])
        text = text[size:]
    return chunks


def equals_but_for_placeholders(replayed: str, recorded: str) -> bool:
    """Whether `recorded` is `replayed` with something in place of each placeholder."""
    parts = re.split(PLACEHOLDER, replayed)
    return re.fullmatch("[^\0]+?".join(re.escape(part) for part in parts), recorded) is not None


def test_the_client_gets_the_secrets_themselves_while_it_is_recorded(scene: Scene) -> None:
    text = {channel: case.data.decode() for channel, case in scene.cases.items()}
    assert scene.recorded[0][:2] == [text["stdout"], ""]
    assert scene.recorded[1] == ["Half.\n", text["stderr"], 3]
    assert scene.recorded[2][0] == f"a\n{text['merged']}b\n"


@pytest.mark.parametrize(
    "channel", ["stdout", "stderr", "merged", "prompt", "stdin", "argv", "row", "log", "env", "client"]
)
def test_no_secret_of_a_channel_is_left(scene: Scene, channel: str) -> None:
    case = scene.cases[channel]
    assert not left_in(scene.file, case.secret), case
    assert not left_in(b"\n".join(map(everything, scene.interactions)), case.secret), case
    assert not left_in(scene.told, case.secret), case


def test_the_replay_equals_the_recording_but_for_the_counted_places(scene: Scene) -> None:
    assert len(scene.interactions) == len(scene.recorded) == len(scene.replayed) == 7
    for was, now, made in zip(scene.recorded, scene.replayed, scene.interactions, strict=True):
        assert equals_but_for_placeholders(now[0], was[0]), (was, now)
        assert equals_but_for_placeholders(now[1], was[1]), (was, now)
        assert now[2] == was[2]
        shown = sum(len(re.findall(PLACEHOLDER, text)) for text in now[:2])
        assert shown <= made.recorded.redacted
    assert equals_but_for_placeholders(scene.log, scene.log_before), (scene.log, scene.log_before)


def test_what_has_no_secret_is_replayed_as_it_was(scene: Scene) -> None:
    for at in (3, 4, 5, 6):
        assert scene.replayed[at] == scene.recorded[at] == ["Half.\n", "", 0]


def test_the_count_is_that_of_the_planted_secrets(scene: Scene) -> None:
    # One variable is recorded with every call, and so much of the client's command line as is kept.
    always = [scene.cases["env"].secret.spans, (0, scene.cases["client"].secret.spans[1])]
    for made, channels in zip(
        scene.interactions,
        (["stdout"], ["stderr"], ["merged"], ["prompt"], ["stdin"], ["argv", "row"], ["log"]),
        strict=True,
    ):
        spans = [*(scene.cases[channel].secret.spans for channel in channels), *always]
        least, most = sum(span[0] for span in spans), sum(span[1] for span in spans)
        assert least <= made.recorded.redacted <= most, (channels, made)


def test_the_chunks_of_what_was_recorded_add_up(scene: Scene) -> None:
    for at, made in enumerate(scene.interactions):
        if at != 4:
            assert wrong_timing(made) is None
    assert len(sizes(scene.interactions[0].response.timing, "o")) >= 1


@pytest.mark.parametrize("shift", [0, 1, 2])
def test_a_secret_in_which_a_long_command_line_is_cut_is_not_left(shift: int, tmp_path: Path) -> None:
    """Half a token is no longer known as one, so redaction has to come before the cut."""
    draw = Draw(drawn_seed())
    keys = [draw_secret(draw, "google-api-key").text for _ in range(12)]
    made = bench(tmp_path, draw.person, [answer()])
    client = made.client([call()], *["x" * 12] * shift, *keys)
    told = made.run("record", made.cassette, "--real", tmp_path / "bin" / "agy", "--", *client)
    assert told.returncode == 0, told.stderr
    kept = made.cassette.read_bytes() + everything(next(Cassette.open(made.cassette).interactions()))
    assert b"client.py" in kept
    assert not [key for key in keys if key[:12].encode() in kept]


@pytest.mark.parametrize("kind", ["google-access", "csrf-json", "email", "home-of-another", "sign-in"])
def test_a_call_that_misses_tells_no_secret(kind: str, tmp_path: Path) -> None:
    """Neither that of the recording nor the live one: not to the client, not in the summary."""
    draw = Draw(drawn_seed())
    old, new = draw_secret(draw, kind), draw_secret(draw, kind)
    made = bench(tmp_path, draw.person, [answer()])
    client = made.client([call(argv=[f"--print=use\n{old.text}\nfor this"])])
    assert (
        made.run("record", made.cassette, "--real", tmp_path / "bin" / "agy", "--", *client).returncode == 0
    )
    client = made.client([call(argv=[f"--print=try\n{new.text}\nfor that", "--model", new.text])])
    summary = tmp_path / "summary.json"
    again = made.run("replay", made.cassette, "--summary-json", summary, "--", *client)
    assert again.returncode == 125, again
    assert made.got()[0][2] == 125
    printed = again.stdout + again.stderr + summary.read_bytes() + json.dumps(made.got()).encode()
    assert b"REDACTED-" in printed
    for secret in (old, new):
        assert not left_in(printed, secret), printed

"""``show --json`` has exactly the keys that the reference names."""

import pytest

from agy_cassettes.interaction import FileEvent, Recorded, Sidecar
from agy_proxy.report.shape import interaction_shape, mark_shape
from tests.support.interactions import AT, BY, interaction, mark

ARGV = (
    "agy",
    "--conversation=c1",
    "--output-format",
    "json",
    "--add-dir",
    "/a",
    "--model",
    "m",
    "-p",
    "${PROMPT}",
)


def test_a_turn_has_the_documented_shape() -> None:
    files = [
        FileEvent(op="append", path="${AGY_HOME}/t", text=b"12345"),
        FileEvent(op="delete", path="${AGY_HOME}/u"),
        FileEvent(op="create", path="${AGY_HOME}/v", text=Sidecar("0" * 64 + ".bin", 2**21)),
    ]
    assert interaction_shape(interaction(argv=ARGV, files=files)) == {
        "id": "01J0-1",
        "at": AT,
        "complete": True,
        "call": {
            "kind": "turn",
            "prompt": "What is left?",
            "conversation": "c1",
            "continue": False,
            "output_format": "json",
            "input_format": None,
            "model": "m",
            "add_dirs": ["/a"],
        },
        "argv": list(ARGV),
        "agy": "1.2.10",
        "stdout": "Half.\n",
        "stderr": "",
        "exit": {"code": 0},
        "duration": 1.25,
        "files": [
            {"op": "append", "path": "${AGY_HOME}/t", "bytes": 5},
            {"op": "delete", "path": "${AGY_HOME}/u", "bytes": 0},
            {"op": "create", "path": "${AGY_HOME}/v", "bytes": 2**21},
        ],
        "findings": [],
    }


@pytest.mark.parametrize(
    ("code", "signal", "shape"),
    [(3, None, {"code": 3}), (None, 9, {"signal": 9}), (None, None, {"unknown": True})],
)
def test_an_exit_is_one_of_three(code: int | None, signal: int | None, shape: dict[str, object]) -> None:
    assert interaction_shape(interaction(code=code, signal=signal))["exit"] == shape


def test_bytes_that_are_no_text_are_base64_wherever_they_stand() -> None:
    shape = interaction_shape(interaction(argv=("agy", b"\xff"), prompt=b"\xfe", stdout=b"\xfd"))
    assert [shape["argv"], shape["call"]["prompt"], shape["stdout"]] == [
        ["agy", {"base64": "/w=="}],
        {"base64": "/g=="},
        {"base64": "/Q=="},
    ]


def test_a_recorder_that_was_killed_shows() -> None:
    killed = interaction(recorded=Recorded(at=AT, by=BY, complete=False))
    assert interaction_shape(killed)["complete"] is False


def test_a_mark_has_the_documented_shape() -> None:
    assert mark_shape(mark(note="why")) == {"id": "01J0-1m", "at": AT, "mark": "reset", "note": "why"}

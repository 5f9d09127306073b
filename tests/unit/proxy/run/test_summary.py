import json
from pathlib import Path

import pytest

from agy_proxy.run.client import Ended
from agy_proxy.run.summary import Status, Summary, as_json, as_lines, write_json

OK = Ended(code=0)
FAILED = Ended(code=3)
KILLED = Ended(signal=15)


@pytest.mark.parametrize(
    ("summary", "status", "ended"),
    [
        (Summary(client=OK, calls=2, turns=1), "ok", OK),
        (Summary(client=OK, calls=0, turns=0), "no_calls", Ended(code=125)),
        (Summary(client=FAILED, calls=0, turns=0), "no_calls", FAILED),
        (Summary(client=OK, calls=1, turns=1, misses=("m",)), "miss", Ended(code=125)),
        (Summary(client=KILLED, calls=1, turns=1, misses=("m",)), "miss", KILLED),
        (Summary(client=OK, calls=1, turns=1, incomplete=("i",)), "incomplete", Ended(code=125)),
        (Summary(client=OK, calls=1, turns=1, unplayed=("a",)), "ok", OK),
        (
            Summary(client=OK, calls=1, turns=1, unplayed=("a",), fail_unplayed=True),
            "unplayed",
            Ended(code=125),
        ),
        (Summary(client=FAILED, calls=1, turns=1), "client_failed", FAILED),
    ],
)
def test_a_run_keeps_its_clients_end_and_fails_with_125_only_where_the_client_succeeded(
    summary: Summary, status: Status, ended: Ended
) -> None:
    assert (summary.status, summary.ended) == (status, ended)


def test_the_json_has_the_documented_keys_in_order(tmp_path: Path) -> None:
    summary = Summary(client=KILLED, calls=3, turns=2, cassette=tmp_path / "c.agy.yaml", unplayed=("a",))
    write_json(summary, tmp_path / "s.json")

    written = json.loads((tmp_path / "s.json").read_text())

    assert written == as_json(summary)
    assert list(written) == [
        "version", "status", "client_exit", "calls", "turns", "misses", "unplayed", "findings", "cassette",
    ]  # fmt: skip
    assert written["client_exit"] == {"signal": 15}


def test_a_shim_that_was_never_called_is_said_first() -> None:
    summary = Summary(client=OK, calls=0, turns=0, notices=("agy on PATH is /bin/agy",))

    assert as_lines(summary)[:2] == ["the shim was never called", "agy on PATH is /bin/agy"]


def test_a_cassette_whose_name_is_not_utf_8_is_base64_in_json_and_spelled_out_for_people(
    tmp_path: Path,
) -> None:
    summary = Summary(client=OK, calls=1, turns=1, cassette=Path("/c\udcff"))
    write_json(summary, tmp_path / "s.json")
    assert json.loads((tmp_path / "s.json").read_text())["cassette"] == {"base64": "L2P/"}
    assert as_lines(summary)[-1] == "cassette /c\\xff"


def test_a_mere_passage_names_no_cassette() -> None:
    summary = Summary(client=OK, calls=0, turns=0, cassette=Path("/c"), counted=False)
    assert as_json(summary)["cassette"] is None
    assert as_lines(summary) == []

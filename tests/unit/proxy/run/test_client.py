import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agy_cassettes.errors import UserError
from agy_proxy.run.client import AGY_VARIABLES, Ended, client_environment, run_client

SHIM = Path("/run/bin/agy")


def test_the_shim_is_first_on_path_and_in_every_variable_clients_read() -> None:
    env = client_environment({"PATH": "/usr/bin", "X": "1"}, shim=SHIM, home=None, cassette=Path("/c"))

    assert env["PATH"] == "/run/bin:/usr/bin"
    assert {env[name] for name in AGY_VARIABLES} == {"/run/bin/agy"}
    assert (env["X"], env["AGY_PROXY_CASSETTE"]) == ("1", "/c")
    assert "HOME" not in env


def test_home_is_replaced_only_where_one_is_given() -> None:
    env = client_environment({"HOME": "/mine"}, shim=SHIM, home=Path("/theirs"), cassette=None)

    assert env["HOME"] == "/theirs"
    assert "AGY_PROXY_CASSETTE" not in env


@pytest.mark.parametrize(
    ("script", "ended"),
    [("exit 0", Ended(code=0)), ("exit 3", Ended(code=3)), ("kill -9 $$", Ended(signal=9))],
)
def test_the_clients_end_is_told_as_code_or_signal(script: str, ended: Ended) -> None:
    assert run_client(["/bin/sh", "-c", script], {}) == ended


def test_a_client_that_is_missing_or_not_executable_is_127_or_126(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_text("")

    with pytest.raises(UserError, match="was not found") as missing:
        run_client([str(tmp_path / "absent")], {})
    with pytest.raises(UserError, match="can't be executed") as refused:
        run_client([str(plain)], {})

    assert (missing.value.status, refused.value.status) == (127, 126)


PARENT = """
import sys
from agy_proxy.run.client import run_client, end_like
end_like(run_client(["/bin/sh", "-c", sys.argv[1]], {"PATH": "/usr/bin:/bin"}))
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_to_the_run_reaches_the_client_and_ends_the_run_the_same_way(number: signal.Signals) -> None:
    script = "echo ready; exec sleep 60"
    run = subprocess.Popen([sys.executable, "-c", PARENT, script], stdout=subprocess.PIPE)
    assert run.stdout is not None
    assert run.stdout.readline() == b"ready\n"

    run.send_signal(number)

    assert run.wait() == -number
    run.stdout.close()


def test_a_signal_that_comes_while_the_client_is_being_started_reaches_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class SlowToReturn(subprocess.Popen[bytes]):
        def __init__(self, *words: Any, **how: Any) -> None:
            super().__init__(*words, **how)
            os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(subprocess, "Popen", SlowToReturn)

    assert run_client(["/bin/sh", "-c", "exec sleep 60"], {"PATH": "/usr/bin:/bin"}) == Ended(signal=15)


def test_an_interrupt_leaves_the_run_alive_to_save_what_it_has() -> None:
    script = "trap 'echo got; exit 5' INT; echo ready; read x; exit 6"
    run = subprocess.Popen(
        [sys.executable, "-c", PARENT, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert run.stdout is not None
    assert run.stdin is not None
    assert run.stdout.readline() == b"ready\n"

    run.send_signal(signal.SIGINT)
    run.stdin.close()

    assert run.wait() == 6
    run.stdout.close()


def test_a_client_without_a_name_is_told_so() -> None:
    with pytest.raises(UserError, match="its name is empty; give a program") as refused:
        run_client([""], {})
    assert refused.value.status == 126

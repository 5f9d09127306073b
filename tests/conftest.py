"""What every test stands in: a HOME, a state folder and a temporary folder of its own."""

import os
import random
import shutil
import signal
import string
import tempfile
from pathlib import Path

import hypothesis
import hypothesis.configuration
import pytest

# Under .cache, which git ignores; without a deadline, since a test asserts nothing about the clock.
hypothesis.configuration.set_hypothesis_home_dir(Path(__file__).parents[1] / ".cache" / "hypothesis")
hypothesis.settings.register_profile(
    "house", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("house")

# A background job of a script or nohup hands ignored signals down, and processes under test would keep them.
for _number in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, signal.default_int_handler if _number == signal.SIGINT else signal.SIG_DFL)

BASE = pytest.StashKey[Path]()


def pytest_configure(config: pytest.Config) -> None:
    """Gives the run's temporary folders a name without digits.

    pytest counts them up, and where a miss tells a path in which a client would read 429 or 503, the short
    message leaves it out.
    """
    if config.option.basetemp is None and not hasattr(config, "workerinput"):
        name = "".join(random.SystemRandom().choices(string.ascii_lowercase, k=12))
        config.stash[BASE] = Path(tempfile.gettempdir()).resolve() / f"agy-tests-{name}"
        config.option.basetemp = config.stash[BASE]


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Removes them, unless a test failed."""
    base = session.config.stash.get(BASE, None)
    if base is not None and exitstatus == 0:
        shutil.rmtree(base, ignore_errors=True)


LEAKING = ("AGY", "ANTIGRAVITY", "CCGRAM_ANTIGRAVITY", "HAPPY_AGY", "GEMINI", "XDG_", "GIT_", "FORCE_COLOR")
"""Beginnings of variables that would change what a client, the shim or git does."""

KEPT = ("AGY_PROXY_FULL_SIZE", "AGY_PROXY_SEED")
"""What a person sets to choose the size and the seed of the stress tests."""


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new, empty HOME; the state folder, TMPDIR and git's identity are set beside it."""
    base = tmp_path_factory.mktemp("person")
    for name in tuple(os.environ):
        if name.startswith(LEAKING) and name not in KEPT:
            monkeypatch.delenv(name)
    places = {"HOME": base / "home", "XDG_STATE_HOME": base / "state", "TMPDIR": base / "tmp"}
    for name, place in places.items():
        place.mkdir()
        monkeypatch.setenv(name, str(place))
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "A Tester")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "tester@example.invalid")
    return places["HOME"]

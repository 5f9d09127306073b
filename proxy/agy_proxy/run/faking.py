"""A run with the double: a stateful fake agy in the place of the real one, recorded where asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from agy_cassettes.errors import UserError
from agy_cassettes.redact.redactor import Redactor
from agy_proxy.run.client import client_environment, run_client
from agy_proxy.run.folder import run_folder
from agy_proxy.run.home import TEMP, HomeChoice, home_for
from agy_proxy.run.noted_calls import noted_calls
from agy_proxy.run.recording import Recording, record
from agy_proxy.run.shims import LOCAL_BIN
from agy_proxy.run.summary import Summary
from fake_agy.double import check_settings, write_double
from fake_agy.settings import DoubleSettings

DEFAULTS = DoubleSettings()


@dataclass(frozen=True, slots=True, kw_only=True)
class Faking:
    """What was asked of ``fake``; with a `cassette` every call is recorded too."""

    client: Sequence[str]
    settings: DoubleSettings = DEFAULTS
    home: HomeChoice = TEMP
    cassette: Path | None = None
    redactor: Redactor | None = None


def fake(asked: Faking, env: Mapping[str, str]) -> Summary:
    """Runs the client with a double to its end; raises `UserError` where the double can't be set up."""
    if asked.home.keeps:
        what = "the double would write into the store below your own HOME; use --home temp or --home DIR"
        raise UserError(what)
    check_settings(asked.settings)
    with run_folder() as folder:
        if asked.cassette is not None:
            real = write_double(folder.double_folder, asked.settings)
            recording = Recording(
                cassette=asked.cassette,
                client=asked.client,
                real=real,
                home=asked.home,
                redactor=asked.redactor,
            )
            return record(recording, env)
        home = home_for(asked.home, folder)
        calls = folder.state / "calls"
        settings = asked.settings._replace(calls=str(calls))
        write_double(folder.shim_folder, settings)
        if asked.home.kind == "temp" and home is not None:
            write_double(home / LOCAL_BIN, settings)
        given = client_environment(env, shim=folder.shim, home=home, cassette=None)
        ended = run_client(asked.client, given)
        noted = noted_calls(calls)
        return Summary(client=ended, calls=len(noted), turns=sum(each.takes_turn for each in noted))

"""The whole comparison: the real agy is asked, then a double of its version in a HOME of its own."""

import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from agy_cassettes.errors import UserError
from agy_proxy.contract.ask import ask
from agy_proxy.contract.call import Call
from agy_proxy.contract.calls import CALLS
from agy_proxy.contract.compare import Comparison, compare
from agy_proxy.record.agy_version import ask_agy
from fake_agy.double import write_double
from fake_agy.profile.resolve import NEWEST_KNOWN
from fake_agy.settings import DoubleSettings
from fake_agy.version import Version, parse_version

_NUMBER = re.compile(r"\d+\.\d+\.\d+")


def contract(
    agy: Path,
    env: Mapping[str, str],
    *,
    turns: bool,
    home: Path | None = None,
    as_version: str | None = None,
    calls: Sequence[Call] = CALLS,
) -> Comparison:
    """Compares the agy at `agy` with the double of the version it says, or of `as_version`.

    The real one keeps the HOME of `env` unless `home` is given: its account is there, and what it is told
    with `turns` stays there as conversations. Raises `UserError` where its version can't be known.
    """
    place = {**env, **({} if home is None else {"HOME": str(home)})}
    said = ask_agy(os.fsencode(agy))
    number = _number(agy, as_version or said)
    left_out = _left_out(calls, number, turns=turns)
    made = [call for call in calls if call.name not in left_out]
    with tempfile.TemporaryDirectory(prefix="agy-proxy-contract-", ignore_cleanup_errors=True) as folder:
        base = Path(folder).resolve()
        real = ask(agy, made, place, base / "real")
        double_home = base / "home"
        double_home.mkdir()
        double = write_double(base / "double", DoubleSettings(agy_version=".".join(map(str, number))))
        told = ask(double, made, {**env, "HOME": str(double_home)}, base / "beside")
    return Comparison(
        agy=str(agy),
        version=".".join(map(str, number)),
        said=said,
        assumed=number > NEWEST_KNOWN,
        updated=real.version if said is not None and real.version != said else None,
        facts=compare(left_out, real, told),
    )


def _left_out(calls: Sequence[Call], version: Version, *, turns: bool) -> dict[str, str]:
    """Why calls are not made, by their names."""
    why = {call.name: "costs a turn, --turns makes it" for call in calls if call.turn and not turns}
    since = {call.name: call.since for call in calls if version < call.since}
    return why | {name: f"only from {'.'.join(map(str, first))} on" for name, first in since.items()}


def _number(agy: Path, version: str | None) -> Version:
    """The version's three numbers; what may stand behind them, such as ``-beta``, is left out."""
    if version is None:
        raise UserError(
            f"{agy} did not say its version; is it an agy? --agy-version V names one to compare with"
        )
    found = _NUMBER.match(version)
    try:
        return parse_version(version if found is None else found[0])
    except ValueError as wrong:
        raise UserError(str(wrong)) from None

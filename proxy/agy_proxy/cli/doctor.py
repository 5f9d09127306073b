"""``agy-proxy doctor``: checks this machine."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from agy_cassettes.errors import UserError
from agy_proxy import doctor
from agy_proxy.cli import choices, page
from agy_proxy.report.lines import Line
from agy_proxy.shim.install import Install, list_installs, state_folder


@click.command(short_help="Check what recording and replay need on this machine.")
@page.json_option
def command(*, as_json: bool) -> int:
    """Look at the real agy, the shims installed, recordings not saved, and the cassettes below this folder.

    Exit status 1 where something is wrong; each fault says what to do.
    """
    found = checks(choices.environment(), Path.cwd())
    if as_json:
        shapes = [{"name": each.name, "ok": each.ok, "found": each.found, "do": each.do} for each in found]
        page.print_json({"checks": shapes})
    else:
        page.print_lines(lines(found))
    return 0 if all(each.ok for each in found) else 1


def checks(env: Mapping[str, str], folder: Path) -> tuple[doctor.Check, ...]:
    """All checks, for a person with this environment in this folder."""
    installs, of_installs = installed_checks(env)
    installed = [Path(each.cassette) for each in installs if each.cassette is not None]
    here = doctor.cassettes_below(folder)
    cassettes = tuple(dict.fromkeys([*here, *(path for path in installed if path.exists())]))
    return (
        doctor.check_real_agy(env),
        doctor.check_shell(env),
        *of_installs,
        doctor.check_libyaml(),
        doctor.check_inotify(),
        doctor.check_gitattributes(cassettes),
        doctor.check_redaction(cassettes),
    )


def installed_checks(env: Mapping[str, str]) -> tuple[tuple[Install, ...], tuple[doctor.Check, ...]]:
    """The shims that stay, and the checks of them; one fault in their place where no state can be found."""
    try:
        installs, places = list_installs(env), state_folder(env)
    except UserError as nowhere:
        fault = doctor.Check(
            "installed shims",
            ok=False,
            found=nowhere.message,
            do="set HOME or XDG_STATE_HOME and run it again",
        )
        return (), (fault,)
    return installs, (
        doctor.check_installs(installs),
        doctor.check_state(installs, places),
        doctor.check_journals(installs, places),
        doctor.check_errors(installs, places),
    )


def lines(found: tuple[doctor.Check, ...]) -> Iterator[Line]:
    """What is printed for people: a line a check, and below a fault what to do."""
    for check in found:
        mark = ("ok     ", "green") if check.ok else ("fault  ", "bold red")
        yield (mark, f"{check.name}: {check.found}")
        if check.do is not None:
            yield (f"       {check.do}",)

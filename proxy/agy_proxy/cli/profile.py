"""``fake-agy profile``: what is known of how agy behaves, by version."""

import click

from agy_cassettes.errors import UserError
from agy_proxy.cli import page
from agy_proxy.report.behaviours import difference_lines, difference_shape, profile_lines, profile_shape
from fake_agy.profile.resolve import NEWEST_KNOWN
from fake_agy.version import Version, parse_version


@click.command(name="profile", short_help="Tell how a version of agy behaves, or how two differ.")
@click.argument("version", required=False, metavar="[VERSION]")
@click.argument("other", required=False, metavar="[OTHER]")
@page.json_option
def command(version: str | None, other: str | None, *, as_json: bool) -> None:
    """List every behaviour of the double at VERSION: value, since and until when, how sure, by which source.

    Without VERSION it is the newest one that is known. With OTHER only what the two do otherwise is listed.
    Each behaviour can be changed with --switch NAME=VALUE.
    """
    a = NEWEST_KNOWN if version is None else _read(version)
    if other is None:
        shape = profile_shape(a)
        lines = profile_lines(shape)
    else:
        shape = difference_shape(a, _read(other))
        lines = difference_lines(shape)
    if as_json:
        page.print_json(shape)
    else:
        page.print_lines(lines)


def _read(text: str) -> Version:
    try:
        return parse_version(text)
    except ValueError as wrong:
        raise UserError(str(wrong)) from None

"""The cassette: what was recorded of agy's runs, how it is written, read, merged and checked.

Names load on first use, so that the shim, which takes only modules without imports from here, pays for none.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agy_cassettes.appender import Tail, open_for_append
    from agy_cassettes.cassette import Cassette
    from agy_cassettes.emitter import emit_record
    from agy_cassettes.errors import CassetteError, UserError
    from agy_cassettes.identity import new_id
    from agy_cassettes.interaction import (
        Body,
        Exit,
        FileEvent,
        Interaction,
        Mark,
        Process,
        Record,
        Recorded,
        Request,
        Response,
        Sidecar,
        Stdio,
        Tick,
        Tty,
    )
    from agy_cassettes.layout import Entry, Torn
    from agy_cassettes.limits import Limits
    from agy_cassettes.merge import merge, merge_git
    from agy_cassettes.rewrite import replace_whole
    from agy_cassettes.timing import format_timing, parse_timing
    from agy_cassettes.verify import VerifyReport, accept, verify

__all__ = [
    "Body",
    "Cassette",
    "CassetteError",
    "Entry",
    "Exit",
    "FileEvent",
    "Interaction",
    "Limits",
    "Mark",
    "Process",
    "Record",
    "Recorded",
    "Request",
    "Response",
    "Sidecar",
    "Stdio",
    "Tail",
    "Tick",
    "Torn",
    "Tty",
    "UserError",
    "VerifyReport",
    "accept",
    "emit_record",
    "format_timing",
    "merge",
    "merge_git",
    "new_id",
    "open_for_append",
    "parse_timing",
    "replace_whole",
    "verify",
]

_HOMES = {
    "appender": ("Tail", "open_for_append"),
    "cassette": ("Cassette",),
    "emitter": ("emit_record",),
    "errors": ("CassetteError", "UserError"),
    "identity": ("new_id",),
    "layout": ("Entry", "Torn"),
    "limits": ("Limits",),
    "merge": ("merge", "merge_git"),
    "rewrite": ("replace_whole",),
    "timing": ("format_timing", "parse_timing"),
    "verify": ("VerifyReport", "accept", "verify"),
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    home = next((home for home, names in _HOMES.items() if name in names), "interaction")
    return getattr(import_module(f"{__name__}.{home}"), name)

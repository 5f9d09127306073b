"""Whether a record that was written would be read again: nothing counts as saved that a reader refuses."""

import io

from agy_cassettes.document import record_node, to_record
from agy_cassettes.emitter import header
from agy_cassettes.interaction import Record
from agy_cassettes.layout import scan_layout
from agy_cassettes.limits import LIMITS, Limits
from agy_cassettes.mapping import to_mapping
from agy_cassettes.node import FormatError, plain


def refusal(written: bytes, record: Record, limits: Limits = LIMITS) -> str | None:
    """Read a record as a cassette's reader does; None where the same record comes out, else why not."""
    try:
        node = record_node(written, 1, limits)
        to_record(node, limits)
    except FormatError as error:
        return error.what
    mapped = plain(node)
    mapped.pop("end")
    if mapped != to_mapping(record):
        return "it did not read back the same"
    layout = scan_layout(io.BytesIO(header() + written), len(header()) + len(written), limits)
    if layout.problems:
        return layout.problems[0].what
    if [(entry.id, entry.state) for entry in layout.entries] != [(record.id, "whole")]:
        return "it did not read back the same"
    return None

"""Stand-in until the module itself is written; replace the whole file."""

from fake_agy import transcript as old
from fake_agy.clock import utc_second
from fake_agy.stores.layout import logs
from fake_agy.stores.files import append_private


def append_steps(layout, conv, steps, profile):
    rows = [
        old.Row(
            s.idx,
            s.source,
            s.type,
            utc_second(s.created),
            s.content,
            s.thinking,
            s.tool_calls,
            s.status,
            s.error,
        )
        for s in steps
        if s.logged
    ]
    for name, line in (("transcript_full.jsonl", old.full_line), ("transcript.jsonl", old.short_line)):
        append_private(f"{logs(layout, conv)}/{name}", b"".join(map(line, rows)))

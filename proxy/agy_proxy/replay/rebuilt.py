"""A conversation's database, written anew from decoded steps by the double's own writer.

A cassette is untrusted: what is told of a step is checked here, and nothing of it names a place to write to.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from fake_agy.go.json import read_json
from fake_agy.stores.database import Database, Facts, open_database
from fake_agy.stores.layout import Layout, database_path, layout_of, logs
from fake_agy.stores.payload import STATUSES, Trail
from fake_agy.stores.step import Step, ToolCall, Usage
from fake_agy.stores.summaries import Summary, remember, titled

_SOURCES = ("MODEL", "USER_EXPLICIT", "SYSTEM", "SYSTEM_SDK")
_PROJECT = "default-cli-project"


class Told(NamedTuple):
    """What the lines of one event tell: facts of the conversation, where they were told, and steps."""

    facts: Mapping[str, Any] | None
    steps: tuple[Step, ...]


class Listed(NamedTuple):
    """What the list of conversations says of one, beside its steps."""

    title: str = ""
    preview: str = ""
    workspaces: tuple[str, ...] = ()
    project: str = _PROJECT
    parent: str = ""
    depth: int = 0
    last_input: float = 0.0


def told(text: bytes) -> Told:
    """Read the lines of an event; `ValueError` for one that is not understood."""
    facts: Mapping[str, Any] | None = None
    steps = []
    for line in text.decode().splitlines():
        match read_json(line):
            case {"facts": dict() as found}:
                facts = found
            case {"step": dict() as found}:
                steps.append(_step(found))
            case _:
                raise ValueError("a line of a database is neither facts nor a step")
    return Told(facts, tuple(steps))


class Rebuilt:
    """The database of one conversation and its row in the list, below the HOME `home`.

    `Broken` of `fake_agy.stores.database` where what stands there can't be read or written.
    """

    def __init__(self, home: str, conversation: str, facts: Mapping[str, Any] | None, *, now: float) -> None:
        self._layout: Layout = layout_of(home)
        self._conversation = conversation
        self._now = now
        self._listed = _listed_before(self._layout, conversation)
        born = _facts(conversation, facts or {}, now)
        trail = Trail(conversation, born.trajectory, f"{logs(self._layout, conversation)}/transcript.jsonl")
        path = database_path(self._layout, conversation)
        # An empty file is one that was made, without following a link, to be filled here.
        new = _is_empty(path)
        if not new:
            trail = trail._replace(trajectory=_trajectory(path) or trail.trajectory)
        self._database: Database = open_database(path, trail, born if new else None)

    def add(self, what: Told) -> None:
        """Write steps, in the place of those with their indexes, and what the list says."""
        following = self._database.next_idx()
        self._database.append([step for step in what.steps if step.idx >= following])
        for step in what.steps:
            if step.idx < following:
                self._database.change(step)
        if what.facts is not None:
            self._listed = _listed(what.facts, self._listed)
        if self._listed is not None:
            self._list(self._listed, what.steps)

    def close(self) -> None:
        """Write all of it back into the one file."""
        self._database.finish(checkpoint=True)

    def _list(self, listed: Listed, steps: tuple[Step, ...]) -> None:
        said = [step for step in steps if step.type == "USER_INPUT"]
        if said:
            listed = listed._replace(last_input=said[-1].created)
        if said and not listed.title:
            listed = listed._replace(title=titled(said[0].plain or said[0].content or ""))
        self._listed = listed
        summary = Summary(
            self._conversation,
            listed.title,
            listed.preview or listed.title,
            self._database.next_idx(),
            max((step.finished for step in steps), default=self._now),
            listed.workspaces,
            listed.project,
            listed.last_input or self._database.created(),
            self._database.last_input(),
            listed.parent,
            listed.depth,
        )
        remember(self._layout, summary)


def _step(value: Mapping[str, Any]) -> Step:
    idx = value.get("idx")
    if not isinstance(idx, int) or isinstance(idx, bool) or not 0 <= idx < 1 << 31:
        raise ValueError("a step has no index")
    created = _number(value.get("created"))
    source, status = value.get("source"), value.get("status")
    exit_code = value.get("exit_code")
    return Step(
        idx=idx,
        source=source if source in _SOURCES else "SYSTEM",
        type=_text(value.get("type")) or "GENERIC",
        created=created,
        finished=max(created, _number(value.get("finished"))),
        status=status if status in STATUSES else "DONE",
        error=_text(value.get("error")),
        content=_text(value.get("content")),
        plain=_text(value.get("plain")),
        thinking=_text(value.get("thinking")),
        tool_calls=tuple(_calls(value.get("tool_calls"))),
        exit_code=exit_code if isinstance(exit_code, int) else None,
        usage=_usage(value.get("usage")),
        model=_text(value.get("model")) or "",
        execution=_text(value.get("execution")) or "",
        answers=next(_calls([value.get("answers")]), None),
        title=_text(value.get("title")),
        logged=value.get("logged") is not False,
    )


def _calls(values: object) -> Iterator[ToolCall]:
    """Tool calls, told by their fields' names or in their order."""
    for value in values if isinstance(values, list) else ():
        told = value if isinstance(value, dict) else _in_order(ToolCall, value)
        arguments = told.get("args")
        if told:
            yield ToolCall(
                _text(told.get("name")) or "",
                arguments if isinstance(arguments, dict) else {},
                _text(told.get("id")) or "",
            )


def _usage(value: object) -> Usage | None:
    told = value if isinstance(value, dict) else _in_order(Usage, value)
    if not told:
        return None
    return Usage(*(max(0, int(_number(told.get(name)))) for name in Usage._fields))


def _in_order(record: Any, value: object) -> dict[str, Any]:
    return dict(zip(record._fields, value, strict=False)) if isinstance(value, list) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) and abs(value) < 1e15 else 0.0


def _facts(conversation: str, facts: Mapping[str, Any], now: float) -> Facts:
    depth = facts.get("depth")
    return Facts(
        conversation,
        _text(facts.get("trajectory")) or conversation,
        _number(facts.get("created")) or now,
        _texts(facts.get("workspaces")),
        _text(facts.get("project")) or _PROJECT,
        _text(facts.get("parent")),
        depth if isinstance(depth, int) else 0,
    )


def _texts(values: object) -> tuple[str, ...]:
    return tuple(each for each in values if isinstance(each, str)) if isinstance(values, list) else ()


def _listed(facts: Mapping[str, Any], before: Listed | None) -> Listed | None:
    """What the list says after these facts; None for one that agy did not list."""
    title, preview = _text(facts.get("title")), _text(facts.get("preview"))
    if title is None and preview is None:
        return before
    depth = facts.get("depth")
    return Listed(
        title or "",
        preview or "",
        _texts(facts.get("workspaces")),
        _text(facts.get("project")) or _PROJECT,
        _text(facts.get("parent")) or "",
        depth if isinstance(depth, int) else 0,
        before.last_input if before is not None else 0.0,
    )


def _is_empty(path: str) -> bool:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 -- pathlib would make the start longer than the work
            return not file.read(1)
    except FileNotFoundError:
        return True


def _first_row(path: str, query: str, *values: str) -> Any:
    """The first row that a database gives; None where it has none, or isn't one."""
    if _is_empty(path):
        return None
    connection = sqlite3.connect(path, timeout=10.0)
    try:
        return connection.execute(query, values).fetchone()
    except sqlite3.Error:
        return None
    finally:
        connection.close()


def _trajectory(path: str) -> str | None:
    row = _first_row(path, "SELECT trajectory_id FROM trajectory_meta")
    return _text(row[0]) if row else None


def _listed_before(layout: Layout, conversation: str) -> Listed | None:
    """What the list says now; None where the conversation isn't in it."""
    row = _first_row(
        f"{layout.root}/conversation_summaries.db",
        "SELECT title, preview, workspace_uris, project_id, parent_conversation_id, nesting_depth,"
        " last_user_input_time FROM conversation_summaries WHERE conversation_id = ?",
        conversation,
    )
    if row is None:
        return None
    title, preview, uris, project, parent, depth, at = row
    spaces = tuple(uri.removeprefix("file://") for uri in _texts(read_json(uris or "[]")))
    return Listed(title, preview, spaces, project, parent, depth, _seconds(at))


def _seconds(at: object) -> float:
    try:
        return datetime.fromisoformat(str(at)).timestamp()
    except ValueError:
        return 0.0

"""What the shim can't do itself: matchers of every kind, the words of a miss, and a stale play file.

A process of its own, started by the shim, that reads one marshalled question and writes one answer
(`agy_proxy.shim.isolated.play_helper`).
"""

import functools
import marshal
import os
import socket
import sys
import time
import traceback
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Literal

from agy_cassettes import closest
from agy_cassettes.call import parse_call
from agy_cassettes.cassette import Cassette
from agy_cassettes.client_words import alarming
from agy_cassettes.edits import apply
from agy_cassettes.errors import UserError
from agy_cassettes.match_on import load_matchers, select
from agy_cassettes.matchers import DEFAULT_MATCH_ON, Outcome, find_match
from agy_cassettes.places import Places, to_stored
from agy_cassettes.request_view import RequestView, view_of_live
from agy_proxy.replay.departure import Departure, alike, full_words, short_words
from agy_proxy.replay.misses import Miss, details_path, write_miss
from agy_proxy.replay.recompile import recompile
from agy_proxy.replay.redaction import live_redactor, redacted
from agy_proxy.shim.isolated import play_file
from agy_proxy.shim.isolated.play_counts import Counts
from agy_proxy.shim.isolated.play_file import PlayFile, open_play_file

Answer = tuple[str, int | str | None]


def main() -> int:
    """Answers the question on stdin.

    What else is printed, by a user's matchers for instance, goes to the errors log: the shim's streams hold
    nothing but agy's bytes.
    """
    question = marshal.loads(sys.stdin.buffer.read())
    with os.fdopen(os.dup(1), "wb") as answers:
        _print_into(question["settings"].get("errors_log") or os.devnull)
        try:
            answer = answer_to(question, now=time.time_ns())
        except Exception as fault:
            # A fault of ours: the shim refuses in one line, and the rest is for a report.
            traceback.print_exc()
            what = f"a fault of agy-proxy itself: {type(fault).__name__}: {fault}"
            answer = "refuse", _words(what, question["settings"], question, time.time_ns())
        answers.write(marshal.dumps(answer, play_file.MARSHAL))
    return 0


def answer_to(question: Mapping[str, Any], *, now: int) -> Answer:
    """What the shim is to do, as `play_helper.ask` says: a word, and a number or what to print.

    `now` in ns of the epoch.
    """
    settings = question["settings"]
    differs = question["differs"]
    try:
        if question["live"] is None:
            return _compiled(settings)
        if differs is not None and len(differs) == 2:
            asked, recorded = (_shown(text, question) for text in differs)
            return "alike" if alike(asked, recorded) else "unlike", None
        if differs is not None:
            return "refuse", _departed(question, settings, now)
        return _matched(question, settings, now)
    except UserError as failed:
        return "refuse", _words(failed.message, settings, question, now)


def _print_into(path: str) -> None:
    try:
        fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    except OSError:
        fd = os.open(os.devnull, os.O_WRONLY)
    os.dup2(fd, 1)
    os.dup2(fd, 2)
    os.close(fd)


def _compiled(settings: Mapping[str, Any]) -> Answer:
    recompile(
        _path(settings["cassette"]),
        _path(settings["play_file"]),
        _path(settings["counts_file"]),
        opened=functools.partial(Cassette.open, warn=_unsaid),
        folder=_given(settings, "play_folder"),
        match_on=tuple(settings.get("match_on") or DEFAULT_MATCH_ON),
        matchers=_given(settings, "matchers"),
    )
    return "compiled", None


def _unsaid(_: str) -> None:
    """A hint to the user; whoever installed the shim got it."""


def _matched(question: Mapping[str, Any], settings: Mapping[str, Any], now: int) -> Answer:
    own = _given(settings, "matchers")
    names = settings.get("match_on") or DEFAULT_MATCH_ON
    match_on = select(tuple(names), None if own is None else load_matchers(own))
    with closing(open_play_file(os.fspath(settings["play_file"]))) as play:
        recorded = views(play)
        live = _live_view(question, settings)
        with closing(Counts(os.fspath(settings["counts_file"]), len(recorded))) as counts:
            slots = [counts.slot(index) for index in range(len(recorded))]
            outcome = find_match(
                live,
                recorded,
                match_on,
                {index: slot[0] for index, slot in enumerate(slots)},
                allow_repeats=bool(settings.get("allow_repeats")),
            )
            if outcome.hit is not None:
                counts.play(outcome.hit, question["call"], question["pid"], now)
                return "play", outcome.hit
    if question["mode"] == "auto":
        return "record", None
    plays = {index: (_play(slot),) for index, slot in enumerate(slots) if slot[0]}
    return "refuse", _missed(question, settings, (live, recorded, outcome), plays, now)


def views(play: PlayFile) -> tuple[RequestView, ...]:
    """The recorded requests of a play file as matchers see them."""
    found = []
    for facts in play.requests():
        del facts["stands"]
        found.append(RequestView(call=parse_call(facts["argv"]), **facts))
    return tuple(found)


def _live_view(question: Mapping[str, Any], settings: Mapping[str, Any]) -> RequestView:
    live = question["live"]
    view = view_of_live(
        live["argv"],
        places=Places(live["home"], live["cwd"], tmp=live["tmp"]),
        cwd=live["cwd"],
        stdin=live["stdin"],
        turn=question["turn"],
    )
    if settings.get("redact") == "off":
        return view
    return redacted(view, live_redactor(settings, os.environ, socket.gethostname()))


def _missed(
    question: Mapping[str, Any],
    settings: Mapping[str, Any],
    compared: tuple[RequestView, tuple[RequestView, ...], Outcome],
    plays: Mapping[int, tuple[closest.Play, ...]],
    now: int,
) -> str:
    live, recorded, outcome = compared
    miss = closest.Miss(
        number=question["call"],
        live=live,
        recorded=recorded,
        outcome=outcome,
        plays=plays,
        pid=question["pid"],
    )
    details = details_path(_path(settings["misses_dir"]), question["call"], question["pid"])
    short = closest.short(miss, str(details))
    why: Literal["none", "used_up"] = "used_up" if outcome.match == "used_up" else "none"
    _keep(Miss(**_facts(question, now), why=why, short=short, details=details), closest.full(miss))
    return short


def _departed(question: Mapping[str, Any], settings: Mapping[str, Any], now: int) -> str:
    what, number, asked, recorded, interaction = question["differs"]
    departure = Departure(
        what=what,
        number=number,
        asked=_shown(asked, question),
        recorded=_shown(recorded, question),
        call=question["call"],
        interaction=interaction,
    )
    details = details_path(_path(settings["misses_dir"]), question["call"], question["pid"])
    short = short_words(departure, str(details))
    _keep(Miss(**_facts(question, now), why="departed", short=short, details=details), full_words(departure))
    return short


def _shown(text: bytes, question: Mapping[str, Any]) -> str:
    """Input as a cassette would hold it."""
    live, settings = question["live"], question["settings"]
    places = Places(live["home"], live["cwd"], tmp=live["tmp"])
    stored = apply(text, to_stored(text, places, prompt=True)).decode("utf-8", "surrogateescape")
    if settings.get("redact") == "off":
        return stored
    return live_redactor(settings, os.environ, socket.gethostname()).redact_text(stored)


def _words(what: str, settings: Mapping[str, Any], question: Mapping[str, Any], now: int) -> str:
    """What the shim prints of an error: not its words where a client may take them for agy's."""
    short = f"agy-proxy: {what}\n"
    details = details_path(_path(settings["misses_dir"]), question["call"], question["pid"])
    if alarming(short) or short.count("\n") > 1:
        short = f"agy-proxy: the call can't be matched (call {question['call']}); details: {details}\n"
    _keep(Miss(**_facts(question, now), why="none", short=short, details=details), f"{what}\n")
    return short


def _facts(question: Mapping[str, Any], now: int) -> dict[str, Any]:
    return {"call": question["call"], "pid": question["pid"], "at": now / 1e9}


def _keep(miss: Miss, full: str) -> None:
    try:
        write_miss(miss, full)
    except OSError as failed:
        # The refusal itself is what counts.
        print(f"agy-proxy: {miss.details} can't be written: {failed.errno}", file=sys.stderr)


def _play(slot: tuple[int, int, int, int]) -> closest.Play:
    _, pid, at, _ = slot
    return closest.Play(pid, time.strftime("%H:%M:%S", time.localtime(at / 1e9)))


def _path(value: str | bytes) -> Path:
    return Path(os.fsdecode(value))


def _given(settings: Mapping[str, Any], key: str) -> Path | None:
    value = settings.get(key)
    return None if value is None else _path(value)


if __name__ == "__main__":
    sys.exit(main())

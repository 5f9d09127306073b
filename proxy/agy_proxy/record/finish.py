"""From the journals of a run to its cassette: each converted, redacted, appended, and only then deleted.

A finisher may be killed at any moment, and several may work at once. The lock on the journal says who
finishes it, its record's id is always the same, and that it is about to be appended is noted in the journal:
whoever comes next then looks whether it was saved.
"""

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from agy_cassettes.appender import open_for_append
from agy_cassettes.errors import UserError
from agy_cassettes.interaction import Interaction
from agy_cassettes.redact.placeholders import Placeholders
from agy_cassettes.redact.redactor import Redactor
from agy_proxy.record.agy_version import AgyVersions, Ask, ask_agy
from agy_proxy.record.cassette_notes import catch_up, holds_record
from agy_proxy.record.convert import call_of, places_of, stored_path, to_interaction
from agy_proxy.record.errors_log import log_once
from agy_proxy.record.facts import Facts, WitnessedFile
from agy_proxy.record.journal import (
    Journal,
    is_alive,
    journal_name,
    list_journals,
    lock_if_finished,
    read_journal,
)
from agy_proxy.record.ledger import Ledger, open_ledger
from agy_proxy.record.read_back import read_back
from agy_proxy.record.shared_files import FOREVER, shared, stretches, waiting_beside
from agy_proxy.record.witness import Witness
from agy_proxy.watch.rows import conversation_of_path

KEPT_SUFFIX = ".saved"
MOST_STOOD = 1 << 26
"""Bytes of a conversation from before its first recorded call that are kept at most."""


Redact = Callable[[Interaction, Placeholders], Interaction]


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where a run's records go, and how.

    `state` is a folder (0700) of the run or install: ledger, versions. `redact` is None for
    ``--redact off``. `keep_journals` renames a saved journal to ``.saved`` instead of deleting it.
    """

    cassette: Path
    state: Path
    redact: Redact | None
    keep_journals: bool = False
    errors_log: Path | None = None
    ask_version: Ask = ask_agy
    clock: Callable[[], int] = time.time_ns


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishReport:
    """What came of it: ids `saved` (also those `incomplete`), how many were `turns`, messages, files left.

    `live` are journals whose call is not over, or that another finisher has.
    """

    saved: tuple[str, ...] = ()
    incomplete: tuple[str, ...] = ()
    turns: int = 0
    errors: tuple[str, ...] = ()
    kept: tuple[Path, ...] = ()
    live: tuple[Path, ...] = ()

    def __add__(self, other: "FinishReport") -> "FinishReport":
        """Both reports as one."""
        return FinishReport(
            saved=self.saved + other.saved,
            incomplete=self.incomplete + other.incomplete,
            turns=self.turns + other.turns,
            errors=self.errors + other.errors,
            kept=self.kept + other.kept,
            live=other.live,
        )


def finish_run(
    journals: Path,
    target: Target,
    *,
    witness: Witness | None = None,
    in_order: bool = False,
    force: bool = False,
) -> FinishReport:
    """Save every call in `journals` that is over, in the order in which the calls began.

    With a `witness` a call is over when that says so; without one its files are looked at now. `in_order`
    stops at the first call that is live, `force` saves live ones as they are, incomplete. Raises nothing:
    what can't be saved is in `errors` and `errors_log`, and its journal stays.
    """
    report = FinishReport()
    versions: AgyVersions | None = None
    for path in list_journals(journals):
        facts = None if witness is None else witness.facts(path)
        if facts is None and witness is not None and not force:
            report = replace(report, live=(*report.live, path))
            if in_order:
                break
            continue
        with _taken(path, force=force) as taken:
            if taken is None:
                live = (path,) if path.exists() else ()
                report = replace(report, live=report.live + live)
                if live and in_order:
                    break
                continue
            versions = versions or AgyVersions(target.state / "agy-versions.json", target.ask_version)
            report += replace(_finish_one(path, taken, facts, target, versions), live=report.live)
        if witness is not None and not path.exists():
            witness.forget(path)
    return report


class _Taken(NamedTuple):
    """A journal that is this finisher's alone; `cut` where its shim still writes to it."""

    fd: int
    cut: bool


@contextmanager
def _taken(path: Path, *, force: bool) -> Iterator[_Taken | None]:
    fd, cut = lock_if_finished(path), False
    if fd is None and force:
        fd, cut = _locked_with_its_shim(path), True
    try:
        yield None if fd is None else _Taken(fd, cut)
    finally:
        if fd is not None:
            os.close(fd)


def _locked_with_its_shim(path: Path) -> int | None:
    """Share the lock with the shim, but not with another finisher."""
    try:
        fd = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        os.close(fd)
        return None
    return fd


def _finish_one(
    path: Path, taken: _Taken, facts: Facts | None, target: Target, versions: AgyVersions
) -> FinishReport:
    """Save one call."""
    try:
        journal = read_journal(path)
        if journal.start is None:
            return _without_a_start(path, target)
        if facts is None:
            facts = Witness(path.parent).look_back(path)
        saved = _save(journal, _completed(facts, journal, versions), taken, target)
        kept = _put_away(path, target)
    except UserError as failed:
        return FinishReport(errors=(_told(target, path, failed.message),))
    except Exception as failed:
        # One call that can't be saved must not cost the others, whatever is wrong with it.
        what = Redactor().redact_text(f"{type(failed).__name__}: {failed}")
        return FinishReport(errors=(_told(target, path, what),))
    return FinishReport(
        saved=(saved.id,),
        incomplete=() if saved.complete else (saved.id,),
        turns=int(call_of(journal.start).kind == "turn"),
        kept=kept,
    )


def _completed(facts: Facts, journal: Journal, versions: AgyVersions) -> Facts:
    growth = facts.growth
    return replace(
        facts,
        agy=versions.of(journal),
        stdout=read_back(journal, "stdout", growth.get("stdout", ())),
        stderr=read_back(journal, "stderr", growth.get("stderr", ())),
    )


class _Saved(NamedTuple):
    id: str
    complete: bool


def _save(journal: Journal, facts: Facts, taken: _Taken, target: Target) -> _Saved:
    """Convert, redact and append the record, once, under the cassette's lock."""
    with (
        open_for_append(target.cassette, clock=target.clock) as tail,
        open_ledger(target.state / "ledger.sqlite") as ledger,
    ):
        catch_up(ledger, target.cassette)
        stood = what_stood(journal, facts, ledger.has_transcript)
        kept = [each for each in facts.files if not (each.stood and _is_known(each, journal, ledger))]
        facts = replace(facts, files=(*stood, *kept), shared=_shared(journal, facts, ledger, target))
        interaction = to_interaction(journal, facts)
        if taken.cut:
            interaction = replace(interaction, recorded=replace(interaction.recorded, complete=False))
        saved = _Saved(interaction.id, interaction.recorded.complete)
        if journal.first("A") is not None and holds_record(target.cassette, saved.id):
            return saved
        redacted = _redacted(interaction, ledger, target)
        # Before the record: a number given and lost is harmless, one given twice is not.
        ledger.commit()
        os.write(taken.fd, b"A %d 0\n" % time.monotonic_ns())
        tail.append(redacted)
    return saved


def _shared(journal: Journal, facts: Facts, ledger: Ledger, target: Target) -> tuple[str, ...]:
    """Return the streams that may hold what others wrote, and note this call's for those saved later."""
    own = stretches(journal)
    if not own:
        return ()
    found = shared(own, (*ledger.stretches(own[0]), *waiting_beside(journal, own)))
    names = (journal_name(path) for path in list_journals(journal.path.parent))
    ledger.forget_stretches(before=min((name.realtime_ns for name in names if name), default=own[0].began))
    # What is not over by what anyone saw is over now.
    ledger.add_stretches(
        each._replace(ended=target.clock()) if each.ended == FOREVER else each for each in own
    )
    parts = {"stdout": facts.stdout, "stderr": facts.stderr}
    return tuple(
        stream
        for stream, part in parts.items()
        if part is not None and part.data and (part.doubtful or stream in found)
    )


def _redacted(interaction: Interaction, ledger: Ledger, target: Target) -> Interaction:
    if target.redact is None:
        return replace(interaction, recorded=replace(interaction.recorded, redaction="off"))
    return target.redact(interaction, Placeholders(ledger))


def what_stood(journal: Journal, facts: Facts, known: Callable[[str], bool]) -> tuple[WitnessedFile, ...]:
    """Return what the transcripts held before, where the cassette does not know them (by stored path) yet."""
    if journal.start is None:
        return ()
    places = places_of(journal.start)
    first: dict[bytes, WitnessedFile] = {}
    for file in sorted(facts.files, key=lambda file: file.at):
        first.setdefault(file.path, file)
    stood: list[WitnessedFile] = []
    for path, file in first.items():
        if file.op != "append" or not file.before or conversation_of_path(path) is None:
            continue
        data = None if known(stored_path(path, places)) else _beginning(path, file.before)
        if data is not None:
            at = journal.start.monotonic_ns
            stood.append(WitnessedFile(at=at, op="create", path=path, data=data, stood=True, approx=True))
    return tuple(stood)


def _is_known(file: WitnessedFile, journal: Journal, ledger: Ledger) -> bool:
    """Whether the cassette has something of the file already."""
    return journal.start is not None and ledger.has_transcript(
        stored_path(file.path, places_of(journal.start))
    )


def _beginning(path: bytes, length: int) -> bytes | None:
    """Return the first bytes of a file, None where they are not there or too many."""
    if length > MOST_STOOD:
        return None
    try:
        with Path(os.fsdecode(path)).open("rb") as file:
            data = file.read(length)
    except OSError:
        return None
    return data if len(data) == length else None


def _without_a_start(path: Path, target: Target) -> FinishReport:
    """Take away the journal of a shim that was killed before it wrote down its call: it holds nothing."""
    name = journal_name(path)
    if name is not None and is_alive(name.pid):
        return FinishReport(live=(path,))
    path.unlink(missing_ok=True)
    return FinishReport(
        errors=(_told(target, path, "the recorder was killed before it wrote down the call"),)
    )


def _put_away(path: Path, target: Target) -> tuple[Path, ...]:
    if not target.keep_journals:
        path.unlink(missing_ok=True)
        return ()
    kept = path.with_suffix(KEPT_SUFFIX)
    path.rename(kept)
    return (kept,)


def _told(target: Target, path: Path, what: str) -> str:
    """Write an error to the log that the shims write to, and return it."""
    told = f"{path}: {what}"
    if target.errors_log is not None:
        log_once(target.errors_log, told, target.clock())
    return told

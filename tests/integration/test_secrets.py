"""A corpus of secrets that somebody labelled who knows no rule: none is left, and nothing else changes.

``AGY_PROXY_SEED=N`` draws the same corpus again; ``AGY_PROXY_FULL_SIZE=1`` draws all of it. A failure names
the kind of secret, what it stood in, the channel, and the text.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from agy_cassettes.appender import open_for_append
from agy_cassettes.cassette import Cassette
from agy_cassettes.closest import Miss, full, short
from agy_cassettes.interaction import FileEvent, Interaction, Process, Tick
from agy_cassettes.matchers import DEFAULT_MATCH_ON, MATCHERS, find_match
from agy_cassettes.places import Places
from agy_cassettes.redact.names import facts_of
from agy_cassettes.redact.placeholders import Placeholders
from agy_cassettes.redact.records import redact_interaction
from agy_cassettes.redact.redactor import Redactor
from agy_cassettes.redact.scan import scan
from agy_cassettes.request_view import RequestView, view_of_interaction, view_of_live, views_of
from agy_proxy.cli.main import main
from agy_proxy.record.ledger import open_ledger
from agy_proxy.replay.redaction import redacted
from tests.support.carriers import CARRIERS, Carrier
from tests.support.cassettes import clock
from tests.support.corpus import (
    CHANNELS,
    PLACEHOLDER,
    Case,
    cases,
    everything,
    held,
    left_in,
    plain,
    planted,
    sizes,
    wrong_timing,
    wrongly_kept,
)
from tests.support.figures import drawn_seed, scaled
from tests.support.innocent import INNOCENT, with_bare_names
from tests.support.interactions import interaction
from tests.support.secrets import KINDS, TOKENS, Draw, Person, Secret, draw_secret

ALL_SECRETS, ALL_INNOCENT = 2_000, 500
SHOWN = 25
BY_NAME = {carrier.name: carrier for carrier in CARRIERS}
MATCH_ON = [(name, MATCHERS[name]) for name in DEFAULT_MATCH_ON]
PLACES = Places(b"/home/nobody-of-these", b"/w", b"/home/nobody-of-these/.gemini/antigravity-cli", b"/tmp/t")
NAMES = ("user-at-host", "home", "home-mac", "home-of-another", "user-in-path", "host-in-path")
"""Kinds that are secrets on the machine of that person only, or whose text is a name."""


class Planted(NamedTuple):
    """A case, the interaction it was put into, and what was made of that."""

    cases: tuple[Case, ...]
    before: Interaction
    after: Interaction


class Corpus(NamedTuple):
    """The whole corpus on disk, redacted."""

    path: Path
    redactor: Redactor
    naming: Placeholders
    planted: tuple[Planted, ...]


def redactor_of(person: Person) -> Redactor:
    env = {"USER": person.user, "LOGNAME": person.user, "HOME": f"/home/{person.user}"}
    return Redactor(facts_of(env, person.host))


def drawn() -> Draw:
    return Draw(drawn_seed())


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    draw = drawn()
    redactor, naming = redactor_of(draw.person), Placeholders()
    drawn_cases = [(case,) for case in cases(draw, scaled(ALL_SECRETS))]
    crowded = [_crowd(draw) for _ in range(scaled(100))]
    made = []
    for number, some in enumerate([*drawn_cases, *crowded]):
        before = planted(f"01J0-{number}", *some, draw=draw)
        made.append(Planted(some, before, redact_interaction(before, redactor, naming)))
    path = tmp_path_factory.mktemp("corpus") / "corpus.agy.yaml"
    written(path, *(each.after for each in made))
    return Corpus(path, redactor, naming, tuple(made))


def _crowd(draw: Draw) -> tuple[Case, ...]:
    """Five secrets in five channels of one interaction."""
    channels = [
        name for name in CHANNELS if name not in ("merged", "binary stdout", "argv that is not UTF-8")
    ]
    return tuple(
        case._replace(channel=channel)
        for case, channel in zip(cases(draw, 5), draw.random.sample(channels, 5), strict=True)
    )


def written(path: Path, *records: Interaction) -> Path:
    """The cassette at `path`, with these records."""
    with open_for_append(path, clock=clock) as tail:
        for record in records:
            tail.append(record)
    return path


def told(failures: Iterable[object]) -> str:
    """The failures as a list that can be read."""
    lines = [str(failure) for failure in failures]
    more = [f"and {len(lines) - SHOWN} more"] if len(lines) > SHOWN else []
    return "\n".join([f"{len(lines)} failures:", *lines[:SHOWN], *more])


def left_over(corpus: Corpus, data: bytes) -> list[str]:
    """The cases of which something is in `data`."""
    return [
        f"{left[0]!r} of {case}"
        for each in corpus.planted
        for case in each.cases
        if (left := left_in(data, case.secret))
    ]


def proxy(*argv: object, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[bytes]:
    """The command line as a process."""
    command = [sys.executable, "-m", "agy_proxy", *(str(word) for word in argv)]
    return subprocess.run(
        command, capture_output=True, timeout=120, check=False, env={**os.environ, **(env or {})}
    )


@pytest.mark.stress
def test_no_secret_is_in_the_file(corpus: Corpus) -> None:
    failures = left_over(corpus, corpus.path.read_bytes())
    assert not failures, told(failures)


@pytest.mark.stress
def test_no_secret_is_in_any_value_that_the_file_holds(corpus: Corpus) -> None:
    """Apart from the file's bytes: a line break of YAML might hide one there."""
    failures = []
    for each, stored in zip(corpus.planted, Cassette.open(corpus.path).interactions(), strict=True):
        data = everything(stored)
        failures += [f"{left[0]!r} of {case}" for case in each.cases if (left := left_in(data, case.secret))]
    assert not failures, told(failures)


@pytest.mark.stress
@pytest.mark.parametrize("options", [(), ("--json",)], ids=["text", "json"])
def test_no_secret_is_in_what_show_prints(corpus: Corpus, options: Sequence[str]) -> None:
    shown = proxy("show", corpus.path, *options)
    assert shown.returncode == 0, shown.stderr
    failures = left_over(corpus, shown.stdout + shown.stderr)
    assert not failures, told(failures)


@pytest.mark.stress
def test_the_count_is_that_of_the_planted_secrets(corpus: Corpus) -> None:
    failures = []
    for each in corpus.planted:
        least = sum(case.secret.spans[0] for case in each.cases)
        most = sum(case.secret.spans[1] for case in each.cases)
        if not least <= each.after.recorded.redacted <= most:
            texts = [f"{case}\n    now {held(each.after, case.channel)[:300]!r}" for case in each.cases]
            failures.append(
                f"{each.after.recorded.redacted} counted, not {least} to {most}: " + "\n  ".join(texts)
            )
    assert not failures, told(failures)


@pytest.mark.stress
def test_the_text_around_a_secret_stays_as_it_was(corpus: Corpus) -> None:
    failures = []
    for each in corpus.planted:
        for case in each.cases:
            now = held(each.after, case.channel)
            if wrong := wrongly_kept(case, now):
                failures.append(f"{wrong}: {case}\n    now {now[:300]!r}")
    assert not failures, told(failures)


@pytest.mark.stress
def test_the_chunks_of_a_redacted_stream_add_up_to_it(corpus: Corpus) -> None:
    failures = [
        f"{wrong}: {each.cases[0]}"
        for each in corpus.planted
        for made in (each.before, each.after)
        if (wrong := wrong_timing(made))
    ]
    assert not failures, told(failures)


@pytest.mark.stress
def test_redacting_what_is_redacted_changes_nothing(corpus: Corpus) -> None:
    failures = []
    for each in corpus.planted:
        again = redact_interaction(each.after, corpus.redactor, corpus.naming)
        if again != each.after:
            case = each.cases[0]
            failures.append(
                f"{case}\n    once  {held(each.after, case.channel)[:300]!r}, {each.after.recorded.redacted}"
                f"\n    twice {held(again, case.channel)[:300]!r}, {again.recorded.redacted}"
            )
    assert not failures, told(failures)


@pytest.mark.stress
def test_a_scan_of_the_redacted_finds_nothing(corpus: Corpus) -> None:
    text = corpus.path.read_text().splitlines()
    failures = [
        f"{left.cls} at line {left.line}: {text[left.line - 1][:200]}"
        for left in scan(corpus.path, corpus.redactor)
    ]
    assert not failures, told(failures)
    done = proxy("scan", corpus.path)
    assert done.returncode == 0, (done.stdout + done.stderr)[:2000].decode()


@pytest.mark.stress
def test_a_miss_is_explained_without_a_secret(corpus: Corpus) -> None:
    """Both sides of the comparison: the recorded call holds placeholders, the live one holds secrets."""
    draw = drawn()
    redactor = redactor_of(draw.person)
    recorded = views_of([each.after for each in corpus.planted[:40]])
    failures = []
    for case in cases(draw, scaled(ALL_SECRETS) // 2):
        text = case.carrier.text(case.secret)
        for argv in ([f"--print=Another.\n{text}"], ["--model", text, "--print=Another?"]):
            live = live_view(argv, redactor)
            outcome = find_match(live, recorded, MATCH_ON, {})
            miss = Miss(number=1, live=live, recorded=recorded, outcome=outcome)
            message = (full(miss) + short(miss, "/details")).encode("utf-8", "surrogateescape")
            if outcome.match != "none" or left_in(message, case.secret):
                failures.append(f"{outcome.match}: {case}")
    assert not failures, told(failures)


def live_view(argv: Sequence[str], redactor: Redactor) -> RequestView:
    """A live request as a replay sees it."""
    words = [b"agy", *(word.encode() for word in argv)]
    return redacted(view_of_live(words, places=PLACES, cwd=b"/w"), redactor)


@pytest.mark.stress
def test_a_live_prompt_with_a_secret_matches_its_recording() -> None:
    draw = drawn()
    redactor, naming = redactor_of(draw.person), Placeholders()
    failures = []
    for case in cases(draw, scaled(ALL_SECRETS) // 2):
        text = case.carrier.text(case.secret)
        turn = interaction(argv=("agy", "--print=${PROMPT}"), prompt=text)
        recorded = [view_of_interaction(redact_interaction(turn, redactor, naming))]
        outcome = find_match(live_view([f"--print={text}"], redactor), recorded, MATCH_ON, {})
        if outcome.match != "hit":
            failures.append(f"{case}\n    {outcome.reasons[0]}")
    assert not failures, told(failures)


@pytest.mark.stress
def test_innocent_text_stays_as_it_is(tmp_path: Path) -> None:
    draw = drawn()
    redactor, naming = redactor_of(draw.person), Placeholders()
    made, failures = [], []
    names = list(INNOCENT)
    for number in range(scaled(ALL_INNOCENT)):
        text = INNOCENT[names[number % len(names)]](draw)
        case = Case(Secret("innocent", "block", text, ()), BY_NAME["alone"], CHANNELS[number % len(CHANNELS)])
        before = planted(f"01J0-{number}", case, draw=draw)
        after = redact_interaction(before, redactor, naming)
        made.append(after)
        if after != before:
            old = held(before, case.channel).decode("utf-8", "replace").splitlines()
            new = held(after, case.channel).decode("utf-8", "replace").splitlines()
            changed = [f"{one!r} -> {other!r}" for one, other in zip(old, new, strict=False) if one != other]
            failures += [f"{names[number % len(names)]}: {line[:400]}" for line in changed]
    unique = sorted(set(failures))
    assert not unique, told(unique)
    assert scan(written(tmp_path / "innocent.agy.yaml", *made), redactor) == []


@pytest.mark.stress
def test_innocent_text_stays_in_what_carries_it() -> None:
    """A line in JSON has other neighbours than a line of its own."""
    draw = drawn()
    redactor = redactor_of(draw.person)
    failures = []
    carriers = [carrier for carrier in CARRIERS if "block" in carrier.shapes]
    for number in range(scaled(ALL_INNOCENT)):
        name = list(INNOCENT)[number % len(INNOCENT)]
        secret = Secret(name, "block", INNOCENT[name](draw), ())
        carrier = carriers[number % len(carriers)]
        text = carrier.text(secret)
        if redactor.redact_text(text) != text:
            failures.append(f"{name} in {carrier.name}: {_spans(redactor.redact_text(text))}")
    assert not failures, told(failures)


def _spans(text: str) -> list[str]:
    return [
        text[max(0, found.start() - 60) : found.end() + 40]
        for found in re.finditer(r"REDACTED-(?!token-1\b|email-12\b)", text)
    ][:5]


@pytest.mark.parametrize("user", ["root", "user", "admin"])
def test_a_user_with_a_name_for_all_is_no_secret(user: str) -> None:
    redactor = redactor_of(Person(user, "localhost"))
    text = (
        f"/home/{user}/src /Users/{user}/x {user}@localhost:~# \x1b]0;{user}@localhost: ~\x07 {user} says\n"
        f"/var/mail/{user} and /srv/{user}/panel and file://localhost/home/{user}/a\n"
    )
    assert redactor.redact_text(text) == text


def test_names_stay_words_after_they_were_redacted_in_a_path() -> None:
    draw = drawn()
    user, host = draw.person
    redactor, naming = redactor_of(draw.person), Placeholders()
    words = with_bare_names(draw.person)
    made = interaction(
        prompt=f"/home/{user}/a {user}@{host}:~$ ls", stdout=words.encode(), stderr=words.encode()
    )
    after = redact_interaction(made, redactor, naming)
    assert user not in str(after.request.prompt)
    assert host not in str(after.request.prompt)
    assert (after.response.stdout, after.response.stderr) == (words.encode(), words.encode())


@pytest.mark.parametrize("kind", KINDS)
def test_a_secret_is_found_in_whatever_carries_it(kind: str) -> None:
    """Every carrier with every kind, each drawn once."""
    draw = drawn()
    redactor = redactor_of(draw.person)
    failures = []
    for carrier in CARRIERS:
        secret = draw_secret(draw, kind)
        if carrier.takes(secret):
            case = Case(secret, carrier, "stdout")
            before = planted("01J0-1", case, draw=draw)
            after = redact_interaction(before, redactor, Placeholders())
            failures += _faults(case, after)
    assert not failures, told(failures)


def _faults(case: Case, after: Interaction) -> list[str]:
    now = held(after, case.channel)
    least, most = case.secret.spans
    wrong = []
    if left := left_in(everything(after), case.secret):
        wrong.append(f"{left[0]!r} is left")
    if not least <= after.recorded.redacted <= most:
        wrong.append(f"{after.recorded.redacted} counted, not {least} to {most}")
    if around := wrongly_kept(case, now):
        wrong.append(around)
    if timing := wrong_timing(after):
        wrong.append(timing)
    return [f"{'; '.join(wrong)}: {case}\n    now {now[:300]!r}"] if wrong else []


@pytest.mark.parametrize("kind", KINDS)
def test_a_secret_that_two_chunks_share_is_found_at_every_cut(kind: str) -> None:
    """Also one whose every byte came alone; the placeholder belongs to the chunk where the secret began."""
    draw = drawn()
    redactor = redactor_of(draw.person)
    case = Case(draw_secret(draw, kind), BY_NAME["after words"], "stdout")
    body = case.data + (b"" if kind == "private-key-cut" else b"\nand goes on\n")
    whole = interaction(stdout=body, timing=[(1, "o", len(body)), (0, "x", 1)])
    now = redact_interaction(whole, redactor, Placeholders()).response.stdout
    assert isinstance(now, bytes)
    assert not left_in(now, case.secret)
    found = list(re.finditer(PLACEHOLDER.encode(), now))
    at, behind = found[0].start(), len(now) - found[0].end()
    step = max(1, len(body) // 300)
    for cut in range(1, len(body), step):
        made = replace(whole, response=replace(whole.response, timing=_cut(cut, len(body) - cut)))
        after = redact_interaction(made, redactor, Placeholders())
        assert after.response.stdout == now
        first, second = sizes(after.response.timing, "o")
        assert first + second == len(now)
        if len(found) == 1:
            inside = at < cut < len(body) - behind
            assert first == (
                cut if cut <= at else len(now) - behind if inside else len(now) - (len(body) - cut)
            )
    alone = replace(whole, response=replace(whole.response, timing=_cut(*[1] * len(body))))
    after = redact_interaction(alone, redactor, Placeholders())
    assert after.response.stdout == now
    assert sum(sizes(after.response.timing, "o")) == len(now)


def _cut(*counts: int) -> tuple[Tick, ...]:
    return (*(Tick(1, "o", count) for count in counts), Tick(0, "x"))


@pytest.mark.parametrize("kind", [*TOKENS, "email"])
def test_one_secret_has_one_placeholder_in_every_carrier_channel_and_interaction(kind: str) -> None:
    draw = drawn()
    redactor, naming = redactor_of(draw.person), Placeholders()
    secret, other = draw_secret(draw, kind), draw_secret(draw, kind)
    seen: dict[str, set[str]] = {}
    for number, carrier in enumerate(CARRIERS):
        if not carrier.takes(secret) or not plain(secret, carrier):
            continue
        channel = CHANNELS[number % len(CHANNELS)]
        before = planted(f"01J0-{number}", Case(secret, carrier, channel), draw=draw)
        after = redact_interaction(before, redactor, naming)
        for placeholder in re.findall(PLACEHOLDER, everything(after).decode("utf-8", "replace")):
            seen.setdefault(placeholder, set()).add(carrier.name)
    assert len(seen) == 1, seen
    case = Case(other, BY_NAME["sentence"], "stdout")
    second = redact_interaction(planted("01J0-x", case, draw=draw), redactor, naming)
    assert not set(re.findall(PLACEHOLDER, everything(second).decode())) & set(seen)


def test_a_secret_known_by_its_key_is_known_without_it_afterwards() -> None:
    draw = drawn()
    redactor, naming = redactor_of(draw.person), Placeholders()
    token = draw.uuid()
    first = interaction("01J0-1", stderr=f"ANTIGRAVITY_CSRF_TOKEN={token}\n".encode())
    again = interaction("01J0-2", prompt=f"what is {token}?", stdout=f"csrf_token: {token}\n".encode())
    made = [redact_interaction(each, redactor, naming) for each in (first, again)]
    texts = [everything(each).decode() for each in made]
    assert not any(token in text for text in texts)
    placeholders = re.findall(PLACEHOLDER, "".join(texts))
    assert (len(placeholders), len(set(placeholders))) == (3, 1)


def test_placeholders_are_kept_for_the_next_run_without_the_secrets(tmp_path: Path) -> None:
    draw = drawn()
    redactor = redactor_of(draw.person)
    secrets = [draw_secret(draw, kind) for kind in KINDS]
    turns = [interaction(f"01J0-{at}", stdout=secret.text.encode()) for at, secret in enumerate(secrets)]
    with open_ledger(tmp_path / "ledger") as ledger:
        naming = Placeholders(ledger)
        first = [redact_interaction(turn, redactor, naming).response for turn in turns]
        ledger.commit()
    for path in tmp_path.iterdir():
        assert path.stat().st_mode & 0o777 == 0o600
        assert not [secret for secret in secrets if left_in(path.read_bytes(), secret)]
    with open_ledger(tmp_path / "ledger") as ledger:
        naming = Placeholders(ledger)
        assert [redact_interaction(turn, redactor, naming).response for turn in turns[::-1]] == first[::-1]


@pytest.mark.parametrize(
    "argv",
    [
        ("agy", "--csrf_token", "{}", "-p", "${PROMPT}"),
        ("agy", "--csrf_token={}", "-p", "${PROMPT}"),
        ("agy", "-csrf_token", "{}", "-p", "${PROMPT}"),
    ],
)
def test_a_csrf_token_is_found_in_arguments_and_environment(argv: Sequence[str]) -> None:
    draw = drawn()
    token = draw.uuid()
    redactor = redactor_of(draw.person)
    made = interaction(
        argv=[word.replace("{}", token) for word in argv],
        process=Process(client=f"language_server --csrf_token {token} --port 0"),
    )
    made = replace(made, request=replace(made.request, env={"ANTIGRAVITY_CSRF_TOKEN": token, "TERM": "dumb"}))
    after = redact_interaction(made, redactor, Placeholders())
    assert token not in everything(after).decode()
    assert after.recorded.redacted == 3
    assert len(after.request.argv) == len(argv)
    assert after.request.env["TERM"] == "dumb"


def test_a_csrf_token_is_found_in_the_environment_before_anything_else_named_it() -> None:
    draw = drawn()
    token = draw.uuid()
    made = interaction()
    made = replace(made, request=replace(made.request, env={"ANTIGRAVITY_CSRF_TOKEN": token}))
    after = redact_interaction(made, redactor_of(draw.person), Placeholders())
    assert token not in everything(after).decode()
    assert after.recorded.redacted == 1


@pytest.mark.parametrize("channel", ["cwd", "file path"])
def test_a_home_is_found_in_the_paths_of_an_interaction(channel: str) -> None:
    draw = drawn()
    redactor = redactor_of(draw.person)
    for kind in ("home", "home-mac", "user-in-path", "host-in-path"):
        case = Case(draw_secret(draw, kind), BY_NAME["alone"], channel)
        after = redact_interaction(planted("01J0-1", case, draw=draw), redactor, Placeholders())
        assert _faults(case, after) == []


@pytest.mark.parametrize("carrier", ["alone", "json", "colours", "row", "lines of crlf"])
@pytest.mark.parametrize("kind", KINDS)
def test_scan_finds_a_secret_in_any_file_with_its_line(kind: str, carrier: str, tmp_path: Path) -> None:
    draw = drawn()
    secret = draw_secret(draw, kind)
    if not BY_NAME[carrier].takes(secret):
        secret = draw_secret(draw, "jwt")
    text = BY_NAME[carrier].text(secret)
    above = draw.random.randrange(1, 9)
    path = tmp_path / "notes.txt"
    path.write_bytes(("nothing here\n" * above + text).encode())
    lines = {left.line for left in scan(path, redactor_of(draw.person))}
    assert lines
    assert lines <= set(range(above + 1, above + 1 + len(text.splitlines())))
    if "\n" not in secret.text and carrier == "colours":
        assert lines == {above + 1}


@pytest.mark.parametrize("channel", CHANNELS)
def test_scan_finds_a_secret_in_a_cassette_that_was_not_redacted(channel: str, tmp_path: Path) -> None:
    draw = drawn()
    redactor = redactor_of(draw.person)
    failures = []
    for kind in KINDS:
        case = Case(draw_secret(draw, kind), BY_NAME["alone"], channel)
        path = tmp_path / f"{kind}.agy.yaml"
        written(path, interaction("01J0-0"), planted("01J0-1", case, draw=draw))
        entry = Cassette.open(path).entry("01J0-1")
        text = path.read_text().splitlines()
        right = {at for at, line in enumerate(text, 1) if _shows(case.secret, line)}
        found = {left.line for left in scan(path, redactor)}
        if not found or not found <= (right or set(range(entry.line, len(text) + 1))):
            failures.append(f"found {sorted(found)}, planted at {sorted(right)}: {case}")
    assert not failures, told(failures)


def _shows(secret: Secret, line: str) -> bool:
    return any(part in line for part in secret.hidden) or "PRIVATE KEY-" in line


def test_scan_ends_with_status_1_and_names_file_and_line_but_not_the_secret(tmp_path: Path) -> None:
    draw = drawn()
    clean = written(tmp_path / "clean.agy.yaml", interaction())
    assert proxy("scan", clean).returncode == 0
    for kind in ("google-access", "csrf-env", "private-key"):
        folder = tmp_path / kind
        folder.mkdir()
        secret = draw_secret(draw, kind)
        case = Case(secret, BY_NAME["after words"], "stdout")
        path = written(folder / "planted.agy.yaml", planted("01J0-1", case, draw=draw))
        lines = path.read_text().splitlines()
        right = [at for at, line in enumerate(lines, 1) if _shows(secret, line)]
        done = proxy("scan", path)
        assert done.returncode == 1, (kind, done)
        assert any(f"{path}:{at}" in done.stdout.decode() for at in right), (kind, done.stdout)
        assert not left_in(done.stdout + done.stderr, secret)
        told_json = proxy("scan", folder, "--json")
        assert told_json.returncode == 1
        left = json.loads(told_json.stdout)["left"]
        assert left
        assert {(each["file"], each["line"] in right) for each in left} == {(str(path), True)}


def test_scan_says_that_a_cassette_was_recorded_without_redaction(tmp_path: Path) -> None:
    made = interaction()
    off = replace(made, recorded=replace(made.recorded, redaction="off"))
    done = proxy("scan", written(tmp_path / "off.agy.yaml", off))
    assert b"redaction" in done.stdout + done.stderr


@pytest.mark.parametrize("options", [(), ("--json",)], ids=["text", "json"])
def test_show_hides_what_redaction_never_saw(options: Sequence[str], tmp_path: Path) -> None:
    """Also where it cuts long text: the beginning of a secret is no longer known as one."""
    draw = drawn()
    some = [
        Case(draw_secret(draw, kind), BY_NAME["after words"], CHANNELS[at % len(CHANNELS)])
        for at, kind in enumerate(kind for kind in KINDS if kind not in NAMES)
    ]
    long = Case(draw_secret(draw, "google-access"), Carrier("long", "words " * 30_000, " end"), "stdout")
    made = [planted(f"01J0-{at}", case, draw=draw) for at, case in enumerate([*some, long])]
    shown = proxy("show", written(tmp_path / "raw.agy.yaml", *made), *options)
    assert shown.returncode == 0, shown.stderr
    failures = [str(case) for case in [*some, long] if left_in(shown.stdout, case.secret)]
    assert not failures, told(failures)


def test_no_filter_runs_when_a_cassette_is_loaded(tmp_path: Path) -> None:
    draw = drawn()
    made = [
        planted(f"01J0-{at}", Case(draw_secret(draw, kind), BY_NAME["alone"], "stdout"), draw=draw)
        for at, kind in enumerate(KINDS)
    ]
    path = written(tmp_path / "raw.agy.yaml", *made)
    before = path.read_bytes()
    assert list(Cassette.open(path).interactions()) == made
    proxy("show", path)
    proxy("scan", path)
    proxy("verify", path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("verb", ["show", "scan", "verify", "merge"])
def test_an_error_names_no_secret_that_stood_in_an_argument(
    verb: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    draw = drawn()
    capfd.readouterr()
    failures = []
    for kind in (*TOKENS, "email", "home-of-another"):
        secret = draw_secret(draw, kind)
        # A path loses one of two slashes, and a name has 255 bytes at most.
        named = secret.shape == "path" or ("/" not in secret.text and len(secret.text) < 250)
        for word in [f"--{secret.text}", *([str(tmp_path / secret.text / "x.agy.yaml")] if named else [])]:
            status = main([verb, word, word])
            message = "".join(capfd.readouterr())
            if status != 2 or left_in(message.encode(), secret):
                failures.append(f"{kind}: status {status}, {message}")
    assert not failures, told(failures)


def test_a_secret_in_a_row_of_a_file_that_comes_after_another_event_is_found() -> None:
    draw = drawn()
    redactor, naming = redactor_of(draw.person), Placeholders()
    secret = draw_secret(draw, "google-access")
    row = json.dumps({"content": f"x\n{secret.text}\n"}).encode() + b"\n"
    files = [FileEvent(op="append", path="${AGY_HOME}/a.jsonl", before=at, text=row) for at in (0, len(row))]
    made = interaction(files=files, timing=[(1, "f", 2), (0, "o", 6), (0, "x", 1)])
    after = redact_interaction(made, redactor, naming)
    assert not left_in(everything(after), secret)
    assert after.recorded.redacted == 2
    assert after.files[0].text == after.files[1].text
    assert [json.loads(event.text) for event in after.files if isinstance(event.text, bytes)]

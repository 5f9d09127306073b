import re

import pytest

from agy_cassettes.call import parse_call
from agy_cassettes.client_words import alarming
from agy_cassettes.closest import Miss, Play, short
from agy_cassettes.match_on import select
from agy_cassettes.matchers import Outcome, Reason, find_match
from agy_cassettes.request_view import RequestView

CLIENT_PATTERNS = [
    # What cli-jaw takes for a lost conversation.
    r'^Warning:\s*conversation\s+"[^"]*"\s+not found\b',
    r"no conversation found with session id",
    r"\bconversation\b.*\bnot found\b",
    r"\bsession\b.*\bnot found\b",
    r"\binvalid\b.*\bresume\b",
    r"\bresume\b.*\binvalid\b",
    r"\bunknown\b.*\bsession\b",
    r"\bno such session\b",
    # Where it looks for the id of a conversation.
    r"--conversation(?:=| )\S+",
    r"conversation=\S+",
    r"Created conversation \S+",
    # What agy-headless-bridge takes for a used-up quota.
    r"quota|rate limit|RESOURCE_EXHAUSTED|429|too many requests",
    # What makes antigravity-bridge try again.
    r"retry",
    r"Antigravity CLI produced no output",
    r"timeout waiting for response",
    # agy's own line starts and messages, which adapters look for.
    r"^(?:warning|error|jetski|\[agy\]|AGY_ERROR)\b",
    r"timed out waiting for response",
    r"print timeout after .* with turn in progress",
    r"timed out after \d+ polls",
    r"PlannerResponse without ModifiedResponse",
    r"Drip stopped",
    r"no output produced",
    r"auto-denied",
    r"soft-denying tool confirmation",
    r"Individual quota reached",
    r"API error \(attempt",
    r"terminating \d+ background task",
    r"Authentication required",
    r"https://accounts\.google\.com",
    r"keyringAuth",
    r"You are not logged in",
    r"flags? needs? an argument",
    r"flags provided but not defined",
    r"empty prompt",
    r"unexpected argument",
    r"invalid --model",
    r"Agent execution terminated",
    r"named hooks from",
    r"MODEL_CAPACITY|overloaded|503|temporarily unavailable",
]

AGY_SAYS = [
    'warning: conversation "9b1d" not found',
    'Warning: conversation "9b1d" not found.',
    "No conversation found with session id 9b1d",
    "session 9b1d not found",
    "invalid resume of 9b1d",
    "unknown session",
    "no such session",
    "Error: timed out waiting for response",
    "Error: timeout waiting for response",
    "[agy] print timeout after 5m0s with turn in progress; returning partial output",
    "Print mode: timed out after 100 polls (printed=3)",
    "PlannerResponse without ModifiedResponse encountered",
    "Drip stopped: lastStepIdx=2, charIdx=2, length=2",
    "jetski: no output produced",
    'the "command" permission that headless mode cannot prompt for, so it was auto-denied',
    "Print mode: soft-denying tool confirmation",
    "RESOURCE_EXHAUSTED (code 429): Individual quota reached. Resets in 76h3m46s.",
    "429 too many requests",
    "rate limit",
    "please retry",
    "terminating 1 background task(s) on exit",
    "Authentication required. Please visit the URL to log in:",
    "keyringAuth: timed out after 1s",
    "You are not logged into Antigravity.",
    "flag needs an argument: -p",
    "flags provided but not defined: -x",
    "empty prompt",
    'Error: unexpected argument "x".',
    "Error: invalid --model x",
    "Agent execution terminated due to error",
    "Created conversation 9b1d",
    "loaded 2 named hooks from 1 hooks.json file(s)",
    "Antigravity CLI produced no output",
    "The model is overloaded, try again later",
    "503 service unavailable",
]


@pytest.mark.parametrize("said", AGY_SAYS)
def test_every_message_that_clients_look_for_is_alarming(said: str) -> None:
    assert alarming(said)
    assert alarming(f"  asked    …{said.upper()}[x]")


@pytest.mark.parametrize(
    "said",
    ["", "agy-proxy: no recorded call matches (call 3); details: /tmp/agy-proxy-x/misses/3.txt", "argv + -p"],
)
def test_plain_words_are_not(said: str) -> None:
    assert not alarming(said)


def view(argv: list[str], prompt: str | None) -> RequestView:
    return RequestView(call=parse_call(argv), argv=tuple(argv), prompt=prompt, id="01J2-4711")


@pytest.mark.parametrize("said", AGY_SAYS)
@pytest.mark.parametrize("played", [False, True])
def test_no_client_takes_a_miss_for_a_message_of_agy(said: str, played: bool) -> None:
    live = view(["--conversation", said, "--model", said, "-p", "${PROMPT}"], f"please {said} now")
    recorded = [view(["--conversation=9b1d", "-c", "-p", "${PROMPT}"], f"please {said[::-1]} now"), live]
    outcome = find_match(live, recorded, select(), {1: 1})
    if not played:
        outcome = Outcome(
            "none", reasons=((Reason(said, said, said), Reason(said)), (Reason("prompt", said, "x"),))
        )
    miss = Miss(
        number=429, live=live, recorded=recorded, outcome=outcome, plays={1: [Play(429, "10:42:09")]}, pid=429
    )
    for details in ("/tmp/agy-proxy-x/misses/3.txt", f"/tmp/{said}/3.txt", "/tmp/session/429/quota.txt"):
        text = short(miss, details)
        assert text.startswith("agy-proxy: ")
        for pattern in CLIENT_PATTERNS:
            assert not re.search(pattern, text, re.IGNORECASE | re.MULTILINE), (pattern, text)

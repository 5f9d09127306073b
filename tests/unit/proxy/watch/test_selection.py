"""Which transcript is the current turn's, and why no other is."""

from pathlib import Path

import pytest

from agy_proxy.watch.selection import Candidate, Turn, select
from agy_proxy.watch.standing import candidate
from tests.support.watched_store import append

A, B = "conversation-a", "conversation-b"
NOW = 1000.0


def stands(
    name: str, prompt: str | None = "go on", at: float | None = NOW + 1, grew: float | None = NOW + 2
) -> Candidate:
    return Candidate(conversation=name, prompt=prompt, prompted_at=at, grew_at=grew)


@pytest.mark.parametrize(
    ("turn", "candidates", "chosen", "reason"),
    [
        # The saved conversation is old, and the turn went elsewhere: the trap of cli-jaw's issue 245.
        (
            Turn(began=NOW, prompt="go on", asked=A),
            [stands(A, grew=NOW - 130), stands(B)],
            B,
            "asked for, does not",
        ),
        (
            Turn(began=NOW, prompt="go on", asked=A),
            [stands(A), stands(B, prompt="other")],
            A,
            "asked for, and holds",
        ),
        (Turn(began=NOW, prompt="go on"), [stands(A), stands(B)], None, "2 conversations"),
        (Turn(began=NOW, prompt="go on"), [], None, "yet"),
        (Turn(began=NOW, prompt="go on"), [stands(A, prompt=None, at=None)], None, "yet"),
        (Turn(began=NOW, prompt="go on", named=B), [stands(A), stands(B, prompt="x")], B, "agy named it"),
        (Turn(began=NOW, prompt="go on", named=B), [stands(A)], None, "not in the store yet"),
        # created_at is cut to whole seconds.
        (Turn(began=NOW + 0.9, prompt="go on"), [stands(A, at=NOW)], A, "it alone"),
        (Turn(began=NOW + 1, prompt="go on"), [stands(A, at=NOW)], None, "yet"),
        (Turn(began=NOW, prompt="go\n  on "), [stands(A)], A, "it alone"),
        (Turn(began=NOW), [stands(A, prompt="anything")], A, "it alone"),
    ],
)
def test_the_turns_conversation_is_chosen(
    turn: Turn, candidates: list[Candidate], chosen: str | None, reason: str
) -> None:
    found = select(turn, candidates)
    assert found.conversation == chosen
    assert reason in found.reason
    others = {each.conversation for each in candidates} - {chosen}
    assert {verdict.conversation for verdict in found.rejected} == others
    assert all(verdict.reason for verdict in found.rejected)


@pytest.mark.parametrize(
    ("each", "why"),
    [
        (stands(A, grew=None), "not grown"),
        (stands(A, grew=NOW - 2), "not grown"),
        (stands(A, at=NOW - 5), "older"),
        (stands(A, prompt="another"), "another"),
        (
            Candidate(conversation=A, prompt="go on", prompted_at=NOW, grew_at=NOW, parent=B),
            f"a subagent of {B}",
        ),
    ],
)
def test_what_is_not_the_turns_is_told_why(each: Candidate, why: str) -> None:
    found = select(Turn(began=NOW, prompt="go on"), [each])
    assert found.conversation is None
    assert why in found.rejected[0].reason


def test_a_conversation_is_read_as_it_stands(tmp_path: Path) -> None:

    root = tmp_path
    row = (
        b'{"step_index":4,"type":"USER_INPUT","created_at":"2026-12-01T10:00:00Z",'
        b'"content":"<USER_REQUEST>\\ngo on\\n</USER_REQUEST>\\n<ADDITIONAL_METADATA>"}\n'
    )
    path = append(
        root, A, b'{"type":"USER_INPUT","content":"before"}\n' + row + b'{"type":"PLANNER_RESPONSE"}\n'
    )
    found = candidate(root, A)
    assert (found.prompt, found.grew_at) == ("go on", path.stat().st_mtime)
    assert found.prompted_at == 1796119200.0
    assert candidate(root, B) == Candidate(conversation=B)

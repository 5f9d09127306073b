import pytest

from agy_cassettes.interaction import Exit, Interaction, Recorded, Request, Response, Sidecar, Value
from agy_cassettes.places import Places
from agy_cassettes.request_view import view_of_interaction, view_of_live, views_of

PLACES = Places(b"/home/ada", b"/home/ada/work", tmp=b"/tmp")
CWD = b"/home/ada/work"


def recorded(
    *argv: Value,
    prompt: Value | None = None,
    stdin: Value | Sidecar | None = None,
    code: int = 0,
    id: str = "r1",  # noqa: A002 - the field's name
) -> Interaction:
    return Interaction(
        id=id,
        recorded=Recorded(at="2026-12-01T00:00:00Z", by="agy-proxy 0.1.0"),
        request=Request(argv=("agy", *argv), prompt=prompt, stdin=stdin),
        response=Response(exit=Exit(code=code)),
    )


def test_a_live_call_and_its_recording_look_the_same() -> None:
    live = view_of_live(
        [b"agy", b"--add-dir", b"/home/ada/work", b"-p", b"in /tmp/x \xff"], places=PLACES, cwd=CWD
    )
    kept = view_of_interaction(recorded("--add-dir", "${CWD}", "-p", "${PROMPT}", prompt=b"in /tmp/x \xff"))
    assert (live.argv, live.prompt, live.cwd) == (kept.argv, kept.prompt, kept.cwd)


def test_a_prompt_written_out_by_hand_counts_as_the_prompt() -> None:
    kept = view_of_interaction(recorded("--print=what now?"))
    assert (kept.argv, kept.prompt) == (("--print=${PROMPT}",), "what now?")
    assert kept.call.prompt == "${PROMPT}"


def test_a_live_call_is_redacted_after_its_paths_are_named() -> None:
    seen = []

    def redact(text: bytes) -> bytes:
        seen.append(text)
        return text.replace(b"s3cret", b"REDACTED-key-0")

    live = view_of_live(
        [b"agy", b"--model", b"s3cret", b"-p", b"my s3cret in /tmp"], places=PLACES, cwd=CWD, redact=redact
    )
    assert live.call.model == "REDACTED-key-0"
    assert live.prompt == "my REDACTED-key-0 in ${TMP}"
    assert b"${CWD}" in seen


@pytest.mark.parametrize("stdin", [b"", None])
def test_an_empty_stdin_and_none_are_one_prompt(stdin: bytes | None) -> None:
    live = view_of_live([b"agy"], places=PLACES, cwd=CWD, stdin=stdin)
    assert live.prompt is view_of_interaction(recorded(prompt="", stdin="")).prompt is None


def test_a_renewed_conversation_is_compared_by_its_recorded_id() -> None:
    for argv in (
        [b"agy", b"--conversation", b"new", b"-p", b"x"],
        [b"agy", b"--conversation=new", b"-p", b"x"],
    ):
        live = view_of_live(argv, places=PLACES, cwd=CWD, recorded_ids={"new": "old"})
        assert live.call.conversation == "old"


def test_turns_are_counted_and_probes_are_not() -> None:
    views = views_of(
        [
            recorded("--version"),
            recorded("-p", "${PROMPT}", prompt="a"),
            recorded("models"),
            recorded("-p", "${PROMPT}", prompt="b"),
        ]
    )
    assert [view.turn for view in views] == [None, 1, None, 2]
    assert [view.free for view in views] == [True, False, True, False]


def test_a_refused_call_is_free() -> None:
    assert view_of_interaction(recorded("-p", "${PROMPT}", "--bogus", prompt="x", code=2)).free


def test_a_stdin_beside_the_cassette_is_read_where_the_caller_can() -> None:
    interaction = recorded("--input-format=stream-json", stdin=Sidecar(file="ab.bin", bytes=3))
    assert view_of_interaction(interaction).stdin == "ab.bin"
    assert view_of_interaction(interaction, read=lambda _: b"abc").stdin == "abc"

import json

from agy_cassettes.interaction import (
    Exit,
    FileEvent,
    Interaction,
    Mark,
    Process,
    Recorded,
    Request,
    Response,
    Sidecar,
    Stdio,
    Tick,
)
from agy_cassettes.redact.names import Facts
from agy_cassettes.redact.placeholders import Placeholders
from agy_cassettes.redact.records import redact_interaction, redact_record
from agy_cassettes.redact.redactor import Redactor
from agy_cassettes.redact.rules import RULE_SET

TOKEN = "ya29.a0AfB_byC-dEfGhIjKlMnOp"
MAIL = "jane.doe@corp-mail.com"
CSRF = "3f2a9c1e77aa4b1c9d1eaaaabbbbcccc"
ROW = json.dumps({"type": "USER_INPUT", "content": f"I am {MAIL}\n/home/jdoe/x"}).encode() + b"\n"
STDERR = f"\x1b]0;mira@kestrel: /home/mira/x\x07Cookie: a=b\n{CSRF}\n".encode()


def interaction() -> Interaction:
    return Interaction(
        id="01J-1",
        recorded=Recorded(at="2026-12-01T02:37:00Z", by="agy-proxy 0.1.0", agy="1.2.10"),
        request=Request(
            argv=(
                "agy",
                "--csrf_token",
                CSRF,
                "--conversation",
                "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d",
                b"\xff",
            ),
            prompt=f"mail {MAIL}",
            stdin=f"with {TOKEN}\n",
            cwd="/home/mira/x",
            env={"TERM": "dumb", "AGY_CLI_API_KEY": "qwerty123456"},
            stdio=Stdio(stdin="pipe", stdout="pipe", stderr="pipe"),
        ),
        response=Response(
            exit=Exit(code=0),
            stdout=f"hello {TOKEN} and {MAIL}\n".encode(),
            stderr=STDERR,
            timing=(
                Tick(1, "i", 6),
                Tick(1, "i", 28),
                Tick(5, "o", 8),
                Tick(5, "o", 10),
                Tick(2, "e", len(STDERR)),
                Tick(0, "f"),
                Tick(3, "o", 6 + 28 + 5 + 22 + 1 - 18),
                Tick(1, "x"),
            ),
        ),
        files=(
            FileEvent(op="append", path="/home/jdoe/a.log", before=3, text=ROW),
            FileEvent(op="create", path="${AGY_HOME}/b", text=Sidecar(file="0" * 64 + ".bin", bytes=9)),
            FileEvent(op="symlink", path="${AGY_HOME}/c", target="/home/jdoe/d"),
        ),
        process=Process(client=f"bot --token {TOKEN}", left_behind=("ssh mira@kestrel",)),
        extra={"note": MAIL, "deep": [{"token": "0123456789abcdef0123"}], "count": 3},
    )


def redacted() -> Interaction:
    return redact_interaction(
        interaction(), Redactor(facts=Facts(users=("mira",), hosts=("kestrel",))), Placeholders()
    )


def test_every_text_of_a_record_is_redacted_and_each_secret_has_one_number() -> None:
    one = redacted()
    assert one.request == Request(
        argv=(
            "agy",
            "--csrf_token",
            "REDACTED-csrf-token-1",
            "--conversation",
            "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d",
            b"\xff",
        ),
        prompt="mail REDACTED-email-1",
        stdin="with REDACTED-oauth-token-1\n",
        cwd="/home/REDACTED-user-1/x",
        env={"TERM": "dumb", "AGY_CLI_API_KEY": "REDACTED-api-key-1"},
        stdio=Stdio(stdin="pipe", stdout="pipe", stderr="pipe"),
    )
    assert one.response.stdout == b"hello REDACTED-oauth-token-1 and REDACTED-email-1\n"
    assert one.response.stderr == (
        b"\x1b]0;REDACTED-user-1@REDACTED-host-1: /home/REDACTED-user-1/x\x07Cookie: a=REDACTED-cookie-1\n"
        b"REDACTED-csrf-token-1\n"
    )
    row, sidecar, link = one.files
    assert isinstance(row.text, bytes)
    assert json.loads(row.text)["content"] == "I am REDACTED-email-1\n/home/REDACTED-user-2/x"
    assert (row.path, link.target) == ("/home/REDACTED-user-2/a.log", "/home/REDACTED-user-2/d")
    assert sidecar == interaction().files[1]
    assert one.process == Process(
        client="bot --token REDACTED-oauth-token-1", left_behind=("ssh REDACTED-user-1@REDACTED-host-1",)
    )
    assert one.extra == {"note": "REDACTED-email-1", "deep": [{"token": "REDACTED-token-1"}], "count": 3}


def test_the_places_are_counted_and_the_rules_named() -> None:
    assert redacted().recorded == Recorded(
        at="2026-12-01T02:37:00Z", by="agy-proxy 0.1.0", agy="1.2.10", redaction=RULE_SET, redacted=21
    )


def test_a_placeholder_belongs_to_the_chunk_where_the_secret_began() -> None:
    response = redacted().response
    assert response.timing == (
        Tick(1, "i", 5 + len("REDACTED-oauth-token-1")),
        Tick(1, "i", 1),
        Tick(5, "o", 6 + len("REDACTED-oauth-token-1")),
        Tick(5, "o", 0),
        Tick(2, "e", len(response.stderr) if isinstance(response.stderr, bytes) else 0),
        Tick(0, "f"),
        Tick(3, "o", len(" and REDACTED-email-1\n")),
        Tick(1, "x"),
    )


def test_a_record_without_secrets_is_as_it_was() -> None:
    one = interaction()
    plain = Interaction(
        id="1",
        recorded=one.recorded,
        request=Request(argv=("agy",), cwd="${CWD}"),
        response=Response(exit=Exit(code=0)),
    )
    assert redact_record(plain, Redactor(), Placeholders()) == plain


def test_redacting_again_changes_nothing() -> None:
    one = redacted()
    assert redact_record(one, Redactor(), Placeholders()) == one


def test_the_note_of_a_mark_is_redacted() -> None:
    mark = Mark(id="1m", mark="reset", recorded=Recorded(at="", by=""), note=f"by {MAIL}")
    assert redact_record(mark, Redactor(), Placeholders()) == Mark(
        id="1m", mark="reset", recorded=Recorded(at="", by="", redacted=1), note="by REDACTED-email-1"
    )


def test_the_class_of_a_secret_does_not_depend_on_what_was_there_before() -> None:
    spelled = Redactor().redact_words(("agy", "--csrf_token", CSRF))
    assert spelled[2] == "REDACTED-csrf-token-0"

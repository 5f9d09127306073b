import pytest

from agy_cassettes.redact.names import Facts, facts_of
from agy_cassettes.redact.placeholders import Placeholders
from agy_cassettes.redact.redactor import Redactor, spreads

REDACTOR = Redactor()


def test_a_flag_tells_what_the_next_word_is() -> None:
    words = ("agy", "--csrf_token", "s3cret", "-p", "${PROMPT}", b"\xff", "")
    assert REDACTOR.redact_words(words) == (
        "agy",
        "--csrf_token",
        "REDACTED-csrf-token-0",
        "-p",
        "${PROMPT}",
        b"\xff",
        "",
    )
    assert REDACTOR.redact_words(()) == ()


def test_a_value_stays_what_it_was() -> None:
    assert REDACTOR.redact_value("to a@b.co") == "to REDACTED-email-0"
    assert REDACTOR.redact_value(b"\xff a@b.co") == b"\xff REDACTED-email-0"
    assert REDACTOR.redact_text("a@b.co \udcff") == "REDACTED-email-0 \udcff"


def test_one_secret_bare_and_in_an_address_has_one_placeholder() -> None:
    give = Placeholders()
    text = "4/0AeaYSHBx3yZk_qWERtyuiOP then http://localhost/oauth?code=4%2F0AeaYSHBx3yZk_qWERtyuiOP&scope=x"
    assert REDACTOR.redact_text(text, give) == (
        "REDACTED-oauth-code-1 then http://localhost/oauth?code=REDACTED-oauth-code-1&scope=x"
    )
    assert REDACTOR.redact_text('"1\\/\\/0gFakeRefresh-Token_AbC" 1//0gFakeRefresh-Token_AbC', give) == (
        '"REDACTED-oauth-token-1" REDACTED-oauth-token-1'
    )


def test_a_secret_with_a_number_is_found_bare_later() -> None:
    give = Placeholders()
    REDACTOR.redact_text("ANTIGRAVITY_CSRF_TOKEN=3f2a9c1e-77aa-4b1c-9d1e-aaaabbbbcccc", give)
    assert (
        REDACTOR.redact_text("got 3f2a9c1e-77aa-4b1c-9d1e-aaaabbbbcccc", give) == "got REDACTED-csrf-token-1"
    )
    assert REDACTOR.redact_text("got 3f2a9c1e-77aa-4b1c-9d1e-aaaabbbbcccd", give).endswith("cccd")


@pytest.mark.parametrize(
    ("cls", "secret", "expected"),
    [
        ("csrf-token", b"9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d", True),
        ("cookie", b"9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d", False),
        ("cookie", b"0123456789abcdef", True),
        ("cookie", b"dark", False),
        ("password", b"correct-horse-battery", False),
        ("user", b"0123456789abcdef", False),
    ],
)
def test_only_generated_secrets_spread_and_no_id_does(cls: str, secret: bytes, expected: bool) -> None:
    assert spreads(cls, secret) is expected


def test_the_facts_are_those_of_the_environment() -> None:
    env = {"HOME": "/home/mira/", "USER": "mira", "LOGNAME": "kay"}
    assert facts_of(env, "kestrel.lan") == Facts(users=("mira", "kay"), hosts=("kestrel.lan", "kestrel"))
    assert facts_of({}, "") == Facts()

import stat
from pathlib import Path

import pytest

from agy_cassettes.errors import UserError
from agy_cassettes.redact.placeholders import Placeholders, highest, unnumbered


def test_the_same_secret_has_the_same_placeholder_and_classes_count_apart() -> None:
    give = Placeholders()
    assert [
        give("email", b"a@b.co"),
        give("token", b"t1"),
        give("email", b"c@d.co"),
        give("email", b"a@b.co"),
    ] == [
        b"REDACTED-email-1",
        b"REDACTED-token-1",
        b"REDACTED-email-2",
        b"REDACTED-email-1",
    ]


def test_a_secret_keeps_the_class_it_first_had() -> None:
    give = Placeholders()
    give("cookie", b"one")
    assert give("token", b"one") == b"REDACTED-cookie-1"
    assert (give.class_of(b"one"), give.class_of(b"two"), give.class_of(b"three")) == ("cookie", None, None)


def test_numbers_outlive_the_process_and_the_secret_is_not_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "placeholders.json"
    give = Placeholders.load(path)
    give("email", b"a@b.co")
    give.save(path)
    again = Placeholders.load(path)
    assert again("email", b"c@d.co") == b"REDACTED-email-2"
    assert again("email", b"a@b.co") == b"REDACTED-email-1"
    assert b"a@b.co" not in path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again.save(path)
    assert [file.name for file in tmp_path.iterdir()] == ["placeholders.json"]


@pytest.mark.parametrize(
    "raw", [b"", b"[]", b"{}", b'{"version":2}', b'{"version":1,"salt":"zz"}', b"\xff", b"7"]
)
def test_a_damaged_file_is_named(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "placeholders.json"
    path.write_bytes(raw)
    with pytest.raises(UserError, match=r"placeholders\.json: not a readable list"):
        Placeholders.load(path)


def test_numbers_go_on_after_those_of_a_cassette_whose_state_was_lost() -> None:
    cassette = b"REDACTED-email-3 REDACTED-oauth-code-12, REDACTED-email-1REDACTED-email-7 REDACTED-nothing"
    assert highest(cassette) == {"email": 7, "oauth-code": 12}
    give = Placeholders()
    give.start_after(highest(cassette))
    assert give("email", b"a@b.co") == b"REDACTED-email-8"
    assert give("user", b"jdoe") == b"REDACTED-user-1"


def test_without_numbers_all_secrets_of_a_class_look_alike() -> None:
    assert unnumbered("email", b"a") == unnumbered("email", b"b") == b"REDACTED-email-0"

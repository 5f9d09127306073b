from agy_cassettes.redact.placeholders import Memory, Numbered, Placeholders, highest, unnumbered


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


def test_a_word_is_looked_up_once_and_again_when_it_has_become_a_secret() -> None:
    class Counting(Memory):
        asked = 0

        def numbered(self, name: bytes) -> Numbered | None:
            self.asked += 1
            return super().numbered(name)

    register = Counting()
    give = Placeholders(register)
    give("token", b"one")
    asked = register.asked
    assert [give.class_of(b"two") for _ in range(9)] == [None] * 9
    assert register.asked == asked + 1
    give("token", b"two")
    assert give.class_of(b"two") == "token"


def test_numbers_go_on_after_those_of_a_cassette_whose_state_was_lost() -> None:
    cassette = b"REDACTED-email-3 REDACTED-oauth-code-12, REDACTED-email-1REDACTED-email-7 REDACTED-nothing"
    assert highest(cassette) == {"email": 7, "oauth-code": 12}
    register = Memory()
    register.start_after(highest(cassette))
    give = Placeholders(register)
    assert give("email", b"a@b.co") == b"REDACTED-email-8"
    assert give("user", b"jdoe") == b"REDACTED-user-1"


def test_without_numbers_all_secrets_of_a_class_look_alike() -> None:
    assert unnumbered("email", b"a") == unnumbered("email", b"b") == b"REDACTED-email-0"

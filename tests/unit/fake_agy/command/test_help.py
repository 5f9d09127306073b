from fake_agy.command.help import help_text
from fake_agy.profile.resolve import profile_of


def test_the_usage_text_shows_what_the_version_has() -> None:
    old, new = help_text(profile_of((1, 1, 1))), help_text(profile_of((1, 3, 3)))
    assert old.startswith("Usage of agy:\n  --add-dir ")
    assert "(default 5m0s)" in old
    assert "--output-format" not in old
    assert "(default 0s)" in new
    assert "  -p " in new
    assert "\nAvailable subcommands:\n" in new

from fake_agy.usage import usage


def test_the_usage_text_shows_what_the_version_has() -> None:
    old, new = usage((1, 1, 1)), usage((1, 3, 3))
    assert old.startswith("Usage of agy:\n  --add-dir ")
    assert "(default 5m0s)" in old
    assert "--output-format" not in old
    assert "(default 0s)" in new
    assert "  -p " in new
    assert "\nAvailable subcommands:\n" in new

"""Stand-in until the module itself is written; replace the whole file."""

from fake_agy.usage import usage


def help_text(profile):
    return usage(profile.version)

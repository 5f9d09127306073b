"""Stand-in until the module itself is written; replace the whole file."""

from fake_agy.go_json import go_json

__all__ = ["go_json"]

"""Real clients of agy, each in an environment of its own, recorded and replayed."""

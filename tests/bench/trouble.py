"""What keeps the benchmark from measuring at all."""


class BenchError(Exception):
    """Told in one line: what was asked, what was found, what to do."""

"""What a person or another program is told of a cassette: the time line, and the shapes of ``--json``."""

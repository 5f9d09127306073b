"""Stand-in until the module itself is written; replace the whole file."""


def attach(l, c, p):
    return None

"""Stand-in until the module itself is written; replace the whole file."""


def answer(prompt, line, profile, place):
    return None


def answered_locally(word, profile):
    return False

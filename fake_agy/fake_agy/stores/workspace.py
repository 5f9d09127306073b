"""Stand-in until the module itself is written; replace the whole file."""


def trusted(l):
    return ()


def allow_rules(l):
    return ()


def tool_permission(l):
    return "request-review"

"""The calls that are made: most cost nothing, those with a turn are made only where asked for."""

from agy_proxy.contract.call import CONVERSATION, LOG, Call

UNKNOWN_ID = "00000000-0000-4000-8000-00000000dead"
TOLD = "Ada"
PROMPT = f"My parrot is called {TOLD}. Use no tool. Answer with the word OK only."
RECALL = "What did I tell you? Use no tool."
TURN = 180.0
"""Seconds that a turn may take: a model at work takes minutes."""

_WITHOUT_TURN = (
    Call(name="help", argv=("--help",)),
    Call(name="help subcommand", argv=("help",)),
    Call(name="unknown flag", argv=("--no-such-flag",)),
    Call(name="flag without value", argv=("-p",)),
    Call(name="bad boolean", argv=("--sandbox=bogus", "--help")),
    Call(name="bad duration", argv=("--print-timeout", "banana", "--help")),
    Call(name="models", argv=("models",), since=(1, 0, 5), account=True),
    Call(name="models, format behind", argv=("models", "--output-format", "json"), since=(1, 0, 5)),
    Call(
        name="models as json",
        argv=("--output-format", "json", "models"),
        since=(1, 1, 8),
        account=True,
    ),
    Call(name="plugin list", argv=("plugin", "list")),
    # Before these versions they are prompts, and cost a turn.
    Call(name="empty prompt", argv=("--print=",), since=(1, 1, 1), account=True),
    Call(name="swallowed flag", argv=("--print", "--sandbox", "hello"), since=(1, 1, 18)),
    Call(name="stray argument", argv=("--print=hello", "stray"), since=(1, 1, 18)),
)

_WITH_TURN = tuple(
    Call(name=name, argv=argv, since=since, stdin=stdin, turn=True, account=True, follows=follows, limit=TURN)
    for name, argv, since, stdin, follows in (
        ("text turn", ("--log-file", LOG, "-p", PROMPT), (1, 0, 0), None, None),
        (
            "resumed turn",
            ("--log-file", LOG, "--conversation", CONVERSATION, "-p", RECALL),
            (1, 0, 0),
            None,
            "text turn",
        ),
        ("continued turn", ("--log-file", LOG, "--continue", "-p", RECALL), (1, 0, 0), None, "resumed turn"),
        (
            "unknown id",
            ("--log-file", LOG, "--conversation", UNKNOWN_ID, "-p", PROMPT),
            (1, 0, 0),
            None,
            None,
        ),
        ("json turn", ("--output-format", "json", "-p", PROMPT), (1, 1, 8), None, None),
        ("stream turn", ("--output-format", "stream-json", "-p", PROMPT), (1, 1, 8), None, None),
        ("prompt on stdin", (), (1, 1, 1), PROMPT.encode(), None),
        ("unknown model", ("--model", "no-such-model", "-p", PROMPT), (1, 1, 2), None, None),
    )
)

CALLS: tuple[Call, ...] = (*_WITHOUT_TURN, *_WITH_TURN)
"""In the order in which they are made: whether there is an account shows before a turn is tried."""

"""The calls that show what is read from stdin and what json and stream-json are."""

from tests.contract.flips.flip import Call, Flip, says

JSON = ("--output-format", "json", "-p", "hello")
STREAM = ("--output-format", "stream-json", "-p", "hello")
MESSAGE = b'{"event":"user","message":{"role":"user","content":"hello"}}\n'
RUN = ("use_tool", {"name": "run_command", "args": {"CommandLine": "true"}})
WRONG = ("use_tool", {"name": "view_file", "args": {"AbsolutePath": "/x"}, "error": "no such file"})
DONE = ("say", {"text": "Done.\n"})
FAIL = ("fail", {"kind": "server"})
DENY = (("headless-permission", "deny"),)

FLIPS = {
    "auto-print": Flip((Call((), stdin=b"hello"),)),
    "stdin-beside-prompt": Flip((Call(("-p", ""), stdin=b"hello"),)),
    "dash-prompt": Flip((Call(("-p", "-"), stdin=b"hello"),)),
    "prompt-beside-stream-input": Flip(
        (Call((*STREAM[:2], "--input-format", "stream-json", "-p", "first"), stdin=MESSAGE),)
    ),
    "init-order": says(*STREAM),
    "model-in-init": says(*STREAM),
    "search-tools": says(*STREAM),
    "error-message-steps": Flip((Call(STREAM),), turns=((FAIL,),)),
    "tool-error-status": Flip((Call(JSON),), turns=((WRONG, DONE),)),
    "tool-error-exit": Flip(
        (Call(("-p", "hello")),), turns=((WRONG, DONE),), switches=(("tool-error-status", "ERROR"),)
    ),
    "denied-without-text": Flip((Call(JSON),), turns=((RUN,),), switches=DENY),
    "denied-step": Flip((Call(STREAM),), turns=((RUN, DONE),), switches=DENY),
    "denied-actions": Flip((Call(JSON),), turns=((RUN, DONE),), switches=DENY),
    "subagent-steps": Flip(
        (Call(STREAM),), turns=((("subagent", {"prompt": "look", "answer": "ok"}), DONE),)
    ),
    "partial-response": Flip((Call(JSON),), turns=((DONE, FAIL),)),
    "exit-lag": says("-p", "hello"),
}

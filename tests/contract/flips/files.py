"""The calls that show what the files of a store hold."""

from tests.contract.flips.flip import Call, Flip, says

SKIP = "--dangerously-skip-permissions"
RUN = ("use_tool", {"name": "run_command", "args": {"CommandLine": "echo ran"}})
WRONG = ("use_tool", {"name": "view_file", "args": {"AbsolutePath": "/x"}, "error": "no such file"})
DONE = ("say", {"text": "Done.\n"})

FLIPS = {
    "chunks": says("-p", "hello"),
    "result-types": Flip((Call((SKIP, "-p", "hello")),), turns=((RUN, DONE),)),
    "command-result": Flip((Call((SKIP, "-p", "hello")),), turns=((RUN, DONE),)),
    "failed-step-rows": Flip((Call((SKIP, "-p", "hello")),), turns=((WRONG, DONE),)),
    "presence": says("-p", "hello"),
    "default-project": says("-p", "hello"),
    "restart-message": Flip((Call(("-p", "hello")), Call(("--conversation", "{id}", "-p", "again")))),
}

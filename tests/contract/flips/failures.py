"""The calls that show how failures of the API, the account, time and signals end."""

import signal

from fake_agy.turns.moves import PlainMove
from tests.contract.flips.flip import Call, Flip, says

JSON = ("--output-format", "json", "-p", "hello")
STREAM = ("--output-format", "stream-json")
IN = (*STREAM, "--input-format", "stream-json")
MESSAGE = b'{"event":"user","message":{"role":"user","content":"hello"}}\n'
BEGUN = ("say", {"text": "Begun.\n"})
DONE = ("say", {"text": "Done.\n"})
SERVER, QUOTA = ("fail", {"kind": "server"}), ("fail", {"kind": "quota"})
HANG: PlainMove = ("hang", {})

FLIPS = {
    "account": says("-p", "hello"),
    "api-failure": Flip((Call(("-p", "hello")),), turns=((SERVER,),)),
    "partial-failure-exit": Flip(
        (Call(("-p", "hello")),), turns=((BEGUN, SERVER),), switches=(("api-failure", "agy-error"),)
    ),
    "error-marker": Flip((Call(("-p", "hello")),), turns=((SERVER,),), switches=(("api-failure", "error"),)),
    "api-attempts": Flip((Call(("-p", "hello")),), turns=((SERVER,),)),
    "quota-attempts": Flip((Call(("-p", "hello")),), turns=((QUOTA,),)),
    "content-filter": Flip((Call(("-p", "hello")),), turns=((("fail", {"kind": "content-filter"}),),)),
    "dropped-stream": Flip((Call(("-p", "hello")),), turns=((("fail", {"kind": "dropped-stream"}),),)),
    "sign-in": Flip((Call(("-p", "hello"), stdin=b""),), switches=(("account", "signed-out"),)),
    "print-timeout": Flip((Call(("-p", "hello")),), turns=((("wait", {"seconds": 400}), DONE),)),
    "zero-timeout": Flip((Call(("--print-timeout", "0", "-p", "hello")),)),
    "timeout-contract": Flip(
        (Call(("--print-timeout", "20s", "-p", "hello")),),
        turns=((BEGUN, ("wait", {"seconds": 60}), DONE),),
    ),
    "interrupted-turn": Flip((Call(("-p", "hello"), signal=signal.SIGTERM),), turns=((HANG,),)),
    "interrupted-stream": Flip(
        (Call(IN, stdin=MESSAGE, signal=signal.SIGINT, after=b'"user_input"'),), turns=((HANG,),)
    ),
    "failed-stream-turn": Flip((Call(IN, stdin=MESSAGE * 2),), turns=((QUOTA,),)),
    "schema-root": Flip((Call(("--json-schema", "string", *JSON)),)),
}

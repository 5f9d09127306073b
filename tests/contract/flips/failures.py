"""The calls that show how failures of the API, the account, time and signals end."""

import signal

from fake_agy.turns.moves import PlainMove
from tests.contract.flips.flip import Call, Flip, says
from tests.support.double import Double

JSON = ("--output-format", "json", "-p", "hello")
STREAM = ("--output-format", "stream-json")
IN = (*STREAM, "--input-format", "stream-json")
MESSAGE = b'{"event":"user","message":{"role":"user","content":"hello"}}\n'
BEGUN = ("say", {"text": "Begun.\n"})
DONE = ("say", {"text": "Done.\n"})
SERVER, QUOTA = ("fail", {"kind": "server"}), ("fail", {"kind": "quota"})
CREDITS = ("fail", {"kind": "credits"})
DROPPED = ("fail", {"kind": "dropped-stream"})
HANG: PlainMove = ("hang", {})
SIGNED_OUT = (("account", "signed-out"),)


def use_a_key(double: Double) -> None:
    """Has the settings name the API that a key is for."""
    double.root.mkdir(parents=True)
    (double.root / "settings.json").write_text('{"modelProvider":"gemini"}')


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
    "dropped-stream": Flip((Call(("-p", "hello")), Call(JSON)), turns=((DROPPED,), (DROPPED,))),
    "credits-failure": Flip(
        (Call(("-p", "hello")),), turns=((CREDITS,),), switches=(("api-failure", "error"),)
    ),
    "sign-in": Flip((Call(("-p", "hello")),), switches=SIGNED_OUT),
    "pipe-sign-in": Flip((Call(("-p", "hello"), stdin=b""),), switches=SIGNED_OUT),
    "signed-out-init": Flip((Call((*STREAM, "-p", "hello")),), switches=SIGNED_OUT),
    "api-key": Flip(
        (Call(("-p", "hello"), env=(("GEMINI_API_KEY", "key"),)),), switches=SIGNED_OUT, prepare=use_a_key
    ),
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

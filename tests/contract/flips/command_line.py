"""The calls that show how command lines are read."""

from tests.contract.flips.flip import Call, Flip, says

FLIPS = {
    "swallowed-flag": says("--print", "--sandbox", "hello"),
    "stray-argument": says("-p", "hello", "stray"),
    "positional-prompt": says("hello"),
    "unknown-model": says("--model", "no-such-model", "-p", "hello"),
    "models-form": says("models"),
    "models-progress": says("models"),
    "slash-commands": Flip((Call(("-p", "/usage")), Call(("-p", "/help")))),
}

"""The calls that show how command lines are read and what they may ask for."""

from tests.contract.flips.flip import Call, Flip, says

STREAM = ("--output-format", "stream-json")
LABEL = "Gemini 3.1 Pro (Low)"

FLIPS = {
    "swallowed-flag": says("--print", "--sandbox", "hello"),
    "stray-argument": says("-p", "hello", "stray"),
    "positional-prompt": says("hello"),
    "version-flag": says("--version"),
    "remote-control-flag": Flip((Call(("--remote-control", "--version")), Call(("--help",)))),
    "print-and-interactive": says("-i", "first", "-p", "hello"),
    "unknown-agent": says("--agent", "nobody", "-p", "hello"),
    "unknown-model": says("--model", "no-such-model", "-p", "hello"),
    "model-by-slug": says("--model", "gemini-3.1-pro-low", "-p", "hello"),
    "model-in-print": says("--model", LABEL, "-p", "hello"),
    "efforts": says("--effort", "bogus", "-p", "hello"),
    "selection-error": says(*STREAM, "--model", "no-such-model", "-p", "hello"),
}

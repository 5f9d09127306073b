"""The calls that show what subcommands and slash commands answer."""

from tests.contract.flips.flip import Call, Flip, says

STREAM = ("--output-format", "stream-json")
ANSWERED = (("slash-commands", "more"),)

FLIPS = {
    "catalogue": says("models"),
    "models-form": says("models"),
    "models-progress": says("models"),
    "subcommand-stdin": Flip((Call(("changelog",), open_stdin=True),)),
    "agentapi": says("agentapi", "get-conversation-metadata", "none"),
    "slash-commands": Flip(
        (Call(("-p", "/usage")), Call(("-p", "/help")), Call((*STREAM, "-p", "/goal tidy up")))
    ),
    "usage-times": Flip((Call(("-p", "/usage"), env=(("TZ", "JST-9"),)),), switches=ANSWERED),
    "credits": Flip((Call(("-p", "/credits")),), switches=ANSWERED),
}

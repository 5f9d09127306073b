"""Saves journals to a cassette as long as calls are made, and says what went wrong, if anything did."""

import sys
import time
from pathlib import Path

from agy_cassettes.redact.records import redact_interaction
from agy_cassettes.redact.redactor import Redactor
from agy_proxy.record.finish import Target, finish_run
from agy_proxy.record.journal import list_journals

journals, cassette, state, over = map(Path, sys.argv[1:])
redactor = Redactor()
target = Target(
    cassette=cassette,
    state=state,
    redact=lambda interaction, placeholders: redact_interaction(interaction, redactor, placeholders),
    ask_version=lambda _: None,
)
errors: tuple[str, ...] = ()
print("ready", flush=True)
while not errors:
    last = over.exists()
    errors = finish_run(journals, target).errors
    if last and not list_journals(journals):
        break
    time.sleep(0.01)
print(*errors, sep="\n", end="")

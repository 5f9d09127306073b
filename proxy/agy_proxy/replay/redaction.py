"""Live requests are redacted before they are matched, as recorded ones were before they were saved."""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from agy_cassettes.call import parse_call
from agy_cassettes.redact.names import facts_of
from agy_cassettes.redact.own import load_redactors
from agy_cassettes.redact.redactor import Redactor
from agy_cassettes.request_view import RequestView


def live_redactor(settings: Mapping[str, Any], env: Mapping[str, str], hostname: str) -> Redactor:
    """The redactor of a replay: the default rules, this machine's names, and those of ``redactors``.

    Raises UserError where the user's file can't be loaded.
    """
    own = settings.get("redactors")
    return Redactor(facts_of(env, hostname), () if own is None else load_redactors(Path(os.fsdecode(own))))


def redacted(view: RequestView, redactor: Redactor) -> RequestView:
    """A live request with a placeholder, without a number that means anything, for each secret."""
    argv = tuple(_text(word) for word in redactor.redact_words(view.argv))
    return replace(
        view,
        call=parse_call(argv),
        argv=argv,
        prompt=None if view.prompt is None else redactor.redact_text(view.prompt),
        stdin=None if view.stdin is None else redactor.redact_text(view.stdin),
        cwd=redactor.redact_text(view.cwd),
    )


def _text(word: str | bytes) -> str:
    return word if isinstance(word, str) else word.decode("utf-8", "surrogateescape")

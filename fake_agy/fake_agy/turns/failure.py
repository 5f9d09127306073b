"""How a failing call of the model's API ends a turn (contract.md 2.4, 2.5, 2.8)."""

from __future__ import annotations

from fake_agy.go.json import go_json
from fake_agy.turns.ending import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from fake_agy.go.json import Json
    from fake_agy.profile.resolve import Profile
else:
    from fake_agy.record import NamedTuple


class Trouble(NamedTuple):
    """What the API answers: the canonical status, the code and its kind, whether it is worth a retry."""

    status: str
    code: int
    code_kind: str
    retryable: bool
    text: str

    @property
    def prefixed(self) -> str:
        """The text with status and code in front."""
        return f"{self.status} (code {self.code}): {self.text}"


TROUBLES = {
    "quota": Trouble(
        "RESOURCE_EXHAUSTED",
        429,
        "http",
        True,  # noqa: FBT003 - a record's field
        "Individual quota reached. Please upgrade your subscription to increase your limits. "
        "Resets in 120h9m43s.",
    ),
    "capacity": Trouble("UNAVAILABLE", 503, "http", True, "The model is overloaded."),  # noqa: FBT003 - as above
    "server": Trouble("INTERNAL", 500, "http", True, "Internal error encountered."),  # noqa: FBT003 - as above
    "location": Trouble(
        "FAILED_PRECONDITION",
        400,
        "http",
        False,  # noqa: FBT003 - as above
        "User location is not supported for the API use.",
    ),
    "credits": Trouble(
        "RESOURCE_EXHAUSTED",
        429,
        "http",
        False,  # noqa: FBT003 - as above
        "Your AI credits balance is too low to continue.",
    ),
    "network": Trouble("UNAVAILABLE", 14, "grpc", True, "connection error: unexpected EOF"),  # noqa: FBT003 - as above
}
CUT = ("content-filter", "dropped-stream")
"""Failures that are no answer of the API."""

KINDS = (*TROUBLES, *CUT)
_FILTERED = "The response was stopped by the content filter."
_DROPPED = "agent state stream was dropped"


def failing(kind: str, text: str | None, profile: Profile, *, attempts: int, partial: bool) -> Ending:
    """End a turn whose model failed after so many attempts; `partial` where it had said something before.

    `ValueError` for a kind that there isn't.
    """
    if kind in CUT:
        return _cut(kind, text, profile)
    if kind not in TROUBLES:
        raise ValueError(f"no failure is named {kind!r}; there are {', '.join(KINDS)}")
    trouble = TROUBLES[kind]
    if text is not None:
        trouble = trouble._replace(text=text)
    log = (("E", "executor.go:412", f"agent executor error: {trouble.prefixed}"),)
    contract = profile["api-failure"]
    if contract == "silent":
        return Ending(log=log)
    if contract == "agy-error":
        late = partial and profile["partial-failure-exit"] == 1
        return Ending(
            1 if late else 3,
            "ERROR",
            _error(trouble, attempts),
            err=f"{profile['error-marker']}: {trouble.prefixed}\n{agy_error(trouble)}",
            log=log,
        )
    return Ending(
        1, "ERROR", _error(trouble, attempts), err=f"{profile['error-marker']}: {trouble.prefixed}\n", log=log
    )


def attempts_of(kind: str, profile: Profile) -> int:
    """Say how often the API is called before the turn fails."""
    if kind not in TROUBLES or not TROUBLES[kind].retryable:
        return 1
    return int(profile["quota-attempts" if kind == "quota" else "api-attempts"])


def error_step_text(kind: str, text: str | None, retries_left: int) -> str:
    """Write what the step of one failed attempt says."""
    said = text if text is not None or kind in CUT else TROUBLES[kind].text
    status = "" if kind in CUT else f"{TROUBLES[kind].status} (code {TROUBLES[kind].code}): "
    return f"Error: {status}{said}\n\nGuidance: try again later.\nRetries remaining: {retries_left}."


def agy_error(trouble: Trouble) -> str:
    """Write the line of JSON on stderr that says what failed (contract.md 2.4)."""
    fields: dict[str, Json] = {
        "status": trouble.status,
        "error_code": trouble.code,
        "code_kind": trouble.code_kind,
        "retryable": trouble.retryable,
        "short_error": trouble.prefixed,
    }
    return f"AGY_ERROR: {go_json(fields)}\n"


def _error(trouble: Trouble, attempts: int) -> str:
    """Write the error of the result: the bare text, or what the last of several attempts said."""
    return trouble.text if attempts == 1 else f"API error (attempt {attempts}): {trouble.prefixed}"


def _cut(kind: str, text: str | None, profile: Profile) -> Ending:
    said = text or (_FILTERED if kind == "content-filter" else _DROPPED)
    log = (("W", "stream.go:377", said),)
    if kind == "content-filter":
        told = profile["content-filter"] == "told"
        return Ending(err=f"{profile['error-marker']}: {said}\n" if told else "", log=log)
    if profile["dropped-stream"] == "silent":
        return Ending(log=log)
    return Ending(1, "ERROR", said, err=f"{profile['error-marker']}: {said}\n", log=log)

"""What clients of agy look for in its output to decide about retries and fresh starts.

Our own messages on a call's stderr have to contain none of it: a client would take a miss in a cassette for a
lost conversation, a used-up quota or a passing failure, and go on instead of failing.
"""

import re

ALARMS = (
    # A conversation or session that is gone.
    r"\bconversation\b",
    r"\bsession\b",
    r"\bnot[ _-]?found\b",
    r"\bresum",
    r"\binvalid\b",
    r"\bunknown\b",
    r"\bno such\b",
    # Quota, rate and capacity.
    r"quota",
    r"\brate[ _-]?limit",
    r"exhausted",
    r"429",
    r"\btoo many\b",
    r"capacity",
    r"credits?\b",
    r"\boverloaded\b",
    r"\b50[0-9]\b",
    # What is tried again.
    r"\bretr(?:y|ies|ying)\b",
    r"\btry again\b",
    r"\btransient\b",
    r"time[ds]?[ _-]?out",
    r"\btemporar",
    r"\bunavailable\b",
    # Sign-in, permissions and arguments.
    r"auth",
    r"\blog(?:ged)? ?in(?:to)?\b",
    r"\bsign(?:ed)?[ -]in\b",
    r"https?://",
    r"\bpermission\b",
    r"denied",
    r"\bflags?\b",
    r"\bempty prompt\b",
    r"\bunexpected argument\b",
    # agy's own line starts and log texts.
    r"^\s*(?:warning|error|jetski|AGY_ERROR|\[agy\])",
    r"\bwarning:",
    r"\berror:",
    r"\bterminat",
    r"\bno output\b",
    r"PlannerResponse",
    r"Drip stopped",
    r"Print mode",
    r"hooks",
)
"""Regular expressions, in any case: wider than what any single client matches."""

_ALARM = re.compile("|".join(ALARMS), re.IGNORECASE | re.MULTILINE)


def alarming(text: str) -> bool:
    """Return whether some client may take the text for a message of agy's."""
    return _ALARM.search(text) is not None

"""What is read out of an answer: short values that two agys can be compared by.

Every reader takes an answer, or two, and gives text, a number, a truth or a list of texts; ids, times and
the model's words never are in it. What is looked for and not there is told as text: that can differ too.
"""

import itertools
import json
import re
from collections.abc import Callable
from typing import Any

from agy_proxy.contract.call import Answer, logged_conversation
from agy_proxy.contract.calls import TOLD, UNKNOWN_ID

Value = str | int | bool | list[str]
Reader = Callable[[Answer], Value]

NO_JSON = "no JSON object"
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_ROW = re.compile(r"^  (\S+)(?:\s+(.*))?$")
_LABEL = re.compile(r".* \S+")
_SLUG = re.compile(r"[a-z0-9.-]+")


def exit_status(answer: Answer) -> Value:
    """The exit status."""
    return answer.exit


def streams(answer: Answer) -> Value:
    """Which streams got anything."""
    said = [name for name, text in (("stdout", answer.out), ("stderr", answer.err)) if text]
    return " and ".join(said) or "neither"


def message(answer: Answer) -> Value:
    """The lines of a refusal without the usage text behind them, each with its stream."""
    lines = []
    for name, text in (("stdout", answer.out), ("stderr", answer.err)):
        said = text.partition("Usage of ")[0]
        lines += [f"{name}: {line}" for line in said.splitlines() if line]
    return lines


def usage_follows(answer: Answer) -> Value:
    """Whether the usage text comes with it."""
    return "Usage of agy:" in answer.out + answer.err


def version_form(answer: Answer) -> Value:
    """What stands around the version's number."""
    said = re.sub(r"\d+\.\d+\.\d+", "N.N.N", answer.out)
    return f"{said!r} on {streams(answer)}"


def help_flags(answer: Answer) -> Value:
    """The flags that the help lists, without their hyphens."""
    return sorted({name.lstrip("-") for name, _ in _help_rows(answer) if name.startswith("-")})


def help_subcommands(answer: Answer) -> Value:
    """The subcommands that it lists."""
    return sorted({name for name, _ in _help_rows(answer) if not name.startswith("-")})


def help_descriptions(answer: Answer) -> Value:
    """What it says of each of them."""
    return sorted(f"{name} {about}".rstrip() for name, about in _help_rows(answer))


def models_form(answer: Answer) -> Value:
    """How a line of the model list is made: labels, slugs, or both with a tab between."""
    lines = _models(answer)
    if not lines:
        return "no models"
    if all("\t" in line for line in lines):
        return "slugs-and-labels"
    if all(_SLUG.fullmatch(line) for line in lines):
        return "slugs"
    return "labels" if any(_LABEL.fullmatch(line) for line in lines) else "another"


def models_listed(answer: Answer) -> Value:
    """The models, in order."""
    return _models(answer)


def progress_stream(answer: Answer) -> Value:
    """The stream on which it is said that models are fetched."""
    line = "Fetching available models..."
    return "stdout" if line in answer.out else "stderr" if line in answer.err else "neither"


def object_keys(answer: Answer) -> Value:
    """The keys of the JSON object on stdout, in order, those of objects in it after a point."""
    found = _object(answer.out)
    return [NO_JSON] if found is None else _keys(found)


def status_word(answer: Answer) -> Value:
    """The `status` of the JSON object."""
    found = _object(answer.out)
    return NO_JSON if found is None else str(found.get("status"))


def answers_in_text(answer: Answer) -> Value:
    """What is on stdout beside the words of the answer."""
    if not answer.out:
        return "nothing"
    return "text and a newline" if answer.out.endswith("\n") else "text without a newline"


def log_tells_conversation(answer: Answer) -> Value:
    """Whether the log has the line that clients take the conversation's id from."""
    return "Print mode: conversation=" in answer.log


def same_conversation(answer: Answer, earlier: Answer) -> Value:
    """Whether both calls were of one conversation, by their logs."""
    return logged_conversation(answer) == logged_conversation(earlier)


def recalls(answer: Answer) -> Value:
    """Whether the answer has what an earlier turn was told."""
    return TOLD in answer.out


def repeats(answer: Answer, earlier: Answer) -> Value:
    """Whether the earlier answer is printed again in front of the new one."""
    return bool(earlier.out) and answer.out != earlier.out and answer.out.startswith(earlier.out)


def not_found_warning(answer: Answer) -> Value:
    """The words and the stream of the warning, with the id left out."""
    for name, text in (("stdout", answer.out), ("stderr", answer.err), ("log", answer.log)):
        for line in text.splitlines():
            if "not found" in line and UNKNOWN_ID in line:
                said = line[line.lower().find("warning:") :] if "warning:" in line.lower() else line
                return f"{name}: {said.replace(UNKNOWN_ID, 'ID')}"
    return "none"


def new_conversation(answer: Answer) -> Value:
    """Whether an id that agy chose came in place of the one asked for."""
    found = logged_conversation(answer)
    if found is None:
        return "the log names no conversation"
    return found != UNKNOWN_ID


def event_kinds(answer: Answer) -> Value:
    """The events of a stream in order, repeats of the last one left out."""
    return [kind for kind, _ in itertools.groupby(str(each.get("event")) for each in _events(answer))]


def step_types(answer: Answer) -> Value:
    """The types of its steps in order, repeats left out."""
    steps = [each["step_update"] for each in _events(answer) if isinstance(each.get("step_update"), dict)]
    return [kind for kind, _ in itertools.groupby(str(step.get("step_type")) for step in steps)]


def init_keys(answer: Answer) -> Value:
    """The keys of the first event, in order."""
    return _first_keys(answer, "init")


def result_keys(answer: Answer) -> Value:
    """The keys of the last event, in order."""
    return _first_keys(answer, "result")


def step_keys(answer: Answer) -> Value:
    """The keys of the last step of the answer, in order."""
    steps = [
        each
        for each in _events(answer)
        if isinstance(each.get("step_update"), dict)
        and each["step_update"].get("step_type") == "agent_response"
        and each["step_update"].get("state") == "DONE"
    ]
    return [key for key in _keys(steps[-1]) if key != "step_update.text_delta"] if steps else ["no such step"]


def id_form(answer: Answer) -> Value:
    """Whether the conversation's id is a version 4 UUID in lower case."""
    found = _object(answer.out)
    given = "" if found is None else str(found.get("conversation_id"))
    return "uuid4" if _UUID.fullmatch(given) else "another" if given else "none"


def refusal_of_model(answer: Answer) -> Value:
    """How a model that there isn't is answered, without the list of those that there are."""
    for name, text in (("stdout", answer.out), ("stderr", answer.err)):
        for line in text.splitlines():
            if "no-such-model" in line:
                return f"{name}: {line}"
    return "it answers" if answer.exit == 0 else "no message names it"


def _help_rows(answer: Answer) -> list[tuple[str, str]]:
    rows = (_ROW.match(line) for line in (answer.out or answer.err).splitlines())
    return [(row[1], " ".join((row[2] or "").split())) for row in rows if row]


def _models(answer: Answer) -> list[str]:
    return [line for line in answer.out.splitlines() if line and not line.startswith("Fetching")]


def _object(text: str) -> dict[str, Any] | None:
    """The text as an object, or its last line: early versions have a progress line in front."""
    for part in (text, text.rstrip("\n").rpartition("\n")[2]):
        try:
            found = json.loads(part)
        except ValueError:
            continue
        return found if isinstance(found, dict) else None
    return None


def _events(answer: Answer) -> list[dict[str, Any]]:
    found = (_object(line) for line in answer.out.splitlines())
    return [each for each in found if each is not None]


def _keys(found: dict[str, Any], before: str = "") -> list[str]:
    keys: list[str] = []
    for key, value in found.items():
        keys.append(before + key)
        if isinstance(value, dict):
            keys += _keys(value, f"{before}{key}.")
    return keys


def _first_keys(answer: Answer, kind: str) -> list[str]:
    for each in _events(answer):
        if each.get("event") == kind:
            return _keys(each)
    return [f"no {kind}"]

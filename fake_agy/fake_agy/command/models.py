"""The models: how they are listed and chosen (contract.md 1.3, 1.6)."""

from __future__ import annotations

from fake_agy.turns.ending import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from fake_agy.profile.resolve import Profile
else:
    from fake_agy.record import NamedTuple

MODELS: tuple[tuple[str, str], ...] = (
    ("gemini-3.8-flash-low", "Gemini 3.8 Flash (Low)"),
    ("gemini-3.8-flash-medium", "Gemini 3.8 Flash (Medium)"),
    ("gemini-3.8-flash-high", "Gemini 3.8 Flash (High)"),
    ("gemini-3.6-flash-low", "Gemini 3.6 Flash (Low)"),
    ("gemini-3.6-flash-medium", "Gemini 3.6 Flash (Medium)"),
    ("gemini-3.6-flash-high", "Gemini 3.6 Flash (High)"),
    ("gemini-3.5-flash-medium", "Gemini 3.5 Flash (Medium)"),
    ("gemini-3.1-pro-low", "Gemini 3.1 Pro (Low)"),
    ("gemini-3.1-pro-high", "Gemini 3.1 Pro (High)"),
    ("claude-sonnet-4-6", "Claude Sonnet 4.6"),
    ("claude-opus-4-6-thinking", "Claude Opus 4.6 (Thinking)"),
    ("gpt-oss-120b-medium", "GPT-OSS 120B (Medium)"),
)
DEFAULT = "gemini-3.1-pro-high"
EFFORTS = ("low", "medium", "high")


class Chosen(NamedTuple):
    """The model of a call, and a warning for stderr."""

    slug: str
    label: str
    warning: str = ""


def listing(profile: Profile) -> str:
    """Write what ``agy models`` prints on stdout: labels, slugs, or both with a tab between."""
    form = profile["models-form"]
    if form == "labels":
        return "".join([f"{label}\n" for _, label in MODELS])
    if form == "slugs":
        return "".join([f"{slug}\n" for slug, _ in MODELS])
    return "".join([f"{slug}\t{label}\n" for slug, label in MODELS])


def label_of(model: str) -> str:
    """Give the name shown to people of a slug; an unknown one keeps its name."""
    return dict(MODELS).get(model, model) or dict(MODELS)[DEFAULT]


def choose(model: str, effort: str | None, profile: Profile) -> Chosen | Ending:
    """Choose the model of ``--model`` and ``--effort``, or say what is wrong with them."""
    slug = {label: slug for slug, label in MODELS}.get(model, model) or DEFAULT
    labels = dict(MODELS)
    if slug not in labels:
        if profile["unknown-model"] == "falls-back":
            return Chosen(DEFAULT, labels[DEFAULT])
        return _unknown(model)
    if effort is None:
        return Chosen(slug, labels[slug])
    marker = profile["error-marker"]
    asked = f'invalid model selection (--model "{model}" --effort "{effort}")'
    if effort not in EFFORTS:
        text = f'{asked}: invalid --effort "{effort}" (valid: low, medium, high)'
        return Ending(1, "ERROR", text, err=f"{marker}: {text}\n")
    base, _, own = slug.rpartition("-")
    if own not in EFFORTS:
        text = f'{asked}: --effort is not supported for model "{slug}"'
        return Ending(1, "ERROR", text, err=f"{marker}: {text}\n")
    if model and own != effort:
        text = f"{asked}: --model {model} conflicts with --effort={effort}"
        return Ending(1, "ERROR", text, err=f"{marker}: {text}\n")
    wanted = f"{base}-{effort}"
    return Chosen(wanted, labels[wanted]) if wanted in labels else Chosen(slug, labels[slug])


def _unknown(model: str) -> Ending:
    names = "".join([f"  {slug}\n" for slug, _ in MODELS])
    text = f'invalid --model "{model}": "{model}" is not recognized as a known model'
    return Ending(1, "ERROR", text, err=f"Error: {text}\nAvailable models:\n{names}")

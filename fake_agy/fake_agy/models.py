"""The models the double lists, in the three forms agy has used (contract.md 1.3)."""

from fake_agy.version import Version

MODELS: tuple[tuple[str, str], ...] = (
    ("gemini-3.8-flash-low", "Gemini 3.8 Flash (Low)"),
    ("gemini-3.8-flash-medium", "Gemini 3.8 Flash (Medium)"),
    ("gemini-3.8-flash-high", "Gemini 3.8 Flash (High)"),
    ("gemini-3.1-pro-low", "Gemini 3.1 Pro (Low)"),
    ("gemini-3.1-pro-high", "Gemini 3.1 Pro (High)"),
    ("claude-sonnet-4-6", "Claude Sonnet 4.6"),
)

DEFAULT_LABEL = "Gemini 3.1 Pro (High)"


def listing(version: Version) -> str:
    """Write what ``agy models`` prints on stdout: labels, slugs, or both with a tab between."""
    if version < (1, 1, 5):
        return "".join(f"{label}\n" for _, label in MODELS)
    if version < (1, 1, 11):
        return "".join(f"{slug}\n" for slug, _ in MODELS)
    return "".join(f"{slug}\t{label}\n" for slug, label in MODELS)


def label_of(model: str) -> str:
    """Give the name shown to people for what ``--model`` said; an unknown one keeps its name."""
    return dict(MODELS).get(model, model) or DEFAULT_LABEL

"""The models: which there are, how they are listed and chosen (contract.md 1.3, 1.6)."""

from __future__ import annotations

from fake_agy.turns.ending import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from fake_agy.profile.resolve import Profile
else:
    from fake_agy.record import NamedTuple


class Model(NamedTuple):
    """A model that can be asked for; one without an effort of its own takes none."""

    slug: str
    label: str
    effort: str | None = None

    @property
    def family(self) -> str:
        """The slug without its effort."""
        return self.slug if self.effort is None else self.slug.removesuffix(f"-{self.effort}")


class Chosen(NamedTuple):
    """The model of a call, and a warning for stderr."""

    slug: str
    label: str
    warning: str = ""


def _efforts(slug: str, label: str, *efforts: str) -> tuple[Model, ...]:
    return tuple([Model(f"{slug}-{each}", f"{label} ({each.capitalize()})", each) for each in efforts])


EFFORTS = ("low", "medium", "high")
MORE_EFFORTS = (*EFFORTS, "xhigh", "max")

_PRO = _efforts("gemini-3.1-pro", "Gemini 3.1 Pro", "low", "high")
_FLASH = (
    *_efforts("gemini-3.6-flash", "Gemini 3.6 Flash", *EFFORTS),
    *_efforts("gemini-3.5-flash", "Gemini 3.5 Flash", *EFFORTS),
)
_NEW_FLASH = _efforts("gemini-3.8-flash", "Gemini 3.8 Flash", *EFFORTS)
_SONNET = Model("claude-sonnet-4-6", "Claude Sonnet 4.6")
_OPUS = Model("claude-opus-4-6", "Claude Opus 4.6")
_THINKING = Model("claude-opus-4-6-thinking", "Claude Opus 4.6 (Thinking)")
_OSS = Model("gpt-oss-120b-medium", "GPT-OSS 120B (Medium)")

CATALOGUES: dict[str, tuple[Model, ...]] = {
    "gemini-3.6": (*_FLASH, *_PRO, _SONNET, _OPUS, _OSS),
    "gemini-3.8": (*_NEW_FLASH, *_FLASH, *_PRO, _SONNET, _THINKING, _OSS),
    "claude-5.5": (
        *_NEW_FLASH,
        *_PRO,
        *_efforts("claude-opus-5-5", "Claude Opus 5.5", *MORE_EFFORTS),
        *_efforts("claude-sonnet-5-5", "Claude Sonnet 5.5", *EFFORTS),
        _OSS,
    ),
}
"""The models there are, by the newest among them; captures name some of each, the rest is made up."""

DEFAULT = _PRO[-1]


def catalogue(profile: Profile) -> tuple[Model, ...]:
    """Give the models that can be asked for."""
    return CATALOGUES[str(profile["catalogue"])]


def listing(profile: Profile) -> str:
    """Write the lines of ``agy models``: labels, slugs, or both with a tab between."""
    form, models = profile["models-form"], catalogue(profile)
    if form == "labels":
        return "".join([f"{each.label}\n" for each in models])
    if form == "slugs":
        return "".join([f"{each.slug}\n" for each in models])
    return "".join([f"{each.slug}\t{each.label}\n" for each in models])


def label_of(slug: str) -> str:
    """Give the name shown to people; an unknown slug keeps its name, and no slug is the default."""
    if not slug:
        return DEFAULT.label
    for models in CATALOGUES.values():
        for each in models:
            if each.slug == slug:
                return each.label
    return slug


def choose(model: str, effort: str | None, profile: Profile, output_format: str = "text") -> Chosen | Ending:
    """Choose the model of ``--model`` and ``--effort``, or say what is wrong with them.

    Print mode checks both even where the version then goes on with its default.
    """
    named = _named(model, profile)
    if named is None:
        if profile["unknown-model"] == "refused":
            return _refusal(_unknown(model, profile), profile, output_format)
        named = DEFAULT
    wanted = _with_effort(named, model, effort, profile)
    if isinstance(wanted, str):
        asked = f'invalid model selection (--model "{model}" --effort "{effort}")'
        return _refusal(f"{asked}: {wanted}", profile, output_format)
    counted = wanted if profile["model-in-print"] else DEFAULT
    return Chosen(counted.slug, counted.label)


def choose_on_screen(model: str, effort: str | None, profile: Profile) -> Chosen:
    """Choose for a terminal session, which goes on with the default and warns (contract.md 1.6)."""
    named = _named(model, profile)
    wanted = "" if named is None else _with_effort(named, model, effort, profile)
    if isinstance(wanted, str):
        why = wanted or f'"{model}" is not recognized as a known model'
        return Chosen(DEFAULT.slug, DEFAULT.label, f"warning: {why}; using {DEFAULT.label}\n")
    return Chosen(wanted.slug, wanted.label)


def _named(model: str, profile: Profile) -> Model | None:
    """Find a model by its label or slug; a family's name stands for its highest effort."""
    if not model:
        return DEFAULT
    models = catalogue(profile)
    for each in models:
        if model == each.label or (model == each.slug and profile["model-by-slug"]):
            return each
    kin = [each for each in models if each.family == model and profile["model-by-slug"]]
    return kin[-1] if kin else None


def _with_effort(named: Model, model: str, effort: str | None, profile: Profile) -> Model | str:
    """Give the model with an effort, or what is wrong with that effort."""
    if not effort:
        return named
    known = MORE_EFFORTS if profile["efforts"] == "by-model" else EFFORTS
    if effort not in known:
        return f'invalid --effort "{effort}" (valid: {", ".join(known)})'
    if named.effort is None:
        return f'--effort is not supported for model "{named.slug}"'
    if model in {named.slug, named.label} and effort != named.effort:
        return f"--model {model} conflicts with --effort={effort}"
    kin = {each.effort: each for each in catalogue(profile) if each.family == named.family}
    if effort in kin:
        return kin[effort]
    if effort in EFFORTS:  # any model may be asked for these three; it takes the nearest it has
        return named
    return f'invalid --effort "{effort}" (valid: {", ".join([each for each in known if each in kin])})'


def _unknown(model: str, profile: Profile) -> str:
    names = "".join([f"\n  {line}" for line in listing(profile).splitlines()])
    return f'invalid --model "{model}": it is not recognized as a known model\nAvailable models:{names}'


def _refusal(text: str, profile: Profile, output_format: str) -> Ending:
    """Refuse a call; where the output has results, newer versions leave stderr empty."""
    said = f"{profile['error-marker']}: {text}\n"
    quiet = output_format in {"json", "stream-json"} and profile["selection-error"] == "result"
    return Ending(1, "ERROR", text, err="" if quiet else said)

"""The double's behaviours as people and programs are told of them: of one version, or where two differ."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from agy_proxy.report.lines import Line
from fake_agy.command.flag_table import FLAGS, flags_of
from fake_agy.command.subcommand_table import SUBCOMMANDS, is_subcommand
from fake_agy.profile.resolve import NEWEST_KNOWN, REFERENCE, Profile, as_text, profile_of
from fake_agy.profile.row import Behaviour
from fake_agy.profile.table import TOPICS
from fake_agy.version import Version


class Side(NamedTuple):
    """One of two versions that are compared: its profile, and what its command line knows."""

    profile: Profile
    flags: frozenset[str]
    subcommands: frozenset[str]


def dotted(version: Version | None) -> str | None:
    """The version as it is typed; None for none."""
    return None if version is None else ".".join(map(str, version))


def profile_shape(version: Version) -> dict[str, Any]:
    """The JSON shape of one version's behaviours, flags and subcommands."""
    profile = profile_of(version)
    counted = min(version, NEWEST_KNOWN)
    return {
        "agy": dotted(version),
        "assumed": profile.assumed,
        "newest": dotted(NEWEST_KNOWN),
        "reference": dotted(REFERENCE),
        "behaviours": [_behaviour(topic, each, counted) for topic, each in _behaviours()],
        "flags": [{"name": name, "since": dotted(each.since)} for name, each in flags_of(profile).items()],
        "subcommands": [
            {"name": name, "since": dotted(each.since)}
            for name, each in SUBCOMMANDS.items()
            if is_subcommand(name, profile)
        ],
    }


def difference_shape(a: Version, b: Version) -> dict[str, Any]:
    """The JSON shape of what two versions do otherwise; an unknown one counts as the newest."""
    one, other = _side(a), _side(b)
    return {
        "agy": [dotted(a), dotted(b)],
        "assumed": [one.profile.assumed, other.profile.assumed],
        "behaviours": [
            {
                "name": each.name,
                "topic": topic,
                "about": each.about,
                "a": one.profile[each.name],
                "b": other.profile[each.name],
            }
            for topic, each in _behaviours()
            if one.profile[each.name] != other.profile[each.name]
        ],
        "flags": _only(one.flags, other.flags, FLAGS),
        "subcommands": _only(one.subcommands, other.subcommands, SUBCOMMANDS),
    }


def profile_lines(shape: Mapping[str, Any]) -> Iterator[Line]:
    """What is printed of `profile_shape`."""
    yield (("agy " + shape["agy"], "bold"), _standing(shape))
    topic = None
    for each in shape["behaviours"]:
        if each["topic"] != topic:
            topic = each["topic"]
            yield ()
            yield ((topic, "bold"),)
        until = "" if each["until"] is None else f" until {each['until']}"
        yield (f"  {each['name']} = ", (as_text(each["value"]), "green"), f"  {each['about']}")
        told = f"      since {each['since']}{until}, {each['sure']}, {each['source']}"
        yield ((told, "dim"),)
        others = [as_text(value) for value in each["values"] if value != each["value"]]
        yield ((f"      or by a switch: {', '.join(others)}", "dim"),)
    for name, mark in (("flags", "--"), ("subcommands", "")):
        yield ()
        yield ((name, "bold"),)
        for each in shape[name]:
            yield (f"  {mark}{each['name']}", (f"  since {each['since']}", "dim"))


def difference_lines(shape: Mapping[str, Any]) -> Iterator[Line]:
    """What is printed of `difference_shape`."""
    a, b = shape["agy"]
    for version, assumed in zip((a, b), shape["assumed"], strict=True):
        if assumed:
            yield (f"agy {version} is assumed to behave as {dotted(NEWEST_KNOWN)}, the newest that is known",)
    nothing = True
    for each in shape["behaviours"]:
        nothing = False
        yield (each["name"], (f"  {each['about']}", "dim"))
        yield (f"  {a}: ", (as_text(each["a"]), "green"), f"  {b}: ", (as_text(each["b"]), "green"))
    for name, mark in (("flags", "--"), ("subcommands", "")):
        for each in shape[name]:
            nothing = False
            yield (
                f"{name.removesuffix('s')} {mark}{each['name']}: ",
                (f"only in {a if each['a'] else b}", "green"),
            )
    if nothing:
        yield (f"{a} and {b} behave alike",)


def _standing(shape: Mapping[str, Any]) -> str:
    if shape["assumed"]:
        return f": assumed to behave as {shape['newest']}, the newest that is known"
    if shape["agy"] == shape["reference"]:
        return ": the reference profile, the one captured most fully"
    newest = ", the newest that is known" if shape["agy"] == shape["newest"] else ""
    return f"{newest} (reference profile: {shape['reference']})"


def _behaviours() -> Iterator[tuple[str, Behaviour]]:
    return ((topic, each) for topic, behaviours in TOPICS.items() for each in behaviours)


def _behaviour(topic: str, behaviour: Behaviour, version: Version) -> dict[str, Any]:
    row = behaviour.at(version)
    return {
        "name": behaviour.name,
        "topic": topic,
        "about": behaviour.about,
        "value": row.value,
        "since": dotted(row.since),
        "until": dotted(behaviour.until(row)),
        "sure": row.sure,
        "source": row.source,
        "values": list(behaviour.values),
    }


def _side(version: Version) -> Side:
    profile = profile_of(version)
    subcommands = frozenset(name for name in SUBCOMMANDS if is_subcommand(name, profile))
    return Side(profile, frozenset(flags_of(profile)), subcommands)


def _only(a: frozenset[str], b: frozenset[str], names: Mapping[str, object]) -> list[dict[str, Any]]:
    """The names that only one side has, in the order of their table."""
    return [{"name": name, "a": name in a, "b": name in b} for name in names if (name in a) != (name in b)]

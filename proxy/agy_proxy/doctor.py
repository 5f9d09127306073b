"""What recording and replay need of this machine, looked at piece by piece."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from agy_cassettes.cassette import Cassette
from agy_cassettes.errors import UserError
from agy_cassettes.node import HAS_LIBYAML
from agy_proxy import VERSION
from agy_proxy.record.journal import list_journals
from agy_proxy.shim.install import Install, StateFolder
from agy_proxy.shim.isolated.real import is_shim, read_head
from fake_agy.double import is_double

FEW_INSTANCES = 16
FEW_WATCHES = 1024
"""Below these limits of inotify another program's watches may leave none."""

LITTLE_ROOM = 16 << 20
"""Bytes: with less than that free a long answer, or some calls at once, may not be recorded."""

PATIENCE = 20
"""Seconds that agy gets to tell its version."""

Kind = Literal["real", "shim", "double"]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at: whether it is right, what was `found`, what to `do` where it is not."""

    name: str
    ok: bool
    found: str
    do: str | None = None


def agys_on_path(env: Mapping[str, str]) -> Iterator[tuple[Path, Kind]]:
    """Every executable ``agy`` on PATH in its order, and whose it is."""
    for folder in (env.get("PATH") or os.defpath).split(os.pathsep):
        path = Path(folder or ".") / "agy"
        if path.is_file() and os.access(path, os.X_OK):
            yield path, kind_of(path)


def kind_of(path: Path) -> Kind:
    """Whether a file named ``agy`` is one of our shims, a double, or neither."""
    if is_shim(read_head(os.fsencode(path))):
        return "shim"
    try:
        return "double" if is_double(path) else "real"
    except OSError:
        return "real"


def version_of(agy: Path, env: Mapping[str, str]) -> str | None:
    """What ``agy --version`` prints; None where it prints nothing, fails or takes too long."""
    try:
        ended = subprocess.run(
            [agy, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
            env=dict(env),
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return ended.stdout.decode("utf-8", "replace").strip() or None


def check_real_agy(env: Mapping[str, str]) -> Check:
    """The agy that a recording would call; to have none is no fault, replay and the double need none."""
    real = next((path for path, kind in agys_on_path(env) if kind == "real"), None)
    if real is None:
        return Check("real agy", ok=True, found="none on PATH; recording needs one, replay and fake do not")
    version = version_of(real, env)
    if version is None:
        return Check(
            "real agy", ok=False, found=f"{real} does not tell its version", do=f"run {real} --version"
        )
    return Check("real agy", ok=True, found=f"{real}, version {version}")


def check_shell(env: Mapping[str, str]) -> Check:
    """Which ``agy`` a shell finds first."""
    first = next(iter(agys_on_path(env)), None)
    if first is None:
        return Check("agy in a shell", ok=True, found="none")
    path, kind = first
    whose = {"real": "not ours", "shim": "a shim of ours", "double": "a double"}[kind]
    return Check("agy in a shell", ok=True, found=f"{path}, {whose}")


def check_installs(installs: Sequence[Install]) -> Check:
    """Whether every installed shim is where it was written, by this version, with all that it names."""
    name = "installed shims"
    if not installs:
        return Check(name, ok=True, found="none")
    for install in installs:
        wrong = _wrong_with(install)
        if wrong is not None and not install.removed:
            return Check(
                name, ok=False, found=f"{install.shim} {wrong}", do=f"install into {install.folder} again"
            )
    told = ", ".join(f"{each.shim} ({each.verb})" for each in installs if not each.removed)
    return Check(name, ok=True, found=told or "none")


def check_state(installs: Sequence[Install], places: StateFolder) -> Check:
    """Whether installed shims can write down what they record; where not, they can't say so either."""
    name = "state folder"
    recording = [
        each
        for each in installs
        if each.verb == "record" and not each.removed and "run_pid" not in each.options
    ]
    if not recording:
        return Check(name, ok=True, found="not needed, no installed shim records")
    folders = [folder for each in recording for folder in (places.journals(each.id), places.state(each.id))]
    for folder in folders:
        wrong = _wrong_with_folder(folder)
        if wrong is not None:
            do = f"make {folder} a folder that you can write to, with room; calls meanwhile are not recorded"
            return Check(name, ok=False, found=f"{folder}: {wrong}", do=do)
    return Check(name, ok=True, found=f"{places.base}, can be written to")


def check_journals(installs: Sequence[Install], places: StateFolder) -> Check:
    """Whether installed shims have recorded what is in no cassette yet."""
    name = "journals not synced"
    waiting = {each.folder: len(list_journals(places.journals(each.id))) for each in installs}
    left = {folder: count for folder, count in waiting.items() if count}
    if not left:
        return Check(name, ok=True, found="none")
    told = ", ".join(f"{count} of {folder}" for folder, count in left.items())
    return Check(name, ok=False, found=told, do="run agy-proxy sync")


def check_errors(installs: Sequence[Install], places: StateFolder) -> Check:
    """Whether recording failed somewhere, which a shim says nowhere else."""
    name = "recording trouble"
    for install in installs:
        log = places.errors_log(install.id)
        try:
            last = log.read_text(encoding="utf-8", errors="replace").splitlines()[-1]
        except (OSError, IndexError):
            continue
        return Check(
            name, ok=False, found=f"{install.shim}: {last}", do=f"see {log}, and remove it when done"
        )
    return Check(name, ok=True, found="none")


def check_libyaml() -> Check:
    """Whether PyYAML reads with libyaml."""
    if HAS_LIBYAML:
        return Check("libyaml", ok=True, found="in use")
    return Check(
        "libyaml",
        ok=False,
        found="missing, cassettes load about ten times slower",
        do="install a PyYAML wheel with libyaml: pip install --force-reinstall --only-binary :all: pyyaml",
    )


def check_inotify(limits: Path = Path("/proc/sys/fs/inotify")) -> Check:
    """The limits of inotify, where the system has it."""
    found = {}
    for name, least in (("max_user_instances", FEW_INSTANCES), ("max_user_watches", FEW_WATCHES)):
        try:
            found[name] = (int((limits / name).read_text()), least)
        except (OSError, ValueError):
            return Check("inotify limits", ok=True, found="not known on this system")
    told = ", ".join(f"{name} {value}" for name, (value, _) in found.items())
    low = [f"sysctl fs.inotify.{name}={least}" for name, (value, least) in found.items() if value < least]
    return Check("inotify limits", ok=not low, found=told, do="; ".join(low) or None)


def check_gitattributes(cassettes: Sequence[Path]) -> Check:
    """Whether git keeps from merging these cassettes by lines."""
    name = ".gitattributes"
    if shutil.which("git") is None:
        return Check(name, ok=True, found="no git here")
    merged = []
    for path in cassettes:
        attribute = _merge_attribute(path)
        if attribute is not None and attribute != "unset":
            merged.append(path)
    if not merged:
        return Check(name, ok=True, found="no cassette here that git would merge by lines")
    return Check(
        name,
        ok=False,
        found=f"git would merge {merged[0]} by lines{_more(merged)}",
        do="add the line '*.agy.yaml -merge' to .gitattributes",
    )


def check_redaction(cassettes: Iterable[Path]) -> Check:
    """Whether a record was made with redaction off."""
    off, unreadable = [], []
    for path in cassettes:
        try:
            if any(record.recorded.redaction == "off" for record in Cassette.open(path).records()):
                off.append(path)
        except UserError as wrong:
            unreadable.append(wrong.message)
    if off:
        told = f"{off[0]} holds records made with redaction off{_more(off)}"
        return Check("redaction", ok=False, found=told, do="record again with redaction before sharing it")
    if unreadable:
        told = f"{unreadable[0]}{_more(unreadable)}"
        return Check("redaction", ok=False, found=told, do="run agy-proxy verify on it")
    return Check("redaction", ok=True, found="no record here was made with redaction off")


def cassettes_below(folder: Path, most: int = 1000) -> tuple[Path, ...]:
    """The cassettes in `folder` and its folders, at most so many; hidden folders are left out."""
    found: list[Path] = []
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(
            name for name in folders if not name.startswith(".") and not name.endswith(".yaml.d")
        )
        found += [Path(place) / name for name in sorted(files) if name.endswith(".agy.yaml")]
        if len(found) >= most:
            break
    return tuple(found[:most])


def _wrong_with(install: Install) -> str | None:
    """What keeps an installed shim from working as it was asked to; None where nothing does."""
    if kind_of(install.shim) != "shim":
        return "is gone, or is no shim any more"
    if install.version != VERSION:
        return f"was written by version {install.version}, this is {VERSION}"
    real = install.options.get("real")
    if real is not None and not os.access(real, os.X_OK):
        return f"stands in front of {real}, which can't be executed"
    if install.verb == "replay" and install.cassette is not None and not Path(install.cassette).exists():
        return f"replays {install.cassette}, which is not there"
    return None


def _wrong_with_folder(folder: Path) -> str | None:
    """What keeps a journal from being written there; None where nothing does."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(1 << 16))
            file.flush()
            room = os.fstatvfs(file.fileno())
    except OSError as failed:
        return (failed.strerror or str(failed)).lower()
    free = room.f_bavail * room.f_frsize
    # Some file systems don't tell their size.
    if room.f_blocks and free < LITTLE_ROOM:
        return f"little room left on its disk, {free >> 10} KiB"
    return None


def _merge_attribute(path: Path) -> str | None:
    """What git says of the attribute ``merge``; None where the file is in no work tree."""
    command = ["git", "-C", str(path.parent), "check-attr", "-z", "merge", "--", path.name]
    ended = subprocess.run(command, capture_output=True, check=False)
    parts = ended.stdout.split(b"\0")
    return parts[2].decode("ascii", "replace") if ended.returncode == 0 and len(parts) > 2 else None


def _more(found: Sequence[object]) -> str:
    return f" ({len(found) - 1} more)" if len(found) > 1 else ""

"""The shim's code, compiled for one interpreter: a main script is compiled at every start, a bundle never."""

import ast
import functools
import hashlib
import importlib.util
import marshal
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import CodeType

import agy_cassettes
import agy_proxy

LOADER = "agy_proxy.shim.isolated.loader"
ENTRIES = ("agy_proxy.shim.isolated.main",)
SHARED = ("select", "fcntl", "resource", "_socket")
PACKAGES = ("agy_proxy", "agy_proxy.shim", "agy_proxy.shim.isolated", "agy_cassettes")


def source_roots() -> tuple[Path, ...]:
    """The folders that hold the packages' sources, for a shim whose bundle can't be used."""
    return tuple(dict.fromkeys(_folder(name).parent for name in ("agy_proxy", "agy_cassettes")))


def shim_modules() -> dict[str, str]:
    """Every module that the shim may load, with its source: what the entries import of our own, and so on."""
    found: dict[str, str] = {}
    waiting = list(ENTRIES)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        path = _source(name)
        if path is None:
            continue
        found[name] = path.read_text(encoding="utf-8")
        waiting.extend(_imported(ast.parse(found[name])))
    return dict(sorted(found.items()))


@functools.cache
def compile_bundle() -> bytes:
    """The bundle for this interpreter: its magic number, then the loader's code and the modules'."""
    codes = {name: marshal.dumps(_compiled(name, text)) for name, text in shim_modules().items()}
    loader = _source(LOADER)
    if loader is None:
        raise FileNotFoundError(LOADER)
    code = _compiled(LOADER, loader.read_text(encoding="utf-8"))
    return importlib.util.MAGIC_NUMBER + marshal.dumps((code, PACKAGES, codes, _extensions()))


def _extensions() -> dict[str, str]:
    """Where the modules lie that some builds of Python have built in and others in a file."""
    specs = {name: importlib.util.find_spec(name) for name in SHARED}
    return {
        name: spec.origin
        for name, spec in specs.items()
        if spec is not None and spec.origin is not None and os.path.isfile(spec.origin)  # noqa: PTH113 - a str
    }


def write_bundle(folder: Path) -> Path:
    """Write the bundle into `folder`, named by its content, and return its path; one there is kept."""
    content = compile_bundle()
    path = folder / f"shim-{hashlib.sha256(content).hexdigest()[:16]}.bundle"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        fd, temporary = tempfile.mkstemp(dir=folder, prefix=".shim-")
        with os.fdopen(fd, "wb") as file:
            file.write(content)
        Path(temporary).replace(path)
    return path


def _compiled(name: str, text: str) -> CodeType:
    return compile(text, f"<{name}>", "exec", dont_inherit=True, optimize=2)


def _folder(package: str) -> Path:
    path = {"agy_proxy": agy_proxy, "agy_cassettes": agy_cassettes}[package].__file__
    return Path(path or "").parent


def _source(name: str) -> Path | None:
    """The file of one of our modules; None for anything else."""
    top, _, rest = name.partition(".")
    if top not in ("agy_proxy", "agy_cassettes") or not rest:
        return None
    path = _folder(top).joinpath(*rest.split(".")).with_suffix(".py")
    return path if path.is_file() else None


def _imported(tree: ast.AST) -> Iterator[str]:
    """The names of modules that this one may import at run time."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{each.name}" for each in node.names)
        yield from _imported(node)

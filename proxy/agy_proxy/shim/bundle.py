"""The shim's code, compiled for one interpreter: a main script is compiled at every start, a bundle never.

A bundle is the interpreter's magic number, the length of the head in 4 bytes, the head and the parts. The
head is the marshalled tuple of the loader's code, the packages' names, the paths of extension modules, and
of each part's entry (the module whose import loads the part) the offset, the length and the modules' names.
A part is a marshalled list of the codes of these modules, each after those it imports.
"""

import ast
import functools
import hashlib
import importlib.util
import marshal
import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType

import agy_cassettes
import agy_proxy

LOADER = "agy_proxy.shim.isolated.loader"
MAIN = "agy_proxy.shim.isolated.main"
PACKAGES = ("agy_proxy", "agy_proxy.shim", "agy_proxy.shim.isolated", "agy_cassettes")
SHARED = ("select", "fcntl", "resource", "termios", "_socket", "_json")
"""Modules that some builds of Python have built in and others in a file."""

MAGIC = importlib.util.MAGIC_NUMBER


def source_roots() -> tuple[Path, ...]:
    """The folders that hold the packages' sources, for a shim whose bundle can't be used."""
    return tuple(dict.fromkeys(_folder(name).parent for name in ("agy_proxy", "agy_cassettes")))


def shim_parts() -> dict[str, tuple[str, ...]]:
    """What is loaded together: the main module and its imports, and so each one imported in a function."""
    parts: dict[str, tuple[str, ...]] = {}
    waiting = [MAIN]
    while waiting:
        entry = waiting.pop()
        if entry in parts:
            continue
        loaded = set(parts.get(MAIN, ()))
        names = tuple(name for name in _closure(entry, set()) if name not in loaded)
        parts[entry] = names
        waiting.extend(later for name in names for later in _imports(name, now=False) if later not in loaded)
    return {entry: names for entry, names in sorted(parts.items()) if names}


@functools.cache
def compile_bundle() -> bytes:
    """The bundle for this interpreter."""
    blobs = []
    places = {}
    offset = 0
    for entry, names in shim_parts().items():
        blob = marshal.dumps([_code(name) for name in names])
        places[entry] = (offset, len(blob), names)
        blobs.append(blob)
        offset += len(blob)
    head = marshal.dumps((_code(LOADER), PACKAGES, _extensions(), places))
    return MAGIC + len(head).to_bytes(4, "little") + head + b"".join(blobs)


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


def _extensions() -> dict[str, str]:
    found = ((name, importlib.util.find_spec(name)) for name in SHARED)
    return {name: spec.origin for name, spec in found if spec and spec.origin and Path(spec.origin).is_file()}


def _closure(name: str, seen: set[str]) -> Iterator[str]:
    """The modules that importing `name` loads, each after those it needs."""
    if name in seen:
        return
    seen.add(name)
    for needed in _imports(name, now=True):
        yield from _closure(needed, seen)
    yield name


@functools.cache
def _imports(name: str, *, now: bool) -> tuple[str, ...]:
    """Our own modules that this one imports when it is loaded (`now`), or later, in its functions."""
    tree = _tree(name)
    found = _imported(node for node in tree.body if not isinstance(node, ast.FunctionDef | ast.ClassDef))
    if not now:
        within = (node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef))
        found = _imported(inner for node in within for inner in ast.walk(node))
    return tuple(dict.fromkeys(each for each in found if _source(each) is not None))


def _imported(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{each.name}" for each in node.names)


def _code(name: str) -> CodeType:
    code: CodeType = compile(_tree(name), f"<{name}>", "exec", dont_inherit=True, optimize=2)
    return _without_lines(code)


def _without_lines(code: CodeType) -> CodeType:
    """Without the table of line numbers, which is a fifth of what has to be loaded."""
    inner = tuple(_without_lines(each) if isinstance(each, CodeType) else each for each in code.co_consts)
    return code.replace(co_linetable=b"", co_consts=inner)


def _tree(name: str) -> ast.Module:
    path = _source(name)
    if path is None:
        raise FileNotFoundError(name)
    bare: ast.Module = Bare().visit(ast.parse(path.read_text(encoding="utf-8")))
    return ast.fix_missing_locations(bare)


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


class Bare(ast.NodeTransformer):
    """Takes out what only readers and type checkers need: each start of the shim would pay for it."""

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        """Drops ``if TYPE_CHECKING``."""
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return node.orelse
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        """Drops a parameter's annotation."""
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Drops what a function is said to return."""
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Makes an annotated assignment a plain one."""
        if node.value is None:
            return ast.Pass()
        return self.generic_visit(ast.Assign(targets=[node.target], value=node.value))

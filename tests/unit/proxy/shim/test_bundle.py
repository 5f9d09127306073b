import ast
import marshal
import sys
from pathlib import Path

from agy_proxy.shim import bundle

BUILT_IN = {*sys.builtin_module_names, "_json", "_socket", "fcntl", "resource", "select", "termios"}


def test_the_shims_modules_import_nothing_but_what_is_built_in_and_each_other() -> None:
    names = {name for part in bundle.shim_parts().values() for name in part}
    assert {"agy_proxy.shim.isolated.main", "agy_proxy.shim.isolated.record", "agy_cassettes.call"} <= names
    for name in (*names, bundle.LOADER):
        for node in ast.walk(bundle._tree(name)):
            if isinstance(node, ast.Import):
                assert {each.name for each in node.names} <= BUILT_IN, name
            elif isinstance(node, ast.ImportFrom) and node.module != "agy_proxy.shim.isolated":
                assert node.module in names | BUILT_IN, name


def test_a_part_holds_each_module_after_those_it_imports() -> None:
    parts = bundle.shim_parts()
    main = parts[bundle.MAIN]
    for names in parts.values():
        loaded = set(main)
        for name in names:
            assert set(bundle._imports(name, now=True)) <= loaded, name
            loaded.add(name)


def test_recording_loads_nothing_of_the_player_and_the_player_nothing_of_the_recorder() -> None:
    parts = bundle.shim_parts()
    assert not any(".play" in name for name in parts["agy_proxy.shim.isolated.record"])
    assert "agy_proxy.shim.isolated.standby" not in parts["agy_proxy.shim.isolated.play"]


def test_a_bundle_is_named_by_its_content_and_written_once(tmp_path: Path) -> None:
    first = bundle.write_bundle(tmp_path / "new" / "folder")
    before = first.stat()
    assert bundle.write_bundle(first.parent) == first
    assert (first.stat().st_mtime_ns, first.stat().st_ino) == (before.st_mtime_ns, before.st_ino)
    assert first.read_bytes()[:4] == bundle.MAGIC
    assert [each.name for each in first.parent.iterdir()] == [first.name]


def test_the_head_tells_where_each_part_lies(tmp_path: Path) -> None:
    data = bundle.write_bundle(tmp_path).read_bytes()
    length = int.from_bytes(data[4:8], "little")
    _, _, _, parts = marshal.loads(data[8 : 8 + length])
    offset, size, names = parts[bundle.MAIN]
    start = 8 + length + offset
    codes = marshal.loads(data[start : start + size])
    assert [code.co_filename for code in codes] == [f"<{name}>" for name in names]


def test_annotations_and_what_only_type_checkers_read_are_taken_out() -> None:
    text = (
        "TYPE_CHECKING = False\nif TYPE_CHECKING:\n    import typing\n"
        "class A:\n    x: int\n    y: int = 1\n    def f(self, a: 'A') -> 'A': return a\n"
    )
    bare = ast.unparse(ast.fix_missing_locations(bundle.Bare().visit(ast.parse(text))))
    assert "typing" not in bare
    assert ":" not in bare.replace("class A:", "").replace("def f(self, a):", "")
    assert "y = 1" in bare

from pathlib import Path

from agy_proxy.watch.tail import Tail


def seen(file: Tail, *, rest: bool = False) -> list[tuple[str, bytes, int | None]]:
    found = file.change(rest=rest)
    return [] if found is None else [found[:3]]


def test_only_what_is_new_is_told_and_only_in_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"old\n")
    file = Tail(bytes(path), 4)
    assert seen(file) == []
    with path.open("ab", buffering=0) as agy:
        agy.write(b"one\ntw")
        assert seen(file) == [("append", b"one\n", 4)]
        assert seen(file) == []
        agy.write(b"o\nthr")
        assert seen(file) == [("append", b"two\n", 8)]
    assert seen(file, rest=True) == [("append", b"thr", 12)]
    assert seen(file, rest=True) == []


def test_a_file_that_appears_is_created_even_when_it_is_empty(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    file = Tail(bytes(path), None)
    assert seen(file) == []
    path.touch()
    assert seen(file) == [("create", b"", None)]
    path.write_bytes(b"row\n")
    assert seen(file) == [("append", b"row\n", 0)]


def test_what_was_written_between_the_shims_look_and_ours_is_new(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"old\nnew\n")
    assert seen(Tail(bytes(path), 4)) == [("append", b"new\n", 4)]
    assert seen(Tail(bytes(path), None)) == [("create", b"old\nnew\n", None)]


def test_a_rewrite_is_told_as_the_whole_new_file(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"aaaa\nbbbb\n")
    file = Tail(bytes(path), 10)
    path.write_bytes(b"c\n")
    assert seen(file) == [("truncate", b"c\n", 10)]
    path.write_bytes(b"dddd\neeee\nffff\n")
    assert seen(file) == [("truncate", b"dddd\neeee\nffff\n", 2)]
    other = tmp_path / "new"
    other.write_bytes(b"g\n")
    other.replace(path)
    assert seen(file) == [("replace", b"g\n", 15)]
    path.write_bytes(b"")
    assert seen(file) == [("truncate", b"", 2)]


def test_a_symlink_a_folder_and_a_fifo_are_never_opened(tmp_path: Path) -> None:
    secret = tmp_path / "token"
    secret.write_bytes(b"secret\n")
    link = tmp_path / "link"
    link.symlink_to(secret)
    assert seen(Tail(bytes(link), None)) == []
    assert seen(Tail(bytes(tmp_path), None)) == []

"""Where a workspace's repository is found (stores.md 4.2)."""

from pathlib import Path

import pytest

from fake_agy.stores.repository import Repository, repository_of

OTHER = '[remote "other"]\n\turl = x\n'
CONFIG = OTHER + '[remote "origin"]\n\tfetch = y\n\turl = git@h:a.git\n'


def made(folder: Path, head: str, config: str = CONFIG) -> Path:
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text(head)
    (folder / ".git" / "config").write_text(config)
    inside = folder / "a" / "b"
    inside.mkdir(parents=True)
    return inside


def test_a_folder_lies_in_the_repository_above_it(tmp_path: Path) -> None:
    inside = made(tmp_path, "ref: refs/heads/feature/x\n")

    assert repository_of(str(inside)) == Repository(str(tmp_path), "git@h:a.git", "feature/x")
    assert repository_of(str(tmp_path)) == repository_of(str(inside))


@pytest.mark.parametrize("config", ["", "url = x\n", OTHER])
def test_a_detached_head_is_no_branch_and_no_origin_no_remote(config: str, tmp_path: Path) -> None:
    inside = made(tmp_path, "0123456789abcdef\n", config)

    assert repository_of(str(inside)) == Repository(str(tmp_path))


def test_of_a_worktree_only_the_place_is_known(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("gitdir: /elsewhere\n")

    assert repository_of(str(tmp_path)) == Repository(str(tmp_path))


def test_a_folder_that_lies_in_none_has_none(tmp_path: Path) -> None:
    assert repository_of(str(tmp_path)) is None

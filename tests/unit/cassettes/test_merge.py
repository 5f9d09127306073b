import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from agy_cassettes.cassette import Cassette
from agy_cassettes.emitter import emit_record, header
from agy_cassettes.errors import CassetteError, UserError
from agy_cassettes.interaction import Interaction
from agy_cassettes.merge import merge, merge_git
from agy_cassettes.rewrite import replace_whole
from agy_cassettes.sidecar import folder_of
from agy_cassettes.verify import accept, verify
from tests.support.cassettes import cassette_of, clock
from tests.support.interactions import interaction


def at(second: int, name: str, **more: object) -> Interaction:
    made = interaction(name, **more)  # type: ignore[arg-type]  # passed on as it is
    return replace(made, recorded=replace(made.recorded, at=f"2026-12-01T02:37:{second:02}Z"))


BASE = [at(0, "01J0-base")]
OURS = [at(2 * number + 1, f"01J0-ours-{number}") for number in range(10)]
THEIRS = [at(2 * number + 2, f"01J0-theirs-{number}") for number in range(10)]
IN_ORDER = ["01J0-base", *(f"01J0-{side}-{number}" for number in range(10) for side in ("ours", "theirs"))]


def ids(path: Path) -> list[str]:
    return [entry.id for entry in Cassette.open(path).entries]


def test_records_are_united_by_id_in_the_order_of_their_start(tmp_path: Path) -> None:
    first = cassette_of(tmp_path / "1.agy.yaml", BASE + OURS)
    second = cassette_of(tmp_path / "2.agy.yaml", THEIRS + BASE)
    assert merge([first, second], tmp_path / "3.agy.yaml") == 21
    assert ids(tmp_path / "3.agy.yaml") == IN_ORDER
    assert verify(tmp_path / "3.agy.yaml").is_sound(strict=True)


def test_fractions_of_a_second_count(tmp_path: Path) -> None:
    late, early = interaction("01J0-2"), interaction("01J0-1")
    late = replace(late, recorded=replace(late.recorded, at="2026-12-01T02:37:00.5Z"))
    first = cassette_of(tmp_path / "1.agy.yaml", [late])
    second = cassette_of(tmp_path / "2.agy.yaml", [early])
    merge([first, second], first)
    assert ids(first) == ["01J0-1", "01J0-2"]


def test_an_output_that_is_no_input_is_not_overwritten(tmp_path: Path) -> None:
    first = cassette_of(tmp_path / "1.agy.yaml", BASE)
    out = cassette_of(tmp_path / "2.agy.yaml", OURS)
    with pytest.raises(UserError, match="is there already"):
        merge([first], out)
    assert ids(out) == [record.id for record in OURS]


def test_two_records_of_one_id_must_be_equal(tmp_path: Path) -> None:
    first = cassette_of(tmp_path / "1.agy.yaml", [interaction("01J0-1")])
    second = cassette_of(tmp_path / "2.agy.yaml", [interaction("01J0-1", stdout=b"Other.\n")])
    with pytest.raises(CassetteError, match="record 01J0-1 differs"):
        merge([first, second], tmp_path / "3.agy.yaml")
    assert not (tmp_path / "3.agy.yaml").exists()


def test_a_torn_input_is_refused(tmp_path: Path) -> None:
    first = tmp_path / "1.agy.yaml"
    first.write_bytes((header() + emit_record(interaction()))[:-9])
    with pytest.raises(CassetteError, match="torn"):
        merge([first], tmp_path / "3.agy.yaml")


def test_bodies_beside_the_inputs_come_along(tmp_path: Path) -> None:
    for name in ("1", "2"):
        cassette_of(
            tmp_path / name / "a.agy.yaml", [interaction(f"01J0-{name}", stdout=name.encode() * 1_100_000)]
        )
    out = tmp_path / "3" / "a.agy.yaml"
    merge([tmp_path / "1" / "a.agy.yaml", tmp_path / "2" / "a.agy.yaml"], out)
    assert verify(out).errors == ()
    assert len(list((tmp_path / "3" / "a.agy.yaml.d").iterdir())) == 2


@pytest.mark.parametrize("damage", ["other bytes", "gone"])
def test_a_damaged_body_is_named_where_it_lies_and_taken_from_another_input_that_has_it(
    tmp_path: Path, damage: str
) -> None:
    first = cassette_of(tmp_path / "1.agy.yaml", BASE)
    large = [interaction("01J0-2", stdout=b"x" * 1_100_000)]
    second = cassette_of(tmp_path / "2.agy.yaml", large)
    (body,) = folder_of(second).iterdir()
    if damage == "gone":
        body.unlink()
    else:
        body.write_bytes(b"y")
    with pytest.raises(CassetteError, match="body") as caught:
        merge([first, second], tmp_path / "out" / "a.agy.yaml")
    assert caught.value.path == body
    third = cassette_of(tmp_path / "3.agy.yaml", large)
    assert merge([first, second, third], tmp_path / "out" / "a.agy.yaml") == 2
    assert verify(tmp_path / "out" / "a.agy.yaml").errors == ()


def git(repository: Path, *arguments: str, fails: bool = False) -> None:
    done = subprocess.run(
        ["git", "-C", str(repository), *arguments], capture_output=True, text=True, check=False
    )
    assert (done.returncode != 0) == fails, done.stdout + done.stderr


class Repository:
    """Two branches of one cassette."""

    def __init__(self, folder: Path, attributes: str) -> None:
        self.folder = folder
        self.cassette = folder / "tests" / "a b.agy.yaml"
        git(folder, "init", "-q", "-b", "ours")
        (folder / ".gitattributes").write_text(attributes)
        cassette_of(self.cassette, BASE)
        self.commit()
        git(folder, "branch", "theirs")

    def commit(self) -> None:
        git(self.folder, "add", "-A")
        git(self.folder, "commit", "-q", "-m", "x")

    def diverge(self, ours: list[Interaction], theirs: list[Interaction]) -> None:
        """Append to each branch; the branch `ours` is checked out afterwards."""
        git(self.folder, "checkout", "-q", "theirs")
        cassette_of(self.cassette, theirs)
        self.commit()
        git(self.folder, "checkout", "-q", "ours")
        cassette_of(self.cassette, ours)
        self.commit()


@pytest.fixture
def repository(tmp_path: Path, request: pytest.FixtureRequest) -> Repository:
    return Repository(tmp_path, getattr(request, "param", "*.agy.yaml -merge\n"))


def forget_stages(repository: Repository) -> None:
    git(repository.folder, "add", "-A")


@pytest.mark.system
@pytest.mark.parametrize("style", ["merge", "diff3", "zdiff3"])
@pytest.mark.parametrize("resolved", [False, True], ids=["from the index", "from the markers"])
@pytest.mark.parametrize("repository", ["*.agy.yaml -merge\n", "\n"], indirect=True, ids=["-merge", "plain"])
def test_two_branches_of_ten_alike_records_merge(
    repository: Repository, *, resolved: bool, style: str
) -> None:
    repository.diverge(OURS, THEIRS)
    git(repository.folder, "-c", f"merge.conflictstyle={style}", "merge", "theirs", fails=True)
    if resolved and b"<<<<<<<" in repository.cassette.read_bytes():
        with pytest.raises(CassetteError, match="conflict marker"):
            Cassette.open(repository.cassette)
        forget_stages(repository)
    assert merge_git(repository.cassette) == 21
    assert ids(repository.cassette) == IN_ORDER
    assert verify(repository.cassette).is_sound(strict=True)
    repository.commit()


@pytest.mark.system
@pytest.mark.parametrize("repository", ["*.agy.yaml merge=union\n"], indirect=True)
def test_a_file_that_git_merged_line_by_line_is_refused(repository: Repository) -> None:
    repository.diverge(OURS, THEIRS)
    git(repository.folder, "merge", "-q", "theirs")
    with pytest.raises(CassetteError, match="line by line"):
        Cassette.open(repository.cassette)
    assert verify(repository.cassette).errors


@pytest.mark.system
def test_what_one_side_changed_is_taken_from_it_and_what_it_removed_is_kept(repository: Repository) -> None:
    cassette = repository.cassette
    replace_whole(cassette, [at(0, "01J0-kept"), at(1, "01J0-edited"), at(2, "01J0-removed")])
    repository.commit()
    git(repository.folder, "checkout", "-q", "-B", "theirs")
    replace_whole(cassette, [at(0, "01J0-kept"), at(1, "01J0-edited"), at(4, "01J0-new")])
    repository.commit()
    git(repository.folder, "checkout", "-q", "ours")
    old = b"    prompt: |-\n      What is left?"
    start = Cassette.open(cassette).entries[1].offset
    data = cassette.read_bytes()
    cassette.write_bytes(data[:start] + data[start:].replace(old, old.replace(b"left", b"gone"), 1))
    accept(cassette, clock=clock)
    repository.commit()
    git(repository.folder, "merge", "theirs", fails=True)
    assert merge_git(cassette) == 4
    assert ids(cassette) == ["01J0-kept", "01J0-edited", "01J0-removed", "01J0-new"]
    assert Cassette.open(cassette).record("01J0-edited").recorded.origin == "edited"


@pytest.mark.system
@pytest.mark.parametrize("rewritten", ["ours", "theirs"])
def test_a_branch_that_was_rewritten_is_united_with_one_that_was_appended_to(
    repository: Repository, rewritten: str
) -> None:
    for branch in ("theirs", "ours"):
        git(repository.folder, "checkout", "-q", branch)
        if branch == rewritten:
            replace_whole(repository.cassette, [at(9, "01J0-anew")])
        else:
            cassette_of(repository.cassette, OURS[:3])
        repository.commit()
    git(repository.folder, "merge", "theirs", fails=True)
    assert merge_git(repository.cassette) == 5
    assert ids(repository.cassette) == ["01J0-base", *(record.id for record in OURS[:3]), "01J0-anew"]


@pytest.mark.system
def test_what_both_sides_removed_stays_removed(repository: Repository) -> None:
    for branch, records in (("theirs", THEIRS[:1]), ("ours", OURS[:1])):
        git(repository.folder, "checkout", "-q", branch)
        replace_whole(repository.cassette, records)
        repository.commit()
    git(repository.folder, "merge", "theirs", fails=True)
    assert merge_git(repository.cassette) == 2
    assert ids(repository.cassette) == ["01J0-ours-0", "01J0-theirs-0"]


@pytest.mark.system
def test_one_record_changed_by_both_sides_is_left_to_the_user(repository: Repository) -> None:
    for branch, word in (("theirs", b"gone"), ("ours", b"done")):
        git(repository.folder, "checkout", "-q", branch)
        repository.cassette.write_bytes(repository.cassette.read_bytes().replace(b"left?", word + b"?"))
        repository.commit()
    git(repository.folder, "merge", "theirs", fails=True)
    before = repository.cassette.read_bytes()
    with pytest.raises(CassetteError, match="both sides changed the record 01J0-base"):
        merge_git(repository.cassette)
    assert repository.cassette.read_bytes() == before


@pytest.mark.system
def test_a_cassette_made_on_both_branches_merges(repository: Repository) -> None:
    new = repository.cassette.with_name("new.agy.yaml")
    for branch, records in (("theirs", THEIRS), ("ours", OURS)):
        git(repository.folder, "checkout", "-q", branch)
        cassette_of(new, records)
        repository.commit()
    git(repository.folder, "merge", "theirs", fails=True)
    assert merge_git(new) == 20
    assert ids(new) == IN_ORDER[1:]


@pytest.mark.system
def test_a_file_without_a_conflict_is_told_so(
    repository: Repository, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = cassette_of(tmp_path_factory.mktemp("elsewhere") / "a.agy.yaml", BASE)
    for path in (repository.cassette, elsewhere):
        with pytest.raises(CassetteError, match="has no conflict"):
            merge_git(path)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(CassetteError, match="can't be read"):
        merge_git(tmp_path / "a.agy.yaml")


def test_markers_are_read_without_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    path = tmp_path / "a.agy.yaml"
    parts = [b"".join(map(emit_record, records)) for records in (BASE, OURS, THEIRS)]
    path.write_bytes(
        header() + parts[0] + b"<<<<<<< HEAD\n" + parts[1] + b"=======\n" + parts[2] + b">>>>>>> theirs\n"
    )
    assert merge_git(path) == 21
    assert ids(path) == IN_ORDER


def test_a_side_that_is_no_cassette_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.agy.yaml"
    path.write_bytes(header() + b"<<<<<<< HEAD\n- id: 1\n=======\n>>>>>>> theirs\n")
    with pytest.raises(CassetteError, match="the side 'ours' is no sound cassette: line 3"):
        merge_git(path)

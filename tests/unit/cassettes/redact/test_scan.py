import os
from base64 import b64encode
from dataclasses import replace
from pathlib import Path

import pytest

from agy_cassettes.emitter import emit_record, header
from agy_cassettes.errors import UserError
from agy_cassettes.redact.placeholders import Placeholders
from agy_cassettes.redact.records import redact_record
from agy_cassettes.redact.redactor import Redactor
from agy_cassettes.redact.scan import Left, scan, unredacted
from tests.unit.cassettes.redact.test_records import interaction

TOKEN = "ya29.a0AfB_byC-dEfGhIjKlMnOp"


def test_a_secret_is_told_by_file_line_and_class(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text(f"one\n{TOKEN} a@b.co\nthree {TOKEN}")
    assert scan(file) == [
        Left(file, 2, "email"),
        Left(file, 2, "oauth-token"),
        Left(file, 3, "oauth-token"),
    ]


def test_a_recorded_cassette_has_secrets_left_only_without_redaction(tmp_path: Path) -> None:
    path = tmp_path / "x.agy.yaml"
    record = interaction()
    path.write_bytes(header() + emit_record(redact_record(record, Redactor(), Placeholders())))
    assert scan(path) == []
    path.write_bytes(header() + emit_record(record))
    assert {left.cls for left in scan(path)} >= {"oauth-token", "email", "user", "cookie"}


def test_base64_and_escapes_of_yaml_are_undone(tmp_path: Path) -> None:
    path = tmp_path / "x.agy.yaml"
    binary = b64encode(b"\0\xff " + TOKEN.encode()).decode()
    path.write_text(
        f'a: x\nb: !!binary |\n  {binary[:20]}\n  {binary[20:]}\nc: "\\x79a29.a0AfB_byC-dEfGhIjKlMnOp"\n'
    )
    assert [(left.line, left.cls) for left in scan(path)] == [(2, "oauth-token"), (5, "oauth-token")]


def test_sidecars_belong_to_their_cassette(tmp_path: Path) -> None:
    path = tmp_path / "x.agy.yaml"
    path.write_text("version: 1\n")
    sidecar = tmp_path / "x.agy.yaml.d" / ("0" * 64 + ".bin")
    sidecar.parent.mkdir()
    sidecar.write_text(f"\n\n{TOKEN}\n")
    assert scan(path) == [Left(sidecar, 3, "oauth-token")]
    assert scan(tmp_path) == [Left(sidecar, 3, "oauth-token")]


def test_a_folder_is_searched_but_for_links_and_what_is_not_its_own(tmp_path: Path) -> None:
    (tmp_path / "deep" / ".git").mkdir(parents=True)
    (tmp_path / "deep" / ".git" / "x").write_text(TOKEN)
    (tmp_path / "deep" / "y").write_text(TOKEN)
    (tmp_path / "link").symlink_to(tmp_path / "deep" / "y")
    assert scan(tmp_path) == [Left(tmp_path / "deep" / "y", 1, "oauth-token")]


@pytest.mark.parametrize("damaged", ["{", "a: !!binary '*'\n", "a: &a [*a]\n", "\0", "- " * 5000, "[" * 5000])
def test_a_damaged_cassette_is_scanned_as_text(tmp_path: Path, damaged: str) -> None:
    path = tmp_path / "x.agy.yaml"
    path.write_text(f"{damaged}\n{TOKEN}\n")
    assert [left.cls for left in scan(path)] == ["oauth-token"]


def test_a_cassette_recorded_without_redaction_is_named(tmp_path: Path) -> None:
    record = interaction()
    for name, mode in (("on", 1), ("off", "off")):
        recorded = replace(record.recorded, redaction=mode)  # type: ignore[arg-type] # one of its two kinds each
        (tmp_path / f"{name}.agy.yaml").write_bytes(
            header() + emit_record(replace(record, recorded=recorded))
        )
    assert unredacted(tmp_path) == [tmp_path / "off.agy.yaml"]
    assert unredacted(tmp_path / "on.agy.yaml") == []


def test_placeholders_are_not_left_over(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_text(
        "Authorization: Bearer REDACTED-token-1\nCookie: a=REDACTED-cookie-2; b=REDACTED-cookie-3\n"
    )
    assert scan(file) == []


def test_what_can_not_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"none: can't be scanned: no such file"):
        scan(tmp_path / "none")


def test_a_device_or_a_pipe_is_refused_without_being_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.agy.yaml")
    for path in (Path("/dev/zero"), tmp_path / "a.agy.yaml"):
        with pytest.raises(UserError, match="is no regular file"):
            scan(path)
    with pytest.raises(UserError, match="is no regular file"):
        unredacted(tmp_path / "a.agy.yaml")


def test_a_pipe_in_a_folder_is_passed_over(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.agy.yaml")
    assert scan(tmp_path) == []

"""The table of other recorders' faults names the tests of this folder, and all of them."""

import re
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parents[2] / "docs" / "explanation" / "peers.md"


def rows() -> list[list[str]]:
    lines = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return [row for row in cells if row != ["who", "what happens", "test"]]


def defined() -> set[str]:
    sources = [path.read_text("utf-8") for path in HERE.glob("test_*.py") if path != Path(__file__)]
    return {name for source in sources for name in re.findall(r"^def (test_\w+)", source, re.MULTILINE)}


def test_every_fault_in_the_table_has_a_test_and_every_test_a_fault() -> None:
    named = [re.findall(r"`(test_\w+)`", row[-1]) for row in rows()]

    assert [row for row, names in zip(rows(), named, strict=True) if len(row) != 3 or not names] == []
    assert {name for names in named for name in names} == defined()

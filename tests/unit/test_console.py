"""A page's sessions are read as a person reads them."""

from pathlib import Path

import pytest

from tests.support.console import Shown, agrees, sessions

PAGE = r"""
```sh
$ not run
```
```console
$ echo one
one
$ echo two \
>   three
two three
$ cat <<END
> four
>
> END
four
```
"""


def test_a_command_has_the_output_that_stands_below_it(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    assert list(sessions(page)) == [
        Shown(6, "echo one", "one"),
        Shown(8, "echo two \\\n  three", "two three"),
        Shown(11, "cat <<END\nfour\n\nEND", "four"),
    ]


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("one", "one\n", True),
        ("one", "two\n", False),
        ("id ... at ...", "id 7 at 9\n", True),
        ("first\n...\nlast", "first\n1\n2\nlast\n", True),
        ("a.b", "axb", False),
        ("", "", True),
        ("", "anything", False),
    ],
)
def test_three_dots_stand_for_anything(shown: str, printed: str, *, same: bool) -> None:
    assert agrees(shown, printed) is same

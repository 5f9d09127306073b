import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import fake_agy
from fake_agy import record

PACKAGES = str(Path(fake_agy.__file__).parents[1])


class Ours(record.NamedTuple):
    name: str
    size: int = 3

    @property
    def twice(self) -> int:
        return self.size * 2


class Theirs(NamedTuple):
    name: str
    size: int = 3

    @property
    def twice(self) -> int:
        return self.size * 2


@pytest.mark.parametrize("kind", [Ours, Theirs])
def test_a_record_is_made_read_and_changed_like_a_named_tuple(kind: Any) -> None:
    made = kind("a")

    assert (made.name, made.size, made.twice, tuple(made)) == ("a", 3, 6, ("a", 3))
    assert made._replace(size=4) == kind("a", size=4) == kind(name="a", size=4)
    assert made._asdict() == {"name": "a", "size": 3}
    assert repr(made) == f"{kind.__name__}(name='a', size=3)"
    with pytest.raises(AttributeError):
        made.name = "b"
    assert kind.__match_args__ == ("name", "size")


@pytest.mark.parametrize("kind", [Ours, Theirs])
@pytest.mark.parametrize(
    ("given", "named"), [((), {}), (("a", 1, 2), {}), (("a",), {"colour": 1}), (("a",), {"name": "b"})]
)
def test_a_record_refuses_what_a_named_tuple_refuses(
    kind: Any, given: tuple[Any, ...], named: dict[str, Any]
) -> None:
    with pytest.raises(TypeError):
        kind(*given, **named)


def test_making_a_record_imports_neither_typing_nor_collections() -> None:
    code = (
        f"import sys; sys.path.append({PACKAGES!r})\n"
        "import fake_agy.settings, fake_agy.turns.moves, fake_agy.stores.step, fake_agy.profile.resolve\n"
        "print(sorted({'typing', 'collections', 're', 'enum', 'functools'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-IS", "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "[]\n"

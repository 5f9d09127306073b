import subprocess
import sys

import pytest

import agy_cassettes


def test_every_exported_name_is_there() -> None:
    assert all(getattr(agy_cassettes, name) is not None for name in agy_cassettes.__all__)
    assert agy_cassettes.__all__ == sorted(agy_cassettes.__all__)


def test_another_name_is_not() -> None:
    with pytest.raises(AttributeError, match="no attribute 'tape'"):
        _ = agy_cassettes.tape


def test_importing_the_package_imports_nothing_else() -> None:
    code = "import sys; known = set(sys.modules); import agy_cassettes; print(*set(sys.modules) - known)"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["agy_cassettes"]

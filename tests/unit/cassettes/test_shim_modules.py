import json
import subprocess
import sys
from pathlib import Path

import agy_cassettes

FOLDER = Path(agy_cassettes.__path__[0])

PROBE = """
import sys
before = set(sys.modules)
package = sys.modules["agy_cassettes"] = type(sys)("agy_cassettes")
for name in {names!r}:
    module = sys.modules["agy_cassettes." + name] = type(sys)(name)
    with open({folder!r} + "/" + name + ".py", "rb") as file:
        exec(compile(file.read(), name, "exec"), module.__dict__)
new = {{name for name in set(sys.modules) - before if not name.startswith("agy_cassettes")}}
print("[" + ", ".join('"%s"' % name for name in sorted(new - set(sys.builtin_module_names))) + "]")
"""


def test_what_the_shim_loads_imports_nothing_but_built_ins() -> None:
    names = ("edits", "places", "call", "modes", "stored", "terminal_replies")
    code = PROBE.format(names=names, folder=str(FOLDER))
    run = subprocess.run([sys.executable, "-IS", "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(run.stdout) == []

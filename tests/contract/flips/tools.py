"""The calls that show which tools a headless turn may use, and what becomes of what it started."""

from fake_agy.turns.moves import PlainMove
from tests.contract.flips.flip import Call, Flip
from tests.support.double import Double

SKIP = "--dangerously-skip-permissions"
DENY = (("headless-permission", "deny"),)
DONE: PlainMove = ("say", {"text": "Done.\n"})


def run(command: str, **more: object) -> PlainMove:
    return ("use_tool", {"name": "run_command", "args": {"CommandLine": command}, **more})


def allow_echo(double: Double) -> None:
    """Lets `echo` run by a rule of the settings."""
    double.root.mkdir(parents=True)
    (double.root / "settings.json").write_text('{"permissions":{"allow":["command(echo)"]}}')


def trust_here(double: Double) -> None:
    """Trusts the working directory, and makes a folder in it that can be added."""
    (double.cwd / "added").mkdir()
    double.root.mkdir(parents=True)
    (double.root / "settings.json").write_text(f'{{"trustedWorkspaces":["{double.cwd}"]}}')


READ = ("use_tool", {"name": "list_dir", "args": {"DirectoryPath": "."}})
FETCH = ("use_tool", {"name": "read_url_content", "args": {"Url": "http://x/"}, "output": "page"})
WRITE = ("use_tool", {"name": "write_to_file", "args": {"TargetFile": "new.txt", "CodeContent": "x"}})
HELLO = ("-p", "hello")

FLIPS = {
    "headless-permission": Flip(
        (Call(("--print-timeout", "3s", *HELLO)),), turns=((run("echo ran > here.txt"), DONE),)
    ),
    "settings-policies": Flip(
        (Call(HELLO),), turns=((run("echo ran > here.txt"), DONE),), switches=DENY, prepare=allow_echo
    ),
    "workspace-reads": Flip((Call(("--add-dir", "{cwd}", *HELLO)),), turns=((READ,),), switches=DENY),
    "url-fetch-asks": Flip((Call(HELLO),), turns=((FETCH,),), switches=DENY),
    "mode-in-print": Flip(
        (Call(("--mode", "accept-edits", "--add-dir", "{cwd}", *HELLO)),), turns=((WRITE,),), switches=DENY
    ),
    "plan-with-skip": Flip(
        (Call(("--mode", "plan", SKIP, "--add-dir", "{cwd}", *HELLO)),), turns=((WRITE,),)
    ),
    "command-directory": Flip(
        (Call((SKIP, "--add-dir", "{cwd}/added", *HELLO)), Call((SKIP, "-p", "again"))),
        turns=((run("echo one > one.txt"),), (run("echo two > two.txt"),)),
        prepare=trust_here,
    ),
    "jj-pager": Flip((Call((SKIP, *HELLO)),), turns=((run("echo $JJ_PAGER"), DONE),)),
    "refused-calls": Flip(
        (Call((SKIP, *HELLO)),), turns=((("use_tool", {"name": "view_file", "args": {}}), DONE),)
    ),
    "background-at-exit": Flip(
        (Call((SKIP, "--print-timeout", "500ms", *HELLO)),), turns=((run("sleep 5", background=True),),)
    ),
}

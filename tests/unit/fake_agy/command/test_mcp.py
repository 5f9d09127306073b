import json
from pathlib import Path
from typing import Any

import pytest

from fake_agy.command.mcp import mcp


def kept(home: Path) -> Any:
    return json.loads((home / ".gemini" / "config" / "mcp_config.json").read_text())


def test_a_server_is_added_listed_disabled_enabled_and_removed(tmp_path: Path) -> None:
    home = str(tmp_path)
    assert mcp(["list"], home).out == "No MCP servers configured.\n"
    assert mcp(["add", "x", "npx", "-y", "server"], home).out == 'Added MCP server "x" (stdio)\n'
    assert kept(tmp_path) == {"mcpServers": {"x": {"command": "npx", "args": ["-y", "server"]}}}
    assert mcp(["list"], home).out == "x\tstdio\tnpx -y server\tenabled\n"
    assert mcp(["disable", "x"], home).exit == 0
    assert mcp(["list"], home).out == "x\tstdio\tnpx -y server\tdisabled\n"
    assert mcp(["enable", "x"], home).exit == 0
    assert kept(tmp_path)["mcpServers"]["x"] == {"command": "npx", "args": ["-y", "server"]}
    assert mcp(["remove", "x"], home).out == 'Removed MCP server "x"\n'
    assert mcp(["list"], home).out == "No MCP servers configured.\n"


@pytest.mark.parametrize(
    ("words", "server", "transport"),
    [
        (["y", "https://x/mcp"], {"serverUrl": "https://x/mcp"}, "http"),
        (
            ["--transport", "sse", "--header", "A: b", "y", "https://x"],
            {"serverUrl": "https://x", "headers": {"A": "b"}, "type": "sse"},
            "sse",
        ),
        (["--env", "K=v", "y", "--", "run"], {"command": "run", "args": [], "env": {"K": "v"}}, "stdio"),
        (["y", "run", "--", "-a"], {"command": "run", "args": ["--", "-a"]}, "stdio"),
    ],
)
def test_a_server_is_kept_as_it_was_described(
    words: list[str], server: dict[str, Any], transport: str, tmp_path: Path
) -> None:
    assert mcp(["add", *words], str(tmp_path)).out == f'Added MCP server "y" ({transport})\n'
    assert kept(tmp_path)["mcpServers"]["y"] == server
    assert f"y\t{transport}\t" in mcp(["list"], str(tmp_path)).out


def test_what_else_the_file_holds_stays(tmp_path: Path) -> None:
    path = tmp_path / ".gemini" / "config" / "mcp_config.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"other":1,"mcpServers":{"odd":3}}')
    assert mcp(["add", "x", "run"], str(tmp_path)).exit == 0
    assert kept(tmp_path) == {"other": 1, "mcpServers": {"odd": 3, "x": {"command": "run", "args": []}}}
    assert mcp(["disable", "odd"], str(tmp_path)).exit == 0
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "mcp takes"),
        (["bogus"], "mcp takes"),
        (["add", "x"], "mcp takes"),
        (["remove"], "mcp takes"),
        (["remove", "x"], 'MCP server "x" not found'),
        (["enable", "x"], 'MCP server "x" not found'),
        (["add", "--bogus", "x", "run"], "flags provided but not defined: -bogus"),
        (["add", "--transport", "pigeon", "x", "run"], 'unknown transport "pigeon"'),
    ],
)
def test_what_can_not_be_done_ends_with_1_and_changes_nothing(
    words: list[str], said: str, tmp_path: Path
) -> None:
    ending = mcp(words, str(tmp_path))
    assert (ending.exit, ending.out) == (1, "")
    assert said in ending.err
    assert list(tmp_path.iterdir()) == []


def test_a_name_is_taken_once(tmp_path: Path) -> None:
    mcp(["add", "x", "run"], str(tmp_path))
    assert 'MCP server "x" already exists' in mcp(["add", "x", "other"], str(tmp_path)).err
    assert kept(tmp_path)["mcpServers"]["x"]["command"] == "run"


@pytest.mark.parametrize("text", ["{", "[]", "nope"])
def test_a_file_that_can_not_be_read_stays_as_it_is(text: str, tmp_path: Path) -> None:
    path = tmp_path / ".gemini" / "config" / "mcp_config.json"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    assert "failed to parse" in mcp(["add", "x", "run"], str(tmp_path)).err
    assert path.read_text() == text

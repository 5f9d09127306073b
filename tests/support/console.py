"""Sessions at a prompt, as the documentation shows them: commands, and what they print."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r"^```(\w*)$")


@dataclass(frozen=True)
class Shown:
    """A command at `line` of a page and the output that stands below it."""

    line: int
    command: str
    output: str


def blocks(page: Path, language: str) -> Iterator[tuple[int, list[str]]]:
    """The fenced blocks of that language: the number of their first line, and their lines."""
    begin, inside, kept = 0, None, list[str]()
    for number, line in enumerate(page.read_text("utf-8").splitlines(), 1):
        fence = FENCE.match(line)
        if inside is None and fence:
            begin, inside, kept = number + 1, fence[1], []
        elif inside is not None and line == "```":
            if inside == language:
                yield begin, kept
            inside = None
        elif inside is not None:
            kept.append(line)


def sessions(page: Path) -> Iterator[Shown]:
    """The commands in the page's ``console`` blocks: ``$ `` begins one, ``> `` below it goes on."""
    for begin, lines in blocks(page, "console"):
        line, command, output = begin, "", list[str]()
        for number, text in enumerate(lines, begin):
            if text.startswith("$ "):
                if command:
                    yield Shown(line, command, "\n".join(output))
                line, command, output = number, text[2:], []
            elif (text == ">" or text.startswith("> ")) and not output:
                command += "\n" + text[2:]
            else:
                output.append(text)
        yield Shown(line, command, "\n".join(output))


def agrees(shown: str, printed: str) -> bool:
    """Whether `printed` is what is shown, where ``...`` stands for anything, newlines too."""
    pattern = ".*?".join(re.escape(part) for part in shown.strip("\n").split("..."))
    return re.fullmatch(pattern, printed.strip("\n"), re.DOTALL) is not None

"""What stands on a terminal's screen after what was written to it: as much of a terminal as tests need."""

import re

_ESCAPE = re.compile(
    r"\x1b\[(?P<params>[0-?]*)[ -/]*(?P<final>[@-~])"
    r"|\x1b[\]P_^X](?P<string>[^\x07\x1b]*)(?:\x07|\x1b\\)"
    r"|\x1b[=>78c]"
)


class ScreenReader:
    """A screen of cells; `title` is the window's, `modes` are the private modes that are switched on."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.title = ""
        self.modes: set[str] = set()
        self.questions: list[str] = []
        self._lines = [""]
        self._row = self._column = 0
        self._top = 0
        self._held = ""
        self._bytes = b""
        self._aside: list[str] | None = None

    def feed(self, data: bytes) -> None:
        """Take what was written; a sequence may come in several pieces."""
        self._bytes += data
        try:
            text, self._bytes = self._bytes.decode(), b""
        except UnicodeDecodeError as torn:
            text, self._bytes = self._bytes[: torn.start].decode(), self._bytes[torn.start :]
        text = self._held + text
        at = 0
        while at < len(text):
            if text[at] != "\x1b":
                self._put(text[at])
                at += 1
                continue
            found = _ESCAPE.match(text, at)
            if found is None:
                break
            self._obey(found)
            at = found.end()
        self._held = text[at:]

    def text(self) -> str:
        """What stands there, line by line, from the topmost line that is on the screen."""
        return "\n".join(line.rstrip() for line in self._lines[self._top :])

    def lines(self) -> list[str]:
        """The same as `text`, a list."""
        return self.text().split("\n")

    def resize(self, columns: int, rows: int) -> None:
        """Take another size; what leaves the screen by it leaves at the top."""
        self.columns, self.rows = columns, rows
        self._top = max(self._top, self._row - rows + 1)

    def _put(self, each: str) -> None:
        if each == "\r":
            self._column = 0
        elif each == "\n":
            self._row += 1
            if self._row == len(self._lines):
                self._lines.append("")
            self._top = max(self._top, self._row - self.rows + 1)
        elif each >= " ":
            if self._column >= self.columns:
                self._put("\r")
                self._put("\n")
            line = self._lines[self._row].ljust(self._column)
            self._lines[self._row] = line[: self._column] + each + line[self._column + 1 :]
            self._column += 1

    def _obey(self, found: re.Match[str]) -> None:
        params, final = found["params"], found["final"]
        if found["string"] is not None:
            number, _, said = found["string"].partition(";")
            if number == "2":
                self.title = said
            else:
                self.questions.append(found[0])
        elif final is None or final == "m":
            return
        elif params.startswith("?") and final in "hl":
            self._mode(params, on=final == "h")
        elif params[:1] in {"?", ">", "<", "="} or final == "c":
            self.questions.append(found[0])
        else:
            self._move(params, final)

    def _mode(self, params: str, *, on: bool) -> None:
        (self.modes.add if on else self.modes.discard)(params)
        if params == "?1049" and on:
            self._aside, self._lines, self._row, self._column, self._top = self._lines, [""], 0, 0, 0
        elif params == "?1049" and self._aside is not None:
            self._lines, self._aside = self._aside, None
            self._row, self._column = len(self._lines) - 1, 0
            self._top = max(0, len(self._lines) - self.rows)

    def _move(self, params: str, final: str) -> None:
        if final == "A":
            self._row = max(self._top, self._row - int(params or 1))
        elif final == "H":
            self._row, self._column = self._top, 0
        elif final == "J" and params in {"", "0"}:
            self._lines = [*self._lines[: self._row], self._lines[self._row][: self._column]]
        elif final == "J":
            self._lines = [*self._lines[: self._top], ""]
            self._row = self._top
        else:
            raise AssertionError(f"a test's terminal does not know CSI {params}{final}")

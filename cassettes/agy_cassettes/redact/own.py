r"""Redactors of the user's own, from a Python file: ``redactors = {"badge": re.compile(r"EMP-\d+"), …}``.

Each name is the class of its placeholders. Each value is a compiled pattern (of text or bytes), whose matches
are secrets, or a function that takes the text and returns a list of the secrets in it, as text or bytes; all
their occurrences are redacted.
"""

import re
import runpy
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from agy_cassettes.errors import UserError, one_line
from agy_cassettes.redact.rule import Found

_SAMPLES = (b"", b"An ordinary line, 42 of them.\n", b"\xff\0\n")
_CLASS = re.compile(r"(?=.{1,64}\Z)[0-9]*[A-Za-z][A-Za-z0-9]*(?:-[0-9]*[A-Za-z][A-Za-z0-9]*)*")

Look = Callable[[str], Iterable[str | bytes]] | re.Pattern[str] | re.Pattern[bytes]


@dataclass(frozen=True, slots=True)
class Own:
    """One redactor of the user's: `source` is the file it is from, for messages."""

    cls: str
    look: Look
    source: str = "redactors"
    osc_only: bool = False
    whole_word: bool = False
    raw: bool = True

    def find(self, text: bytes, lower: bytes) -> Iterator[Found]:  # noqa: ARG002 - as all finders are called
        """Yield where its secrets are in `text`; UserError where the user's function fails."""
        try:
            secrets = set(self._secrets(text))
        except (KeyboardInterrupt, UserError):
            raise
        except BaseException as error:
            # Not what it says, which may quote the secret.
            raise UserError(f"{self.source}: redactor {self.cls!r} failed: {type(error).__name__}") from error
        for secret in sorted(filter(None, secrets)):
            at = text.find(secret)
            while at >= 0:
                yield Found(at, at + len(secret), self.cls)
                at = text.find(secret, at + len(secret))

    def _secrets(self, text: bytes) -> Iterator[bytes]:
        look = self.look
        words = text.decode("utf-8", "surrogateescape")
        if isinstance(look, re.Pattern):
            # Which of the two kinds a pattern is only its own pattern tells.
            subject = text if isinstance(look.pattern, bytes) else words
            found: object = [match[0] for match in look.finditer(subject)]  # type: ignore[arg-type] # kinds agree, see above
        else:
            found = look(words)
        # Of a text alone each letter would be a secret.
        if isinstance(found, str | bytes) or not isinstance(found, Iterable):
            raise UserError(
                f"{self.source}: redactor {self.cls!r} gave {_kind(found)}; it must give a list of texts"
            )
        for secret in found:
            if not isinstance(secret, str | bytes):
                what = f"gave a list with {_kind(secret)} in it; it must give a list of texts"
                raise UserError(f"{self.source}: redactor {self.cls!r} {what}")
            yield secret if isinstance(secret, bytes) else secret.encode("utf-8", "surrogateescape")


def _kind(value: object) -> str:
    return "None" if value is None else f"{type(value).__name__!r}"


def load_redactors(path: Path) -> tuple[Own, ...]:
    """Run the Python file at `path` and return its redactors; UserError says what is wrong with it.

    Each is tried on a few texts, so that one that can't work is refused before anything is recorded.
    """
    try:
        names = runpy.run_path(str(path))
    except OSError as error:
        raise UserError(f"{path}: can't read the redactors: {error.strerror}") from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        # Its sys.exit() is not ours.
        raise UserError(f"{path}: the redactors don't load: {one_line(error)}") from error
    given = names.get("redactors")
    if not isinstance(given, Mapping):
        raise UserError(f'{path}: has no redactors; write: redactors = {{"name": function or pattern}}')
    for cls, look in given.items():
        if not isinstance(cls, str) or _CLASS.fullmatch(cls) is None:
            raise UserError(f"{path}: redactor {cls!r}: a name is letters and digits, such as staff-badge")
        if not callable(look) and not isinstance(look, re.Pattern):
            raise UserError(f"{path}: redactor {cls!r} is neither a function nor a compiled pattern")
    redactors = tuple(Own(cls, look, str(path)) for cls, look in given.items())
    for redactor in redactors:
        for sample in _SAMPLES:
            list(redactor.find(sample, sample.lower()))
    return redactors

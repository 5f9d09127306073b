"""What secrets stand in: lines of a log, JSON, headers, coloured output and so on."""

import json
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import quote

from tests.support.secrets import Secret, Shape

ALL = frozenset[Shape](("token", "address", "path", "url", "line", "block"))
WORDS = ALL - {"line", "block"}
ONE_LINE = ALL - {"block"}


class Carrier(NamedTuple):
    """The text before and behind a secret, and how a secret is written between them."""

    name: str
    head: str
    tail: str
    shapes: frozenset[Shape] = WORDS
    write: Callable[[str], str] = str
    json_depth: int = 0
    encoded: bool = False

    def takes(self, secret: Secret) -> bool:
        # Nothing but the end of the text says where a key ends that was cut off.
        if secret.kind == "private-key-cut":
            return self.name in CUT_CARRIERS
        return secret.shape in self.shapes

    def text(self, secret: Secret) -> str:
        return self.head + self.write(secret.text) + self.tail

    @property
    def kept(self) -> tuple[str, str]:
        """What must stay: all up to the last blank before the secret, all from the next blank on."""
        head, tail = self.head, self.tail
        before = max((head.rfind(blank) for blank in " \t\n"), default=-1)
        behind = [at for blank in " \t\r\n" if (at := tail.find(blank)) >= 0]
        return head[: before + 1], tail[min(behind) :] if behind else ""


CUT_CARRIERS = ("alone", "after words", "json", "row")


def _inner(text: str) -> str:
    """As in a JSON string, without its quotes."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _twice(text: str) -> str:
    return _inner(_inner(text))


def _go(text: str) -> str:
    """As Go's encoding/json writes it: no bare ``<``, ``>`` and ``&``."""
    for letter in "<>&":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


def _percent(text: str) -> str:
    return quote(text, safe="")


def _indented(text: str) -> str:
    return text.replace("\n", "\n    ")


def _crlf(text: str) -> str:
    return text.replace("\n", "\r\n")


def _repr(text: str) -> str:
    return repr(text)[1:-1]


ROW_HEAD = (
    '{"step_index":3,"source":"MODEL","type":"RUN_COMMAND","status":"DONE","content":"exit 0\\n\\tOutput:\\n'
)
ROW_TAIL = '\\n\\u003cend\\u003e","created_at":"2026-12-01T02:37:00Z"}\n'

CARRIERS = (
    Carrier("alone", "", "", ALL),
    Carrier("after words", "it ends with\n", "", ALL),
    Carrier("sentence", "Please use ", " for it, then stop.\n"),
    Carrier("full stop", "I was told ", ". Is that right?\n"),
    Carrier("comma", "Of these: ", ", and no more\n"),
    Carrier("parentheses", "it is there (", ") if you look\n"),
    Carrier("backticks", "run it with `", "` now\n"),
    Carrier("double quotes", 'it said "', '" twice\n', ONE_LINE),
    Carrier("angles", "To: <", "> as ever\n"),
    Carrier("chinese", "我用的是", "。你好 吗\n", frozenset(("token", "address"))),
    Carrier("cyrillic", "значение:", " вот\n"),
    Carrier("dashes", "no such option: --", " \n", frozenset(("token", "address"))),
    Carrier("flag", "--value=", ""),
    Carrier("command line", "python3 -m bot --value ", " --fast -v\n"),
    Carrier("environment", "LANG=C\nSOME_VALUE=", "\nTERM=dumb\n"),
    Carrier("dotenv", '# made by hand\nAPI_VALUE="', '"\nDEBUG=1\n'),
    Carrier("shell", "export VALUE='", "' && ./run --fast\n"),
    Carrier("curl", 'curl -sS -H "', '" https://api.example.com/v1/x -o out.json\n', frozenset(("line",))),
    Carrier("yaml", "auth:\n  value: ", "\n  retries: 3\n"),
    Carrier("yaml block", "data:\n  text: |\n    ", "\n  next: 1\n", ALL, _indented),
    Carrier("json", '{"ok": true, "value": "', '", "n": 1}\n', ALL, _inner, 1),
    Carrier("json after newline", '{"out": "line\\n', '\\nend of it"}\n', ALL, _inner, 1),
    Carrier("json after tab", '{"out": "a\\t', '\\tb"}\n', WORDS, _inner, 1),
    Carrier("json in json", '{"arguments": "{\\"value\\": \\"', '\\", \\"n\\": 1}"}\n', ALL, _twice, 2),
    Carrier(
        "json in json after newline", '{"a": "{\\"out\\": \\"line\\\\n', '\\\\nend\\"}"}\n', ALL, _twice, 2
    ),
    Carrier("json of go", '{"to":"Me \\u003c', '\\u003e \\u0026 all"}\n', WORDS, _go, 1),
    Carrier("json of colours", '{"out":"\\u001b[1;32m', '\\u001b[0m done"}\n', ALL, _inner, 1),
    Carrier("row", ROW_HEAD, ROW_TAIL, ALL, lambda text: _go(_inner(text)), 1),
    Carrier("server-sent event", 'event: x\ndata: {"v":"', '"}\n\n', ONE_LINE, _inner),
    Carrier("python repr", "{'ok': True, 'value': '", "', 'n': 1}\n", ALL, _repr),
    Carrier("python bytes repr", "got b'", "' from it\n", ALL, _repr),
    Carrier("python call", 'client = Client("', '", retries=3)\n'),
    Carrier("header", "GET / HTTP/1.1\r\nx-goog-value: ", "\r\nAccept: */*\r\n\r\n"),
    Carrier(
        "bearer", "Host: a.example\r\nAuthorization: Bearer ", "\r\nAccept: */*\r\n", frozenset(("token",))
    ),
    Carrier("lines of crlf", "first\r\n", "\r\nlast\r\n", ALL, _crlf),
    Carrier(
        "url",
        "GET https://a.example/v1/models?key=",
        "&alt=json HTTP/1.1\r\n",
        frozenset(("token", "address")),
        _percent,
        encoded=True,
    ),
    Carrier(
        "url in url",
        "see https://a.example/go?next=https%3A%2F%2Fb.example%2Fcb%3Fv%3D",
        "%26n%3D1 or not\n",
        WORDS,
        _percent,
        encoded=True,
    ),
    Carrier(
        "fragment",
        "https://a.example/cb#x=1&v=",
        "&n=1 here\n",
        frozenset(("token",)),
        _percent,
        encoded=True,
    ),
    Carrier("klog", "I1201 02:37:00.123456    4711 server.go:812] value ", "\nI1201 ok\n", ONE_LINE),
    Carrier("klog key", 'I1201 02:37:00.123456    4711 auth.go:55] done value="', '" n=1\n'),
    Carrier("go struct", "&{Name:x Value:", " Count:3 Err:<nil>}\n"),
    Carrier("table", "| key | ", " |\n|---|---|\n"),
    Carrier("csv", "first,1\nsecond,", ",ok\nthird ,2\n"),
    Carrier("xml", "<a> <value>", "</value> </a>\n"),
    Carrier("html", '<input type="text" value="', '" hidden>\n'),
    Carrier("diff", "@@ -1 +1 @@\n+", "\n-old\n"),
    Carrier("colours", "\x1b[1mit is\x1b[0m \x1b[1;32m", "\x1b[0m done\n", ALL),
    Carrier("256 colours", "\x1b[38;5;196m", "\x1b[m\n", ALL),
    Carrier("cursor", "a \x1b[2K\x1b[1G", "\x1b[K\n"),
    Carrier("osc 0", "\x1b]0;", "\x07 ready\n", WORDS),
    Carrier("osc 2", "\x1b]2;work ", "\x1b\\ ready\n", WORDS),
    Carrier("osc 7", "\x1b]7;file://", "\x1b\\ ready\n", frozenset(("path",)), quote),
    Carrier("osc 7 with a host", "\x1b]7;file://localhost", "\x07 ready\n", frozenset(("path",)), quote),
    Carrier(
        "osc 8",
        "\x1b]8;id=1;https://a.example/?v=",
        "\x1b\\link\x1b]8;;\x1b\\ end\n",
        frozenset(("token",)),
        _percent,
        encoded=True,
    ),
    Carrier("osc 8 of a file", "\x1b]8;;file://", "\x1b\\a.py\x1b]8;;\x1b\\ end\n", frozenset(("path",))),
    Carrier("osc 8 of a url", "\x1b]8;;", "\x07here\x1b]8;;\x07 end\n", frozenset(("url",))),
    Carrier("osc in json", '{"out":"\\u001b]0;', '\\u0007 ready"}\n', WORDS, _inner, 1),
)

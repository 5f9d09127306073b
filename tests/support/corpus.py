"""The labelled corpus: secrets in carriers in the channels of an interaction, and what must come of them."""

import dataclasses
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from agy_cassettes.interaction import FileEvent, Interaction, Process, Recorded, Tick
from tests.support.carriers import CARRIERS, Carrier
from tests.support.interactions import AT, BY, interaction
from tests.support.secrets import KINDS, Draw, Secret, draw_secret

CHANNELS = (
    "argv",
    "argv that is not UTF-8",
    "prompt",
    "stdin",
    "env",
    "stdout",
    "stderr",
    "merged",
    "binary stdout",
    "file text",
    "client",
)
PATH_CHANNELS = ("cwd", "file path")
"""Where a path of its own stands; those of files lie below the working directory."""
BINARY = ("binary stdout", "argv that is not UTF-8")
STREAMS = {"stdout": "o", "stderr": "e", "merged": "m", "binary stdout": "o", "stdin": "i"}
PLACEHOLDER = r"REDACTED-[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*-[0-9]+"


class Case(NamedTuple):
    """One secret, what it stands in, and where in an interaction that stands."""

    secret: Secret
    carrier: Carrier
    channel: str

    @property
    def data(self) -> bytes:
        """What the channel holds."""
        data = self.carrier.text(self.secret).encode()
        if self.channel == "file path":
            return b"${CWD}" + data
        return b"\xff\xfe " + data + b" \x80" if self.channel in BINARY else data

    def __str__(self) -> str:
        return f"{self.secret.kind} | {self.carrier.name} | {self.channel} | {self.data[:300]!r}"


def cases(draw: Draw, count: int) -> Iterator[Case]:
    """So many cases: every kind as often as every other, its carriers and the channels in turn."""
    carriers = {kind: draw.random.sample(CARRIERS, len(CARRIERS)) for kind in KINDS}
    channels = draw.random.sample(CHANNELS, len(CHANNELS))
    kinds = draw.random.sample(list(KINDS), len(KINDS))
    for number in range(count):
        kind = kinds[number % len(kinds)]
        secret = draw_secret(draw, kind)
        taking = [carrier for carrier in carriers[kind] if carrier.takes(secret)]
        turn = number // len(kinds)
        if secret.shape == "path" and kind != "home-of-another" and turn % 10 == 9:
            yield Case(secret, CARRIERS[0], PATH_CHANNELS[turn // 10 % 2])
        else:
            yield Case(secret, taking[turn % len(taking)], channels[(number + turn) % len(channels)])


def planted(name: str, *planted_cases: Case, draw: Draw) -> Interaction:
    """An interaction that holds these cases, each in a channel of its own, and was cut into chunks."""
    data = {case.channel: case.data for case in planted_cases}
    streams = {
        "o": data.get("stdout") or data.get("merged") or data.get("binary stdout") or b"Half.\n",
        "e": data.get("stderr", b""),
        "i": data.get("stdin", b""),
    }
    merged = "merged" in data
    word: str | bytes = data["argv"].decode() if "argv" in data else "--sandbox"
    made = interaction(
        name,
        argv=("agy", data.get("argv that is not UTF-8", word), "-p", "${PROMPT}"),
        prompt=data.get("prompt", b"What is left?").decode(),
        stdin=data["stdin"].decode() if "stdin" in data else None,
        stdout=streams["o"],
        stderr=streams["e"],
        merged=merged,
        timing=_timing(streams, draw, merged=merged),
        files=(
            FileEvent(
                op="append",
                path=data.get("file path", b"${AGY_HOME}/brain/x/transcript.jsonl").decode(),
                before=0,
                text=data.get("file text", b"{}\n"),
            ),
        ),
        process=Process(client=data.get("client", b"python3 -m mybot").decode()),
        recorded=Recorded(at=AT, by=BY, agy="1.2.10"),
    )
    request = replace(
        made.request,
        cwd=data.get("cwd", b"${CWD}").decode(),
        env={"TERM": "dumb", "SOME_VALUE": data.get("env", b"none").decode()},
    )
    return replace(made, request=request)


def _timing(streams: Mapping[str, bytes], draw: Draw, *, merged: bool) -> list[tuple[int, str, int]]:
    """Chunks of one to forty bytes, for short streams, in an order that is drawn."""
    chunks = []
    for code, body in streams.items():
        left = len(body)
        most = max(40, left // 10)
        while left:
            size = min(left, draw.random.randint(1, most))
            chunks.append((draw.random.randrange(50), "m" if merged and code == "o" else code, size))
            left -= size
    draw.random.shuffle(chunks)
    return [*chunks, (0, "f", 1), (3, "x", 1)]


def held(made: Interaction, channel: str) -> bytes:
    """What a channel holds now."""
    request, response, file = made.request, made.response, made.files[0]
    values: dict[str, object] = {
        "argv": request.argv[1],
        "argv that is not UTF-8": request.argv[1],
        "prompt": request.prompt,
        "stdin": request.stdin,
        "env": request.env["SOME_VALUE"],
        "stdout": response.stdout,
        "merged": response.stdout,
        "binary stdout": response.stdout,
        "stderr": response.stderr,
        "file text": file.text,
        "file path": file.path,
        "cwd": request.cwd,
        "client": None if made.process is None else made.process.client,
    }
    value = values[channel]
    return value if isinstance(value, bytes) else str(value).encode()


def everything(made: Interaction) -> bytes:
    """Every key and value of an interaction, one a line."""
    return b"\n".join(_leaves(dataclasses.asdict(made)))


def _leaves(value: object) -> Iterator[bytes]:
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield str(key).encode()
            yield from _leaves(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _leaves(each)
    else:
        yield value if isinstance(value, bytes) else str(value).encode()


def left_in(data: bytes, secret: Secret) -> list[str]:
    """The parts of a secret that are left, and the whole of it."""
    parts = (secret.text, *secret.hidden) if secret.shape != "line" else secret.hidden
    return [part for part in parts if part.encode() in data]


def wrongly_kept(case: Case, now: bytes) -> str | None:
    """What is wrong with the text around a redacted secret, if anything is."""
    if case.channel in BINARY:
        if not (now.startswith(b"\xff\xfe ") and now.endswith(b" \x80")):
            return "the bytes around it changed"
        now = now[3:-2]
    text = now.decode()
    if case.channel == "file path":
        text = text.removeprefix("${CWD}")
    exact = expected(case)
    if exact is not None:
        return None if re.fullmatch(exact, text) else "more than the secret was replaced, or less"
    before, behind = case.carrier.kept
    if not (text.startswith(before) and text.endswith(behind)):
        return "the text around it changed"
    try:
        for _ in range(case.carrier.json_depth):
            text = max((value for value in json.loads(text).values() if isinstance(value, str)), key=len)
    except ValueError as error:
        return f"it is no JSON any more: {error}"
    return None


def plain(secret: Secret, carrier: Carrier) -> bool:
    """Whether it is beyond doubt which bytes are the secret.

    It isn't in percent-encoding, nor where a plus sign or hyphen stands before an address.
    """
    return not carrier.encoded and not (secret.kind == "email" and carrier.name in ("diff", "dashes"))


def expected(case: Case) -> str | None:
    """The pattern of the whole text that is left, where the secret's own extent is beyond doubt."""
    secret, carrier = case.secret, case.carrier
    stand_in = "STANDIN"
    if not plain(secret, carrier):
        return None
    if secret.shape == "token":
        text = carrier.head + stand_in + carrier.tail
    elif secret.shape == "path":
        text = carrier.text(secret._replace(text=secret.text.replace(secret.hidden[0], stand_in)))
    elif secret.kind == "email":
        text = carrier.head + stand_in + carrier.tail
    else:
        return None
    return re.escape(text).replace(stand_in, PLACEHOLDER)


def sizes(timing: tuple[Tick, ...], code: str) -> list[int]:
    """The sizes of a stream's chunks."""
    return [tick.count for tick in timing if tick.code == code]


def wrong_timing(made: Interaction) -> str | None:
    """Which stream's chunks don't add up to its stored bytes, if any's."""
    streams = {"e": made.response.stderr, "i": made.request.stdin or b""}
    streams["m" if made.request.stdio.stderr == "same" else "o"] = made.response.stdout
    for code, body in streams.items():
        assert isinstance(body, str | bytes)
        length = len(body.encode() if isinstance(body, str) else body)
        if sum(sizes(made.response.timing, code)) != length:
            return f"{code} has {sizes(made.response.timing, code)} for {length} bytes"
    return None

"""Records with any text in any field, for properties of the format."""

from typing import Any

from hypothesis import strategies as st

from agy_cassettes.interaction import (
    Exit,
    FileEvent,
    Interaction,
    Mark,
    Process,
    Record,
    Recorded,
    Request,
    Response,
    Stdio,
    Tick,
    Tty,
)
from agy_cassettes.scalars import canonical

_ODD = "\x80\x85\xa0\u2028\u2029\u200f\ufeff\ufffd\ufffe\uffffé\U0001f600\U0010ffff"
_BYTES = rb"\n|\n\n| |   |\t|\r|\r\n|\0|\a|\x1b[31m|\x7f|\xff|\xc3".split(b"|")
_WORDS = b"""x|word|"|'|\\|#| # x|: |- |---|...|{|}|[|!x|&a|*a|%YAML|>|?|~|null|on|2026-01-02""".split(b"|")
NASTY = (
    *(item.decode("unicode_escape").encode("latin-1") for item in _BYTES),
    *_WORDS,
    b"|",
    b"\\\n",
    b'- id: "01J-1"\n',
    b'  end: "01J-1 sha256:' + b"0" * 64 + b'"\n',
    b"<<<<<<< a\n",
    *(text.encode() for text in _ODD),
)

blobs = st.lists(st.sampled_from(NASTY), max_size=8).map(b"".join) | st.binary(max_size=40)
values = blobs.map(canonical)
texts = blobs.map(lambda data: data.decode("utf-8", "surrogateescape"))
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | values,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(values, inner, max_size=3),
    max_leaves=5,
)
unknown_names = (
    (texts | st.just("k" * 2000))
    .map(lambda name: canonical("x" + name))
    .filter(lambda name: isinstance(name, str))
)
extras: st.SearchStrategy[dict[str, Any]] = st.dictionaries(unknown_names, plain, max_size=2)  # type: ignore[arg-type]  # the filter leaves text
counts = st.integers(0, 10**9)
ticks = st.builds(Tick, counts, st.sampled_from("oemisw"), counts) | st.builds(
    Tick, counts, st.sampled_from("zxcw"), st.just(1)
)
recordeds = st.builds(
    Recorded,
    at=st.just("2026-12-01T01:02:03.456Z"),
    by=texts,
    agy=st.none() | texts,
    origin=st.sampled_from(("captured", "edited", "invented")),
    redaction=st.just("off") | st.integers(0, 9),
    redacted=counts,
    complete=st.booleans(),
    extra=extras,
)
kinds = st.sampled_from(("pipe", "socket", "tty", "file", "null", "closed"))
requests = st.builds(
    Request,
    argv=st.lists(values, max_size=3).map(lambda words: ("agy", *words)),
    prompt=st.none() | values,
    stdin=st.none() | values,
    cwd=texts,
    env=st.dictionaries(texts | st.just("K" * 2000), texts, max_size=3),
    stdio=st.builds(Stdio, stdin=kinds, stdout=kinds, stderr=kinds | st.just("same")),
    tty=st.none() | st.builds(Tty, rows=st.integers(0, 500), cols=st.integers(0, 500)),
    extra=extras,
)
exits = (
    st.builds(Exit, code=st.integers(0, 255)) | st.builds(Exit, signal=st.integers(1, 64)) | st.just(Exit())
)
responses = st.builds(
    Response,
    exit=exits,
    stdout=blobs,
    stderr=blobs,
    timing=st.lists(ticks, max_size=5).map(tuple),
    extra=extras,
)
components = texts.map(lambda text: "x" + text.replace("/", "").replace("\0", ""))
paths = st.just("${LOG_FILE}") | components.map(lambda name: "${AGY_HOME}/brain/" + name)
events = st.builds(
    FileEvent,
    op=st.sampled_from(("create", "append", "replace", "truncate", "rename", "delete", "symlink")),
    path=paths,
    before=st.none() | counts,
    text=st.none() | blobs,
    target=st.none() | components,
    approx=st.booleans(),
    extra=extras,
)
processes = st.builds(
    Process,
    client=st.none() | texts,
    killed_by=st.none() | texts,
    left_behind=st.lists(texts, max_size=2).map(tuple),
    sampled=st.booleans(),
    extra=extras,
)
interactions: st.SearchStrategy[Interaction] = st.builds(
    Interaction,
    id=st.just("01J0-4711"),
    recorded=recordeds,
    request=requests,
    response=responses,
    files=st.lists(events, max_size=3).map(tuple),
    process=st.none() | processes,
    extra=extras,
)
marks: st.SearchStrategy[Mark] = st.builds(
    Mark, id=st.just("01J0-4711m"), mark=texts, recorded=recordeds, note=st.none() | texts, extra=extras
)
records: st.SearchStrategy[Record] = interactions | marks

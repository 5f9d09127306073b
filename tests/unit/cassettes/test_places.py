import pytest
from hypothesis import given
from hypothesis import strategies as st

from agy_cassettes.edits import apply
from agy_cassettes.places import Places, is_text, to_live, to_stored

PLACES = Places(b"/home/ada", b"/home/ada/work", tmp=b"/tmp", log_file=b"/tmp/run/agy.log")
ODD = Places(
    b"/home/a$", (b"/home/a$/w x/",), agy_home=b"/home/a$/${CWD}", tmp=b"/t", log_file=b"/t/\xc3\xa9"
)

PIECES = [
    *(b"/home/ada", b"/home/ada/work", b"/home/ada/.gemini/antigravity-cli", b"/tmp", b"/tmp/run/agy.log"),
    *(b"/home/a$", b"/home/a$/w x", b"/home/a$/${CWD}", b"/t", b"/t/\xc3\xa9"),
    *(b"$", b"${HOME}", b"{HOME}", b"{CWD}", b"${PROMPT}", b"${TMP", b"}", b"/", b".", b"a", b" ", b"\xff"),
    *(b"\x1b[1m", b"\\n", b"\\u003e", b"\xe2\x80\x9c"),
]
texts = st.lists(st.sampled_from(PIECES) | st.binary(max_size=3), max_size=10).map(b"".join)


def stored(text: bytes, places: Places = PLACES, *, prompt: bool = False) -> bytes:
    return apply(text, to_stored(text, places, prompt=prompt))


def live(text: bytes, places: Places = PLACES, *, prompt: bytes | None = None) -> bytes:
    return apply(text, to_live(text, places, prompt=prompt))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"/home/ada", b"${HOME}"),
        (b"/home/ada/", b"${HOME}/"),
        (b"/home/ada/x.py", b"${HOME}/x.py"),
        (b"/home/ada/work/x.py", b"${CWD}/x.py"),
        (b"/home/ada/.gemini/antigravity-cli/log", b"${AGY_HOME}/log"),
        (b"/home/ada/.gemini/settings.json", b"${HOME}/.gemini/settings.json"),
        (b"--log-file=/tmp/run/agy.log", b"--log-file=${LOG_FILE}"),
        (b"/tmp/run/agy.log.1", b"${TMP}/run/agy.log.1"),
        (b"PATH=/home/ada/bin:/tmp:/bin", b"PATH=${HOME}/bin:${TMP}:/bin"),
        (b"file:///home/ada/x", b"file://${HOME}/x"),
        (b"it is in /home/ada.", b"it is in ${HOME}."),
        (b'"/home/ada"', b'"${HOME}"'),
        (rb'"a\n/home/ada\n"', rb'"a\n${HOME}\n"'),
        (rb'"x \u003e/home/ada\u0026"', rb'"x \u003e${HOME}\u0026"'),
        (b"\x1b[1;32m/home/ada\x1b[0m", b"\x1b[1;32m${HOME}\x1b[0m"),
        (rb"\u001b[1m/home/ada\u001b[0m", rb"\u001b[1m${HOME}\u001b[0m"),
        ("“/home/ada”".encode(), "“${HOME}”".encode()),
    ],
)
def test_a_path_at_a_whole_component_gets_its_name(text: bytes, expected: bytes) -> None:
    assert stored(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        b"/home/adam",
        b"/home/ada-old/x",
        b"/home/ada.bak",
        "/home/adaé".encode(),
        b"/mnt/home/ada",
        b"//home/ada",
        b"./home/ada",
        b"x/tmp",
        "é/tmp".encode(),
        b"$/home/ada",
        b"[1m/home/ada",
    ],
)
def test_part_of_another_component_is_left_alone(text: bytes) -> None:
    assert stored(text) == text


@pytest.mark.parametrize("name", [b"HOME", b"CWD", b"AGY_HOME", b"TMP", b"LOG_FILE"])
@pytest.mark.parametrize("dollars", [1, 2, 5])
def test_a_literal_name_gets_one_more_dollar(name: bytes, dollars: int) -> None:
    literal = b"a" + b"$" * dollars + b"{" + name + b"}b"
    assert stored(literal) == literal.replace(b"$" * dollars, b"$" * (dollars + 1))
    assert live(stored(literal)) == literal


def test_the_name_of_the_prompt_means_something_only_where_asked() -> None:
    assert stored(b"${PROMPT}") == b"${PROMPT}"
    assert stored(b"${PROMPT}", prompt=True) == b"$${PROMPT}"
    assert live(b"--print=${PROMPT}", prompt=b"say ${HOME}") == b"--print=say ${HOME}"
    assert live(b"$${PROMPT}", prompt=b"") == b"${PROMPT}"
    assert live(b"${PROMPT}") == b"${PROMPT}"


def test_bytes_that_are_not_text_are_left_alone() -> None:
    assert stored(b"/home/ada \xff ${HOME}") == b"/home/ada \xff ${HOME}"
    assert live(b"${HOME} \xff $${HOME}") == b"${HOME} \xff $${HOME}"


def test_a_name_without_a_path_stays_in_the_live_text() -> None:
    nowhere = Places(None, None)
    assert live(b"${HOME} ${LOG_FILE} $${HOME}", nowhere) == b"${HOME} ${LOG_FILE} ${HOME}"


def test_every_spelling_is_stored_and_the_first_is_put_back() -> None:
    places = Places((b"/home/ada", b"/private/home/ada"), None)
    assert stored(b"/private/home/ada/x /home/ada/x", places) == b"${HOME}/x ${HOME}/x"
    assert live(b"${HOME}/x", places) == b"/home/ada/x"


@pytest.mark.parametrize("path", [b"/", b"", b"relative/dir", b"///"])
def test_a_path_that_is_no_place_names_nothing(path: bytes) -> None:
    assert stored(b"/ /x relative/dir", Places(path, path, tmp=path)) == b"/ /x relative/dir"


def test_of_two_places_at_one_path_the_nearer_to_the_call_is_named() -> None:
    assert stored(b"/srv/x", Places(b"/srv", b"/srv", tmp=b"/srv")) == b"${CWD}/x"


def test_another_log_file_leaves_the_other_places() -> None:
    places = PLACES.with_log_file(b"/var/agy.log")
    assert stored(b"/var/agy.log /tmp/run/agy.log", places) == b"${LOG_FILE} ${TMP}/run/agy.log"


def test_the_state_folder_follows_the_home() -> None:
    moved_home = Places(b"/x", None)
    assert live(stored(b"/home/ada/.gemini/antigravity-cli/brain"), moved_home) == (
        b"/x/.gemini/antigravity-cli/brain"
    )


@given(texts, st.sampled_from([PLACES, ODD]), st.booleans())
def test_any_bytes_come_back(text: bytes, places: Places, prompt: bool) -> None:
    kept = stored(text, places, prompt=prompt)
    assert live(kept, places, prompt=b"" if prompt else None) == text


@given(texts, st.sampled_from([PLACES, ODD]), st.booleans())
def test_the_edits_are_in_order_and_apart(text: bytes, places: Places, prompt: bool) -> None:
    for edits in (
        to_stored(text, places, prompt=prompt),
        to_live(text, places, prompt=b"" if prompt else None),
    ):
        ends = [0, *(end for _, end, _ in edits)]
        assert all(end <= start <= stop for end, (start, stop, _) in zip(ends, edits, strict=False))


@given(st.binary() | st.text().map(str.encode))
def test_text_is_what_utf_8_can_read(data: bytes) -> None:
    try:
        data.decode()
        expected = True
    except UnicodeDecodeError:
        expected = False
    assert is_text(data) is expected


def test_a_character_across_two_steps_of_the_check_is_text() -> None:
    assert is_text(b"a" * ((1 << 20) - 1) + "é".encode() * 10)
    assert not is_text(b"a" * ((1 << 20) - 1) + "é".encode() + b"\xc3")

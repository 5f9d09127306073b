from agy_cassettes.places import Places
from agy_cassettes.stored import stored_request

PLACES = Places(b"/home/ada", b"/home/ada/work", tmp=b"/tmp")
CWD = b"/home/ada/work"


def test_the_prompt_in_argv_has_its_name_and_paths_have_theirs() -> None:
    request = stored_request(
        [b"/bin/agy", b"--add-dir", b"/home/ada/work/src", b"-p", b"look at /home/ada/x"], None, CWD, PLACES
    )
    assert request.argv == (b"agy", b"--add-dir", b"${CWD}/src", b"-p", b"${PROMPT}")
    assert request.prompt == b"look at ${HOME}/x"
    assert request.cwd == b"${CWD}"
    assert request.stdin is None


def test_a_prompt_behind_an_equals_sign_keeps_its_flag() -> None:
    request = stored_request([b"agy", b"--print=-x"], None, CWD, PLACES)
    assert request.argv == (b"agy", b"--print=${PROMPT}")
    assert request.prompt == b"-x"


def test_a_prompt_on_stdin_is_the_prompt() -> None:
    request = stored_request([b"agy"], b"in /tmp\n", CWD, PLACES)
    assert (request.prompt, request.stdin) == (b"in ${TMP}\n", b"${PROMPT}")


def test_an_empty_stdin_is_no_prompt() -> None:
    request = stored_request([b"agy"], b"", CWD, PLACES)
    assert (request.prompt, request.stdin) == (None, b"")


def test_stdin_beside_a_prompt_flag_is_stored_as_itself() -> None:
    request = stored_request([b"agy", b"-p", b"hi"], b"${PROMPT} /tmp", CWD, PLACES)
    assert (request.prompt, request.stdin) == (b"hi", b"$${PROMPT} ${TMP}")


def test_a_literal_name_of_the_prompt_in_another_argument_is_told_apart() -> None:
    request = stored_request([b"agy", b"--model", b"${PROMPT}", b"-p", b"${PROMPT}"], None, CWD, PLACES)
    assert request.argv == (b"agy", b"--model", b"$${PROMPT}", b"-p", b"${PROMPT}")
    assert request.prompt == b"${PROMPT}"


def test_the_log_file_that_the_call_names_is_a_place() -> None:
    request = stored_request(
        [b"agy", b"--log-file=/tmp/r/a.log", b"-p", b"see /tmp/r/a.log"], None, CWD, PLACES
    )
    assert request.argv[1] == b"--log-file=${LOG_FILE}"
    assert request.prompt == b"see ${LOG_FILE}"
    assert request.places.paths[b"LOG_FILE"] == (b"/tmp/r/a.log",)


def test_a_relative_log_file_is_below_the_working_directory() -> None:
    request = stored_request([b"agy", b"--log-file", b"a.log", b"-p", b"x"], None, CWD, PLACES)
    assert request.argv[2] == b"a.log"
    assert request.places.paths[b"LOG_FILE"] == (b"/home/ada/work/a.log",)


def test_arguments_that_are_not_text_are_kept_as_they_are() -> None:
    request = stored_request([b"agy", b"--model", b"\xff/tmp", b"-p", b"\xfe /tmp"], None, CWD, PLACES)
    assert request.argv == (b"agy", b"--model", b"\xff/tmp", b"-p", b"${PROMPT}")
    assert request.prompt == b"\xfe /tmp"

"""Stand-in until the module itself is written; replace the whole file."""

from fake_agy import transcript


def user_content(prompt, *, local_time, settings_change):
    return transcript.user_content(prompt, local_time=local_time, first_model=settings_change)


def restart_notice(at):
    return transcript.restart_notice(at)


def result_type(name, profile):
    return "GENERIC"


def tool_result(call, profile, *, created, finished, output, exit_code, error):
    return error or output

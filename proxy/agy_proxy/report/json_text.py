"""Text in our JSON: a string where it is UTF-8, else its bytes."""

import base64


def json_text(value: str | bytes | None) -> str | dict[str, str] | None:
    """The value as JSON has it: a string where it is UTF-8, else ``{"base64": ...}``.

    A `str` may hold bytes escaped as the operating system's names are.
    """
    if value is None:
        return None
    raw = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(raw).decode("ascii")}

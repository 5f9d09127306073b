"""``annotations/<id>.pbtxt``: the name of a conversation as a text protobuf (stores.md 1.2)."""

from __future__ import annotations

from fake_agy.stores.files import replace_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.stores.layout import Layout

_ESCAPES = {ord("\n"): "\\n", ord("\r"): "\\r", ord("\t"): "\\t", ord('"'): '\\"', ord("\\"): "\\\\"}


def annotate(layout: Layout, conversation: str, title: str) -> None:
    """Write a conversation's name."""
    replace_private(
        f"{layout.root}/annotations/{conversation}.pbtxt", f'title:"{_escaped(title)}"\n'.encode()
    )


def _escaped(text: str) -> str:
    """Write a text in C's escapes, bytes that are not printable ASCII in octal."""
    return "".join(
        _ESCAPES.get(byte, chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}")
        for byte in text.encode(errors="replace")
    )

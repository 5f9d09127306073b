"""What the double says: pure functions of the seed and of what was said so far."""

import hashlib
from collections.abc import Sequence

from fake_agy.go_json import Json
from fake_agy.transcript import Told

_WORDS = (
    "alder",
    "birch",
    "cedar",
    "elm",
    "hazel",
    "juniper",
    "larch",
    "maple",
    "oak",
    "pine",
    "rowan",
    "yew",
)
_RECALLED = 4
"""How many prompts are recalled from each end of a long conversation."""


def answer(seed: int, conversation: str, earlier: Sequence[Told], prompt: str) -> str:
    """Answer a prompt: which turn it is, what was asked, what was said before, and a word of the seed's."""
    turn = len(earlier) + 1
    drawn = hashlib.sha256(f"{seed} {conversation} {turn}".encode()).digest()
    word = f"{_WORDS[drawn[0] % len(_WORDS)]}-{drawn[1]}"
    lines = [f'This is turn {turn} of our conversation. You said: "{short(prompt)}"']
    lines += [f"Earlier you told me: {recall(earlier)}"] if earlier else []
    return "".join(f"{line}\n" for line in (*lines, f"My word for this turn is {word}."))


def recall(earlier: Sequence[Told]) -> str:
    """Name the earlier prompts by turn, the middle of a long conversation left out."""
    named = [f'{number}) "{short(turn.prompt)}"' for number, turn in enumerate(earlier, 1)]
    if len(named) > 2 * _RECALLED:
        named[_RECALLED:-_RECALLED] = ["..."]
    return ", ".join(named)


def short(prompt: str) -> str:
    """Put a prompt on one line of at most 85 characters, both ends kept."""
    line = " ".join(prompt.split())
    return line if len(line) <= 85 else f"{line[:40]} ... {line[-40:]}"


def thinking(prompt: str) -> str:
    """Write the thought a planner row carries, in agy's shape (stores.md 2.3)."""
    return f"**Answering the request**\n\nThe user said: {short(prompt)}\n\n\n"


def usage(turns: Sequence[Told]) -> dict[str, Json]:
    """Count tokens over the whole conversation, as agy does across processes (contract.md 3.1).

    Each turn sends all that was said before it; four bytes are a token.
    """
    total_input = total_output = total_thinking = said = 0
    for turn in turns:
        said += len(turn.prompt.encode())
        total_input += 16000 + said // 4
        if turn.answer is not None:
            said += len(turn.answer.encode())
            total_thinking += 20
            total_output += 20 + len(turn.answer.encode()) // 4
    return {
        "input_tokens": total_input,
        "output_tokens": total_output,
        "thinking_tokens": total_thinking,
        "cache_read_tokens": 0,
        "total_tokens": total_input + total_output,
    }

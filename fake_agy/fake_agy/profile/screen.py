"""What is shown on a terminal, and what is asked of it (contract.md 2.2, 4.1, 7)."""

from __future__ import annotations

from fake_agy.profile.row import Behaviour, Row

BEHAVIOURS: tuple[Behaviour, ...] = (
    Behaviour(
        "print-on-terminal",
        "how print mode writes text to a terminal: with the terminal's own sequences, or plain",
        (
            Row((1, 0, 0), "styled", "reported by 2", "contract.md 2.2"),
            Row((1, 0, 15), "plain", "inferred", "contract.md 2.2"),
        ),
    ),
    Behaviour(
        "piped-text",
        "whether an answer in text mode reaches a stdout that is no terminal",
        (Row((1, 0, 0), "shown", "contradicted", "contract.md 2.2; issue 76 on Windows, up to 1.0.14"),),
        others=("lost",),
    ),
    Behaviour(
        "exit-lines",
        "what a terminal session says at its end about going on: a command, in some versions alone, in others"
        " with how to do it without the id, or in the same project",
        (
            Row((1, 0, 0), "project", "reported by 1", "contract.md 4.1; the words inferred"),
            Row((1, 0, 13), "one", "reported by 1", "contract.md 8; changelog"),
            Row((1, 1, 1), "two", "captured", "contract.md 4.1; gobby, firstmate"),
        ),
    ),
    Behaviour(
        "ctrl-c",
        "whether the first Ctrl-C exits, or cancels and the second one exits",
        (
            Row((1, 0, 0), "exits", "inferred", "contract.md 7.1, 8; changelog"),
            Row((1, 0, 11), "twice", "reported by 3 or more", "contract.md 6.2, 7.1; changelog, gobby"),
        ),
    ),
    Behaviour(
        "unbracketed-paste",
        "what lines are that come at once and without the brackets of a paste: sent one by one, or one text,"
        " which a separate Enter sends",
        (
            Row((1, 0, 0), "line-by-line", "reported by 1", "contract.md 7.1; changelog"),
            Row((1, 1, 14), "one-text", "reported by 2", "contract.md 7.1; changelog, firstmate"),
        ),
    ),
    Behaviour(
        "permission-question",
        "what the card for a permission asks",
        (
            Row((1, 0, 0), "proceed", "captured", "contract.md 7.1; cozy"),
            Row((1, 1, 28), "by-tool", "reported by 1", "contract.md 7.1; changelog"),
        ),
    ),
    Behaviour(
        "announcement-card",
        "a card above the first prompt tells what is new; the words are inferred",
        (
            Row((1, 0, 0), False, "inferred", "contract.md 7.1"),
            Row((1, 2, 17), True, "reported by 1", "contract.md 7.1; changelog"),
        ),
    ),
    Behaviour(
        "survey-card",
        "after the first answer a card asks how it is, and waits for a key",
        (Row((1, 0, 0), False, "contradicted", "contract.md 7.1; cozy, firstmate saw one now and then"),),
        others=(True,),
    ),
    Behaviour(
        "tool-lines",
        "tools that stand in a row have a line each, or one together; the words of that are inferred",
        (
            Row((1, 0, 0), "each", "captured", "contract.md 7.1; cozy"),
            Row((1, 3, 0), "grouped", "reported by 1", "contract.md 7.1; changelog"),
        ),
    ),
    Behaviour(
        "default-screen",
        "where a session is shown if altScreenMode is default: below what stands there, or on its own screen",
        (Row((1, 0, 0), "inline", "inferred", "contract.md 7.1"),),
        others=("own",),
    ),
    Behaviour(
        "graphics-query",
        "to which terminals the question for Kitty graphics goes",
        (
            Row((1, 0, 0), "always", "inferred", "contract.md 7.1"),
            Row((1, 2, 12), "no-multiplexer", "reported by 1", "contract.md 7.1; changelog"),
            Row((1, 2, 15), "known-over-ssh", "reported by 1", "contract.md 7.1; changelog"),
        ),
    ),
    Behaviour(
        "terminal-name-query",
        "the terminal is asked for its name",
        (
            Row((1, 0, 0), False, "inferred", "contract.md 7.1"),
            Row((1, 2, 15), True, "reported by 1", "contract.md 7.1; changelog"),
        ),
    ),
    Behaviour(
        "kitty-keyboard",
        "the Kitty keyboard protocol is asked for once, or after each turn again",
        (
            Row((1, 0, 0), "once", "inferred", "contract.md 7.1"),
            Row((1, 1, 16), "again", "reported by 1", "contract.md 7.1; changelog"),
        ),
    ),
    Behaviour(
        "history-type",
        "a line of history.jsonl says whether it was a prompt or a slash command",
        (
            Row((1, 0, 0), False, "reported by 2", "stores.md 4.5"),
            Row((1, 1, 27), True, "inferred", "stores.md 4.5; session-compass reads it"),
        ),
    ),
)

"""The steps that open a turn, as their rows read (stores.md 2.3, 3.3)."""

from pathlib import Path

from tests.support.double_calls import ask, play


def test_the_checkpoint_that_names_a_conversation_reads_as_recorded(tmp_path: Path) -> None:
    played = play(tmp_path, "1.0.10", ask("-p", "list the {files}"))
    row = played.rows()[-1]
    content = row["content"]
    log = played.double.root / "brain" / played.double.newest_conversation() / ".system_generated" / "logs"

    assert (row["type"], row["source"], row["status"]) == ("CHECKPOINT", "SYSTEM", "DONE")
    assert content.startswith(
        "{{ CHECKPOINT 0 }}\n **The earlier parts of this conversation have been truncated due to its long "
        "length. "
    )
    assert " **\n\n\n# USER Objective:\n" in content
    assert (
        "\n\n# User Requests\nThe following were user requests from the truncated conversation in "
        "chronological order:\n1. list the {files}\n\n# Conversation Logs\n\nReference the following log "
        f"files for the full, untruncated conversation:\n\n- {log}/transcript.jsonl\n\n**IMPORTANT: "
    ) in content
    assert "DO NOT ACKNOWLEDGE THIS CHECKPOINT MESSAGE. " in content
    assert content.endswith("**")

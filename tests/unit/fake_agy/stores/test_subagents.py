"""What a conversation keeps of its children (stores.md 1.4, 2.3)."""

from pathlib import Path

from fake_agy.stores.layout import brain, layout_of
from fake_agy.stores.subagents import created_text, write_child


def test_a_child_is_noted_beside_its_parents_transcripts(tmp_path: Path) -> None:
    place = layout_of(str(tmp_path))
    for child, uris in (("one", ()), ("two", ("file:///w",))):
        write_child(
            place, "conv", child, type_name="research", role="Reader", spawn_step=2, workspace_uris=uris
        )
    folder = Path(brain(place, "conv")) / ".system_generated" / "subagents"

    assert (folder / "one.json").read_text() == (
        '{"conversationId":"one","subagentDescriptor":{"typeName":"research","role":"Reader"},'
        '"state":"SUBAGENT_STATE_ALIVE","spawnStepIndex":2}'
    )
    assert (folder / "two.json").read_text().endswith(',"spawnStepIndex":2,"workspaceUris":["file:///w"]}')


def test_the_result_of_sending_one_out_reads_as_recorded() -> None:
    assert created_text("one", "file:///l/transcript.jsonl", ["file:///w"]) == (
        'Created the following subagents:\n{\n  "conversationId":  "one",\n'
        '  "logAbsoluteUri":  "file:///l/transcript.jsonl",\n'
        '  "workspaceUris":  [\n    "file:///w"\n  ]\n}\n'
        "The subagents will send you a message when they are done."
    )
    assert '"logAbsoluteUri":  "file:///l"\n}\n' in created_text("one", "file:///l", [])

from fake_agy.answer import answer, recall, short, usage
from fake_agy.transcript import Told

ID = "6a459081-19d6-465b-a339-76a50db44af6"


def test_a_first_answer_names_its_turn_and_what_was_asked() -> None:
    first = answer(1, ID, (), "ping")
    assert first.startswith('This is turn 1 of our conversation. You said: "ping"\n')
    assert first.endswith(".\n")


def test_a_later_answer_recalls_what_it_was_told() -> None:
    later = answer(1, ID, (Told("my cat is Tom", "ok\n"), Told("my dog is Rex", None)), "who is Tom?")
    assert later.startswith("This is turn 3 ")
    assert '1) "my cat is Tom", 2) "my dog is Rex"\n' in later


def test_an_answer_depends_on_nothing_but_its_arguments_and_another_seed_changes_it() -> None:
    assert answer(1, ID, (), "ping") == answer(1, ID, (), "ping")
    assert len({answer(seed, ID, (), "ping") for seed in range(50)}) > 40


def test_a_long_prompt_is_shown_by_both_ends() -> None:
    assert short("begin " + "x" * 500 + " end") == "begin " + "x" * 34 + " ... " + "x" * 36 + " end"
    assert short("two\n  lines") == "two lines"


def test_a_long_conversation_is_recalled_by_both_ends() -> None:
    named = recall([Told(f"p{number}", None) for number in range(1, 31)])
    assert named.startswith('1) "p1", ')
    assert named.endswith('30) "p30"')
    assert ", ..., " in named
    assert '"p15"' not in named


def test_figures_add_up_over_the_conversation() -> None:
    one, two = Told("a", "b" * 40), Told("c", "d" * 80)
    first, both = usage((one,)), usage((one, two))
    assert list(first) == [
        "input_tokens",
        "output_tokens",
        "thinking_tokens",
        "cache_read_tokens",
        "total_tokens",
    ]
    assert (both["output_tokens"], both["thinking_tokens"]) == (70, 40)
    assert both["input_tokens"] == 16000 + 16010
    assert both["total_tokens"] == 32010 + 70

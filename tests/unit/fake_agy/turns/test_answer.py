from fake_agy.stores.step import Usage
from fake_agy.turns.answer import answer, recall, short, title, total, usage_of

ID = "6a459081-19d6-465b-a339-76a50db44af6"


def test_a_first_answer_names_its_turn_and_what_was_asked() -> None:
    first = answer(1, ID, (), "ping")
    assert first.startswith('This is turn 1 of our conversation. You said: "ping"\n')
    assert first.endswith(".\n")


def test_a_later_answer_recalls_what_it_was_told() -> None:
    later = answer(1, ID, ("my cat is Tom", "my dog is Rex"), "who is Tom?")
    assert later.startswith("This is turn 3 ")
    assert '1) "my cat is Tom", 2) "my dog is Rex"\n' in later


def test_an_answer_depends_on_nothing_but_its_arguments_and_another_seed_changes_it() -> None:
    assert answer(1, ID, (), "ping") == answer(1, ID, (), "ping")
    assert len({answer(seed, ID, (), "ping") for seed in range(50)}) > 40


def test_a_long_prompt_is_shown_by_both_ends() -> None:
    assert short("begin " + "x" * 500 + " end") == "begin " + "x" * 34 + " ... " + "x" * 36 + " end"
    assert short("two\n  lines") == "two lines"


def test_a_long_conversation_is_recalled_by_both_ends() -> None:
    named = recall([f"p{number}" for number in range(1, 31)])
    assert named.startswith('1) "p1", ')
    assert named.endswith('30) "p30"')
    assert ", ..., " in named
    assert '"p15"' not in named


def test_a_title_is_the_first_words() -> None:
    assert title("one two\nthree four five six seven") == "one two three four five six"
    assert title(" ") == "New conversation"


def test_each_response_counts_what_was_sent_and_what_was_said() -> None:
    assert usage_of(40, "b" * 40, cached=False) == Usage(16010, 30, 20, 0)
    assert usage_of(40, "b" * 40, cached=True) == Usage(16010, 30, 20, 16010)


def test_figures_add_up() -> None:
    summed = total([Usage(1, 2, 3, 4), Usage(10, 20, 30, 40)])
    assert summed == Usage(11, 22, 33, 44)
    assert summed.total == 33

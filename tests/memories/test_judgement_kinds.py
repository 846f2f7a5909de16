"""What the judge makes of each kind of pair, in both languages, however near the vectors are."""

from itertools import product

import pytest

from memories.judgement import Statement, judge
from memories.judgement.guards import find_vetoes
from memories.judgement.pairs import compare_statements
from memories.judgement.reading import read
from xiajiao.embeddings.calibration import calibration_for

MERGED = {"reinforce", "ignore"}
VERBS_OF_CHANGE = [
    ("用户用{a}", "用户从{a}换成了{b}"),
    ("用户用{a}", "用户不再用{a}，改用{b}"),
    ("用户用{a}", "用户改用{b}，不用{a}了"),
    ("The user uses {a}", "The user switched from {a} to {b}"),
    ("The user uses {a}", "The user uses {b} instead of {a}"),
    ("The user uses {a}", "The user replaced {a} with {b}"),
]
VALUES = [("Firefox", "Safari"), ("MySQL", "SQLite"), ("Jira", "Linear")]
ENDED = [
    ("用户在图书馆做义工", "用户离开了图书馆"),
    ("用户住在公寓里", "用户从公寓搬了出去"),
    ("用户每天喝可乐", "用户戒了可乐"),
    ("The user sings in the choir", "The user left the choir"),
    ("The user works at the bakery part-time", "The user has left the bakery"),
    ("The user drinks soda", "The user doesn't drink soda anymore"),
    ("The user drinks soda", "The user does not drink soda any more"),
    ("The user eats salmon", "The user doesn't eat fish"),
    ("用户爱喝普洱茶", "用户不喝茶"),
]
OPPOSED = [
    ("用户害怕蜘蛛", "用户喜欢蜘蛛"),
    ("The user dreads exams", "The user enjoys exams"),
    ("The user is pleased with the dentist", "The user is disappointed with the dentist"),
    ("The user is scared of storms", "用户喜欢暴风雨"),
    ("用户痛恨开会", "用户热爱开会"),
]
OTHER_NUMBER = [
    ("用户的房租是每月三千", "用户的房租涨到了每月三千五"),
    ("The user's rent is 700 euros", "The user's rent went up to 820 euros"),
    ("账单每月五号出", "账单每月九号出"),
    ("The team ships every two weeks", "The team ships every week"),
]
SAME = [
    ("后端框架是 Flask", "项目后端是用 Flask 写的"),
    ("The backend framework is Flask", "The project's backend is written with Flask"),
    ("用户喝牛奶不放糖", "用户喝无糖的牛奶"),
    ("The user is a night owl", "The user stays up late"),
    ("The user's cousin is in high school", "The user's cousin is a high school student"),
    ("用户在备考雅思", "The user is preparing for IELTS"),
]
KEPT_APART = [
    ("用户的左肩受过伤", "用户的右肩受过伤"),
    ("用户饭前散步", "用户饭后散步"),
    ("The user sleeps with the radio on", "The user sleeps with the radio off"),
    ("The user has siblings", "The user has no siblings"),
]
STAND_SIDE_BY_SIDE = [
    ("用户把门漆成了灰色", "用户把墙漆成了灰色"),
    ("The user likes Lisbon", "The user left Lisbon yesterday"),
    ("The user left the umbrella in the library", "The user studies in the library"),
    ("The user had surgery on the left foot", "The user had surgery on the right foot"),
    ("The user is scared of storms", "The user loves mountains"),
]


def decide(new: str, old: str) -> str:
    return judge(Statement(new), Statement(old), 0.99, calibration_for("e5")).action


@pytest.mark.parametrize(("before", "after"), VERBS_OF_CHANGE)
@pytest.mark.parametrize(("a", "b"), VALUES)
def test_a_change_from_one_value_to_another_ends_the_first(before: str, after: str, a: str, b: str) -> None:
    old, new = before.format(a=a, b=b), after.format(a=a, b=b)
    assert decide(new, old) == "supersede"
    assert decide(old, new) not in MERGED


@pytest.mark.parametrize(("old", "new"), [*ENDED, *OPPOSED, *OTHER_NUMBER])
def test_what_ends_denies_or_changes_a_state_takes_its_place(old: str, new: str) -> None:
    assert decide(new, old) == "supersede"


@pytest.mark.parametrize(("one", "other"), SAME)
def test_a_word_that_only_names_the_class_or_turns_twice_makes_no_other_fact(one: str, other: str) -> None:
    assert decide(one, other) == "reinforce"
    assert decide(other, one) == "reinforce"


@pytest.mark.parametrize(("one", "other"), KEPT_APART)
def test_words_of_opposite_sides_are_never_merged(one: str, other: str) -> None:
    assert not {decide(one, other), decide(other, one)} & MERGED


@pytest.mark.parametrize(("one", "other"), STAND_SIDE_BY_SIDE)
def test_facts_about_two_things_both_stay(one: str, other: str) -> None:
    assert (decide(one, other), decide(other, one)) == ("add", "add")


TEXTS = sorted({text for pair in (*ENDED, *OPPOSED, *OTHER_NUMBER, *SAME, *KEPT_APART) for text in pair})


@pytest.mark.parametrize("text", TEXTS)
def test_a_statement_beside_itself_is_ignored(text: str) -> None:
    assert decide(text, text) == "ignore"


def test_a_veto_does_not_depend_on_the_order() -> None:
    for one, other in product(TEXTS, TEXTS):
        pair, turned = compare_statements(read(one), read(other)), compare_statements(read(other), read(one))
        assert bool(find_vetoes(pair)) == bool(find_vetoes(turned)), (one, other)


def test_statements_whose_numbers_differ_are_never_merged() -> None:
    forms = ["用户有{}本字典", "用户跑了{}公里", "The user pays {} euros", "Sessions end after {} minutes"]
    for form, one, other in product(forms, (2, 7, 30), (3, 8, 300)):
        assert decide(form.format(one), form.format(other)) not in MERGED

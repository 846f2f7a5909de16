import pytest

from memories.judgement.guards import find_vetoes
from memories.judgement.pairs import compare_statements
from memories.judgement.reading import read

VETOES = [
    ("other_value", "用户在学德语", "用户在学法语"),
    ("other_value", "The user plays the cello", "The user plays the flute"),
    ("other_value", "用户想用英文写信", "用户想用表格写信"),
    ("other_subject", "用户的弟弟是律师", "用户是律师"),
    ("other_subject", "The user's aunt lives in Rome", "The user lives in Rome"),
    ("other_subject", "城南店的营业额最高", "城北店的营业额最高"),
    ("numbers", "用户每周游泳两次", "用户每周游泳四次"),
    ("numbers", "The build takes 12 minutes", "The build takes 20 minutes"),
    ("negation", "用户喜欢蓝莓", "用户不喜欢蓝莓"),
    ("negation", "The user trusts the forecast", "The user doesn't trust the forecast"),
    ("negation", "用户偏好手动部署", "用户偏好自动部署"),
    ("names", "The survey is led by Marta", "The survey is led by Oskar"),
    ("names", "王建国负责采购", "李晓梅负责采购"),
    ("time", "用户去过冰岛", "用户打算去冰岛"),
    ("time", "The user used to live in Rome", "The user lives in Rome"),
    ("change", "用户换成了电动牙刷", "用户用电动牙刷"),
    ("order", "The user prefers trains over planes", "The user prefers planes over trains"),
    ("says_more", "用户是厨师", "用户是厨师协会的理事"),
    ("nothing_shared", "用户怕蛇", "日志要保留"),
]


@pytest.mark.parametrize(("veto", "one", "other"), VETOES)
def test_what_forbids_a_merge_forbids_it_in_either_order(veto: str, one: str, other: str) -> None:
    first, second = read(one), read(other)
    assert veto in find_vetoes(compare_statements(first, second))
    assert veto in find_vetoes(compare_statements(second, first))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("用户不吸烟", "用户戒烟"),
        ("用户讨厌噪音", "用户不喜欢噪声"),
        ("The user avoids spicy dishes", "The user does not eat spicy food"),
        ("The user's mum is a dentist", "The user's mother is a dentist"),
        ("用户的电脑内存是 32GB", "The user's computer has 32 GB of RAM"),
        ("The user prefers trains over planes", "The user likes trains better than planes"),
    ],
)
def test_other_words_for_the_same_are_not_forbidden(one: str, other: str) -> None:
    assert find_vetoes(compare_statements(read(one), read(other))) == []

import pytest

from memories.judgement.changes import find_change
from memories.judgement.changing import part_change
from memories.judgement.normalising import normalise
from memories.judgement.pairs import compare_statements
from memories.judgement.reading import read

CHANGES = [
    ("turned", "用户会滑雪", "用户不会滑雪"),
    ("turned", "The user likes oysters", "The user hates oysters"),
    ("turned", "用户每天早上喝豆浆", "用户已经不喝豆浆了"),
    ("turned", "The user drinks espresso", "The user doesn't drink coffee"),
    ("turned", "用户害怕猫", "用户喜欢猫"),
    ("turned", "The user can ski", "用户不会滑雪"),
    ("other_time", "读书会在周二下午两点", "读书会改到周五上午十点"),
    ("other_time", "The standup is at 9 am", "The standup is at 9:30 am"),
    ("other_number", "用户的鞋码是 40", "用户的鞋码是 41"),
    ("other_number", "Sessions expire after 20 minutes", "Sessions expire after 60 minutes"),
    ("other_value", "用户住在厦门", "用户住在青岛"),
    ("other_value", "The user lives in Lisbon", "The user moved from Lisbon to Madrid"),
    ("other_value", "The user is married", "The user is divorced"),
    ("other_value", "项目的数据库是 MySQL", "The project's database is SQLite"),
    ("other_value", "团队用 Trello 管理任务", "团队从 Trello 换成了 Linear"),
]
NO_CHANGES = [
    ("用户喜欢荔枝", "用户喜欢芒果"),
    ("用户会说西班牙语", "用户会说俄语"),
    ("The user has a parrot", "The user has a hamster"),
    ("The user bought a tent", "The user bought a kayak"),
    ("用户去过埃及", "用户去过希腊"),
    ("用户的妹妹住在厦门", "用户住在青岛"),
    ("用户不吃羊肉", "用户不吃香菜"),
    ("The user doesn't drink tea in the evening", "The user drinks tea"),
    ("The user visited Norway last year", "The user plans a trip to Norway"),
    ("Building 3 has a gym", "Building 5 has a gym"),
    ("The user reviewed pull request #41", "The user reviewed pull request #42"),
    ("用户以前住在厦门", "用户住在青岛"),
]


@pytest.mark.parametrize(("kind", "one", "other"), CHANGES)
def test_a_changed_value_is_found_in_either_order(kind: str, one: str, other: str) -> None:
    first, second = read(one), read(other)
    assert find_change(compare_statements(first, second)) == kind
    assert find_change(compare_statements(second, first)) == kind


@pytest.mark.parametrize(("one", "other"), NO_CHANGES)
def test_what_may_stand_side_by_side_is_no_change(one: str, other: str) -> None:
    assert find_change(compare_statements(read(one), read(other))) is None
    assert find_change(compare_statements(read(other), read(one))) is None


@pytest.mark.parametrize(
    ("text", "ended"),
    [
        ("用户从无锡搬到了珠海", "无锡"),
        ("The team switched from Trello to Linear", "trello"),
        ("The user uses Obsidian instead of Notion", "notion"),
        ("The user replaced the old lamp with a new one", "the old lamp"),
        ("The user comes from Wuxi", ""),
    ],
)
def test_a_change_names_what_it_puts_an_end_to(text: str, ended: str) -> None:
    kept, former = part_change(normalise(text))
    assert former == ended
    assert not ended or ended not in kept


def test_what_is_only_intended_is_no_change_yet() -> None:
    assert not read("用户打算下个月离职").is_change
    assert read("用户上个月离职了").is_change

import pytest

from memories.judgement import Statement, judge
from xiajiao.embeddings.calibration import calibration_for

# As near as two sentences can be: what decides here is what they say.
NEAR = 0.99

SAME = [
    ("用户住在杭州", "用户现居杭州市"),
    ("用户有两个孩子", "用户家里有两个小孩"),
    ("The user prefers summaries in tables", "The user likes tables for summaries"),
    ("The user usually goes to bed at 11 pm", "The user typically sleeps at eleven in the evening"),
]
DIFFERENT = [
    ("用户喜欢喝咖啡", "用户喜欢喝茶"),
    ("用户的妻子是医生", "用户的哥哥是医生"),
    ("用户会说英语", "用户会说法语"),
    ("The user likes coffee", "The user likes tea"),
    ("Anna owns the payment module", "Ben owns the order module"),
    ("The user's father lives in Leeds", "The user's mother lives in York"),
]
CHANGED = [
    ("用户住在杭州", "用户住在北京"),
    ("代码缩进用两个空格", "代码缩进用四个空格"),
    ("项目使用 MySQL 数据库", "项目的数据库从 MySQL 换成了 PostgreSQL"),
    ("The user is 28 years old", "The user is 29 years old"),
    ("The user drinks coffee every morning", "The user no longer drinks coffee"),
    ("The project uses MySQL", "The project moved from MySQL to PostgreSQL"),
]


def decide(new: str, old: str, cosine: float | None = NEAR) -> str:
    return judge(Statement(new), Statement(old), cosine, calibration_for("e5")).action


@pytest.mark.parametrize(("old", "new"), SAME)
def test_the_same_fact_in_other_words_is_reinforced_in_either_order(old: str, new: str) -> None:
    assert (decide(new, old), decide(old, new)) == ("reinforce", "reinforce")


@pytest.mark.parametrize(("old", "new"), DIFFERENT)
def test_two_facts_of_one_kind_both_stay_however_near_they_are(old: str, new: str) -> None:
    assert (decide(new, old), decide(old, new)) == ("add", "add")


@pytest.mark.parametrize(("old", "new"), CHANGED)
def test_a_changed_value_ends_the_old_one_and_is_never_merged_with_it(old: str, new: str) -> None:
    assert decide(new, old) == "supersede"
    assert decide(old, new) not in {"reinforce", "ignore"}


@pytest.mark.parametrize("text", ["用户喜欢 Python。", "The user likes Python", "  the USER likes python!"])
def test_the_same_text_is_ignored(text: str) -> None:
    assert decide(text, text) == "ignore"
    assert decide(text, text, None) == "ignore"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("用户的手机号是 13651039007", "用户的手机号是 13651039008"),
        ("The user pays 40 euros", "The user pays 50 euros"),
        ("会议在 3 月 5 日", "会议在 3 月 6 日"),
        ("The project runs on Python 3.11", "The project runs on Python 3.12"),
    ],
)
def test_numbers_that_differ_are_never_merged(one: str, other: str) -> None:
    assert not {decide(one, other), decide(other, one)} & {"reinforce", "ignore"}


@pytest.mark.parametrize(
    "text", ["", "。", "\ud800\ud800", "\x00", "\ufdfa" * 300, "👩‍👩‍👧" * 50, "a." * 190, "从了" * 150, "1-" * 190]
)
def test_hostile_texts_are_judged_too(text: str) -> None:
    assert decide(text, "用户住在杭州") == "add"
    assert decide("The user lives in Berlin", text) == "add"
    assert decide(text, text) == "ignore"


def test_texts_of_many_sentences_are_compared_word_for_word_only() -> None:
    text = "用户住在杭州，" * 80
    assert decide(text, text + "用户爱喝茶") == "add"
    assert decide(text, text) == "ignore"


def test_an_event_closes_no_other_event() -> None:
    new = Statement("用户上周去了杭州", "episodic")
    old = Statement("用户上周去了北京", "episodic")
    assert judge(new, old, NEAR, calibration_for("e5")).action == "add"


def test_what_is_far_in_meaning_is_not_even_compared() -> None:
    verdict = judge(Statement("用户住在杭州"), Statement("用户现居杭州市"), 0.2, calibration_for("e5"))
    assert (verdict.action, verdict.reason["rule"]) == ("add", "not_near")


def test_without_a_vector_only_nearly_the_same_wording_counts() -> None:
    assert decide("用户害怕坐飞机", "用户有飞行恐惧", None) == "add"

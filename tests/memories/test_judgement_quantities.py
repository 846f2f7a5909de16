import pytest

from memories.judgement.quantities import Quantity, extract_quantities


def read(text: str) -> list[tuple[str, str]]:
    return [(quantity.dimension, quantity.value) for quantity in extract_quantities(text)[0]]


@pytest.mark.parametrize(
    ("text", "dimension", "value"),
    [
        ("用户每天早上七点半起床", "clock", "7.5"),
        ("The user gets up at seven in the morning", "clock", "7"),
        ("用户晚上十一点睡觉", "clock", "23"),
        ("备份在夜里两点", "clock", "2"),
        ("it starts at 10:30pm", "clock", "22.5"),
        ("生日是五月三号", "date", "5-3"),
        ("born on May 3rd", "date", "5-3"),
        ("born on 3 May", "date", "5-3"),
        ("在 2026-04-14", "date", "2026-4-14"),
        ("计划十月去", "month", "10"),
        ("身高一米八", "length", "1.8"),
        ("身高 180 厘米", "length", "1.8"),
        ("预算是三千五百元", "money", "3500"),
        ("a budget of $3,500", "money", "3500"),
        ("散步半小时", "minutes", "30"),
        ("a half-hour walk", "minutes", "30"),
        ("覆盖率百分之八十", "percent", "80"),
        ("twenty-one people", "count", "21"),
        ("on the twelfth floor", "floor", "12"),
        ("Python 3.10", "count", "3.10"),
        ("Vue3", "count", "3"),
        ("写到 anna.k@example.org", "code", "anna.k@example.org"),
        ("电话 13651039007", "code", "13651039007"),
        ("工单 PPR-9087", "code", "ppr-9087"),
    ],
)
def test_a_number_is_read_with_what_it_measures(text: str, dimension: str, value: str) -> None:
    assert read(text) == [(dimension, value)]


@pytest.mark.parametrize(
    "text", ["回答简短一点", "用户一起床就喝水", "团队的统一规范", "a cat", "用户养了一只猫", "每周三晚上"]
)
def test_words_that_only_look_like_numbers_are_none(text: str) -> None:
    assert read(text) == []


def test_a_time_whose_half_of_the_day_is_not_said_agrees_with_either() -> None:
    assert Quantity("clock12", "7").agrees(Quantity("clock", "19"))
    assert not Quantity("clock", "7").agrees(Quantity("clock", "19"))


def test_versions_are_compared_as_written() -> None:
    assert not Quantity("count", "3.1").agrees(Quantity("count", "3.10"))

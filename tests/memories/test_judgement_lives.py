"""What changes in a person's life: jobs, homes, plans; and what happens beside them and ends nothing."""

import pytest

from memories.judgement.changes import find_change, may_change
from memories.judgement.pairs import compare_statements
from memories.judgement.reading import read

S, E = "semantic", "episodic"
ENDED = [
    ("用户在字节跳动做后端工程师", S, "用户现在在美团做架构师", S),
    ("The user works at Acme as a nurse", S, "The user now works as a data analyst at a bank", S),
    ("The user works as a nurse at a hospital", S, "The user quit their job as a nurse", E),
    ("用户住在北京", S, "用户搬到上海了", E),
    ("用户搬到上海了", E, "用户搬到广州了", E),
    ("The user moved to Porto", E, "The user moved to Rome", E),
    ("用户打算 2026 年 12 月去京都旅行", E, "用户取消了去京都的旅行", E),
    ("The user plans to visit Kyoto in 2026-12", E, "The user cancelled their trip to Kyoto", E),
    ("用户主要用 Java 写代码", S, "用户改用 Go 写代码了", S),
]
KEPT = [
    ("用户在字节跳动做后端工程师", S, "用户也在美团做顾问", S),
    ("用户在字节跳动做后端工程师", S, "用户现在在家做饭", S),
    ("用户在字节跳动做后端工程师", S, "用户现在在公司做一个新项目", S),
    ("用户在字节跳动做后端工程师", S, "用户的弟弟现在在美团做架构师", S),
    ("用户在家工作", S, "用户现在在美团做架构师", S),
    ("The user works at night", S, "The user now works at a bank", S),
    ("The user works at Acme", S, "The user now also works at Globex", S),
    ("The user works at Acme", S, "The user's wife now works at Globex", S),
    ("会议改到周三", E, "会议改到周五", E),
    ("The user visited Norway last year", E, "The user visited Sweden last year", E),
    ("用户搬到上海了", E, "用户的弟弟搬到广州了", E),
    ("用户取消了去京都的旅行", E, "用户打算去京都旅行", E),
    ("The user lives in Lisbon", S, "The user visited Porto", E),
]


def ends(old: str, old_category: str, new: str, new_category: str) -> bool:
    pair = compare_statements(read(new), read(old))
    return may_change(pair, new_category, old_category) and find_change(pair) is not None


@pytest.mark.parametrize("case", ENDED)
def test_a_change_ends_what_was_so_before(case: tuple[str, str, str, str]) -> None:
    assert ends(*case)


@pytest.mark.parametrize("case", KEPT)
def test_what_may_be_true_beside_it_stays(case: tuple[str, str, str, str]) -> None:
    assert not ends(*case)

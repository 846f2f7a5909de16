import pytest

from memories.judgement.changes import find_change
from memories.judgement.guards import find_vetoes
from memories.judgement.pairs import compare_statements
from memories.judgement.reading import read

TIED_OTHERWISE = [
    ("上班前喝酸梅汤，下午 8 点以后不喝绿茶", "上班前喝绿茶，下午 8 点以后不喝菊花茶"),
    ("周一跑步，周三不游泳", "周一游泳，周三不跑步"),
    ("喜欢苹果，不喜欢香蕉", "喜欢香蕉，不喜欢苹果"),
    ("喜欢红茶，讨厌绿茶", "喜欢绿茶，讨厌红茶"),
    ("爸爸住在北京，妈妈住在上海", "爸爸住在上海，妈妈住在北京"),
    ("测试环境用容器，生产环境用裸机", "测试环境用裸机，生产环境用虚拟机"),
    ("大于 10 报警，小于 3 忽略", "大于 10 忽略，小于 3 报警"),
    ("drinks tea in the morning and coffee in the evening", "drinks coffee in the morning and tea in the evening"),
    ("The manager reports to Alice, not to Bob", "The manager reports to Bob, not to Alice"),
    (
        "Backups go to the attic server, logs to the garage server",
        "Logs go to the attic server, backups to the garage server",
    ),
]
CHANGED_PLACES = [
    ("猫怕狗", "狗怕猫"),
    ("从北京飞到上海", "从上海飞到北京"),
    ("老王欠老李三千块", "老李欠老王三千块"),
    ("用户教邻居下棋", "邻居教用户下棋"),
    ("我欠小李 200 块", "小李欠我 200 块"),
    ("用户喜欢的不是咖啡而是茶", "用户喜欢的不是茶而是咖啡"),
    ("先洗菜后切肉", "先切肉后洗菜"),
    ("提交前先格式化，再跑测试", "提交前先跑测试，再格式化"),
    ("Ken taught Mia the violin", "Mia taught Ken the violin"),
    ("Ken taught Mia the violin", "Ken was taught the violin by Mia"),
    ("I owe Ken 20 dollars", "Ken owes me 20 dollars"),
    ("Ken is Mia's father", "Mia is Ken's father"),
    ("Replace tabs with spaces", "Replace spaces with tabs"),
]
OTHER_VALUES = [
    ("左边抽屉放剪刀，右边抽屉放胶带", "左边抽屉放电池，右边抽屉放螺丝"),
    (
        "The upper drawer holds screws, the lower drawer holds tape",
        "The upper drawer holds batteries, the lower one glue",
    ),
]
SAME = [
    ("早上喝豆浆，晚上不吃夜宵", "晚上不吃夜宵，早上喝豆浆"),
    ("爸爸住在北京，妈妈住在上海", "妈妈住在上海，爸爸住在北京"),
    ("用户负责后端，李雷负责前端", "李雷负责前端，用户负责后端"),
    ("用户会 Python 和 Go", "用户会 Go 和 Python"),
    ("用户喜欢猫也喜欢狗", "用户喜欢狗也喜欢猫"),
    ("每天早上七点跑步", "早上七点每天跑步"),
    ("用户和妹妹一起住", "妹妹和用户一起住"),
    ("likes apples and dislikes bananas", "dislikes bananas and likes apples"),
    ("Ken and Mia are classmates", "Mia and Ken are classmates"),
    ("The user speaks French, German and Dutch", "The user speaks Dutch, French and German"),
    ("The user's wife is Li Na", "Li Na is the user's wife"),
    ("On Mondays the team meets at nine", "The team meets at nine on Mondays"),
]


@pytest.mark.parametrize(("one", "other"), TIED_OTHERWISE + CHANGED_PLACES)
def test_the_same_words_tied_otherwise_are_neither_one_fact_nor_a_change(one: str, other: str) -> None:
    for first, second in ((one, other), (other, one)):
        pair = compare_statements(read(first), read(second))
        assert {"order", "negation", "other_value"} & set(find_vetoes(pair))
        assert find_change(pair) is None


@pytest.mark.parametrize(("one", "other"), OTHER_VALUES)
def test_several_clauses_with_other_values_are_not_one_fact(one: str, other: str) -> None:
    for first, second in ((one, other), (other, one)):
        assert "other_value" in find_vetoes(compare_statements(read(first), read(second)))


@pytest.mark.parametrize(("one", "other"), SAME)
def test_clauses_and_things_in_a_row_may_change_places(one: str, other: str) -> None:
    for first, second in ((one, other), (other, one)):
        assert find_vetoes(compare_statements(read(first), read(second))) == []

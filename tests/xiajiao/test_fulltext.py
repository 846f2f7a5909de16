from collections.abc import Collection

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from xiajiao import fulltext
from xiajiao.models import IndexedText

pytestmark = pytest.mark.django_db

MEMORIES = {
    "python": "用户是 Python 后端开发，公司用 AWS",
    "brief": "回复要简洁，不要表情符号",
    "cat": "用户养了一只猫，叫小白",
    "allergy": "The user is allergic to peanuts and shellfish.",
    "school": "The user's daughter starts school in September.",
    "code": "Uses C++ with foo_bar, python-3.12 and v1.2.3; ticket PPR-9087.",
}


def find(query: str, top_k: int = 5) -> list[str]:
    return [hit.key for hit in fulltext.search(["agent"], query, top_k)]


@pytest.fixture
def memories() -> None:
    fulltext.index("agent", MEMORIES)


@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("我的公司用什么云？AWS 吗", "python"),
        ("后端", "python"),
        ("猫", "cat"),
        ("小白是谁", "cat"),
        ("简洁", "brief"),
        ("peanut allergy", "allergy"),
        ("when does school start", "school"),
        ("c++", "code"),
        ("foo_bar", "code"),
        ("PYTHON-3.12", "code"),
        ("v1.2.3", "code"),
        ("PPR-9087", "code"),
        ("３.１２", "code"),
    ],
)
@pytest.mark.usefixtures("memories")
def test_a_memory_is_found_by_its_words(query: str, key: str) -> None:
    assert find(query)[0] == key


@pytest.mark.usefixtures("memories")
def test_a_name_does_not_find_a_part_of_another() -> None:
    assert find("C") == []
    assert fulltext.search(["agent"], "PPR-1234", 5)[0].coverage < 0.5
    assert fulltext.search(["agent"], "PPR-9087", 5)[0].coverage == 1.0


@pytest.mark.parametrize(
    "query",
    ['"', "'", "x AND", "NEAR(x b)", "agent:*", "x* OR -b", "(", "{x}", "\\", "%s", "\0", "\ud800", "😀", "x" * 9999],
)
@pytest.mark.usefixtures("memories")
def test_no_query_is_syntax(query: str) -> None:
    assert find(query) == []


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=60))
def test_any_text_is_found_by_itself(text: str) -> None:
    fulltext.drop("agent")
    fulltext.index("agent", {"it": text, "other": "花生"})

    assert ("it" in find(text)) == bool(fulltext.terms(text))


@pytest.mark.usefixtures("memories")
def test_coverage_is_the_share_of_the_query_that_a_text_holds() -> None:
    def cover(query: str) -> float:
        return max((hit.coverage for hit in fulltext.search(["agent"], query, 5)), default=0.0)

    assert cover("Python 后端") == 1.0
    assert cover("我的 Python") > 0.9
    assert 0.3 < cover("Python 吉他") < 0.7
    assert cover("我是谁") < 0.1
    assert cover("is the user") < 0.1


def test_rare_words_weigh_more_than_common_ones() -> None:
    fulltext.index("agent", {str(number): f"项目 {number}" for number in range(100)} | {"rare": "翡翠 会议"})

    assert find("翡翠 项目")[0] == "rare"


def test_a_word_said_more_often_in_a_shorter_text_scores_higher() -> None:
    fulltext.index("agent", {"long": "茶 " + "咖啡 面包 牛奶 " * 20, "short": "茶 面包", "often": "茶 茶"})

    assert find("茶") == ["often", "short", "long"]


@pytest.mark.usefixtures("memories")
def test_what_is_replaced_removed_or_dropped_is_found_no_more() -> None:
    fulltext.index("agent", {"cat": "用户养了一只兔子"})
    assert (find("猫"), find("兔子")) == ([], ["cat"])

    fulltext.remove("agent", ["cat", "unknown"])
    assert find("兔子") == []

    fulltext.drop("agent")
    assert find("python") == []
    assert not IndexedText.objects.exists()


@pytest.mark.usefixtures("memories")
def test_a_rollback_leaves_the_index_as_it_was() -> None:
    with transaction.atomic():
        fulltext.index("agent", {"cat": "用户养了一只兔子", "new": "新的兔子"})
        fulltext.remove("agent", ["python"])
        assert set(find("兔子")) == {"cat", "new"}
        transaction.set_rollback(True)

    assert (find("兔子"), find("猫")) == ([], ["cat"])
    assert find("后端") == ["python"]


def test_the_keys_of_a_namespace_are_listed() -> None:
    fulltext.index("agent", {"a": "cat", "b": "dog"})
    fulltext.index("other", {"c": "cat"})
    fulltext.remove("agent", ["a"])

    assert (fulltext.list_keys("agent"), fulltext.list_keys("none")) == ({"b"}, set())


def test_namespaces_are_searched_together_or_not_at_all() -> None:
    for namespace in ("one", "two", "three"):
        fulltext.index(namespace, {"it": f"茶 {namespace}"})
    hits = fulltext.search(["one", "two"], "茶", 5)

    assert {hit.namespace for hit in hits} == {"one", "two"}
    assert fulltext.search([], "茶", 5) == fulltext.search(["none"], "茶", 5) == []
    assert fulltext.search(["one"], "茶", 0) == []


def test_keys_that_are_named_are_all_that_is_searched() -> None:
    for namespace in ("one", "two"):
        fulltext.index(namespace, {"a": "茶", "b": "茶 杯子", "c": "水壶"})
    hits = fulltext.search({"one": ["a", "c", "unknown"], "two": ["b"], "none": ["a"]}, "茶", 5)

    assert {(hit.namespace, hit.key) for hit in hits} == {("one", "a"), ("two", "b")}
    assert fulltext.search({"one": []}, "茶", 5) == fulltext.search({}, "茶", 5) == []


def test_who_accepts_some_keys_is_asked_of_those_that_may_answer() -> None:
    fulltext.index("one", {str(number): f"茶 {number}" for number in range(300)} | {"x": "水壶"})
    asked: list[str] = []

    def accept(keys: Collection[str]) -> list[str]:
        asked.extend(keys)
        return [key for key in keys if key in {"7", "250", "x"}]

    hits = fulltext.search(fulltext.Narrowed(["one"], accept), "茶", 5)
    assert {hit.key for hit in hits} == {"7", "250"}
    assert "x" not in asked
    assert fulltext.search(fulltext.Narrowed(["one"], lambda _keys: []), "茶", 5) == []


def test_who_accepts_keys_is_asked_of_no_more_than_it_takes() -> None:
    fulltext.index("one", {str(number): f"茶 {number}" for number in range(2000)})
    asked: list[str] = []

    def accept(keys: Collection[str]) -> Collection[str]:
        asked.extend(keys)
        return keys

    hits = fulltext.search(fulltext.Narrowed(["one"], accept), "茶", 5)
    assert {hit.key for hit in hits} <= set(asked)
    assert len(asked) < 1000


def test_more_namespaces_than_one_question_holds_are_searched_together() -> None:
    names = [f"name {number}" for number in range(230)]
    for name in names:
        fulltext.index(name, {"it": f"茶 {name}"})

    assert {hit.namespace for hit in fulltext.search(names, "茶", 300)} == set(names)


def test_the_best_of_many_are_found() -> None:
    texts = {str(number): "茶 杯子" if number % 7 else "茶 杯子 水壶" for number in range(1500)}
    fulltext.index("agent", texts | {"best": "翡翠 杯子 水壶"})
    found = find("翡翠 水壶 杯子", 200)

    assert found[0] == "best"
    assert all(int(key) % 7 == 0 for key in found[1:])
    assert len(found) == 200


@pytest.mark.django_db(transaction=True)
def test_the_index_can_be_unmade_and_made_again() -> None:
    executor = MigrationExecutor(connection)
    executor.migrate([("xiajiao", "0002_stored_vectors_and_indexed_texts")])
    tables = connection.introspection.table_names()
    call_command("migrate", verbosity=0)
    fulltext.index("agent", MEMORIES)

    assert not any(name.startswith("xiajiao_fulltext") for name in tables)
    assert find("猫") == ["cat"]


def test_among_many_keys_it_finds_what_it_finds_among_few() -> None:
    """Looking at the best of all first, where that brings enough; and what stands behind all of them."""
    fulltext.index("one", {str(number): "茶" for number in range(2100)} | {"behind": "茶与许多别的东西放在一起"})
    among = {"one": [str(number) for number in range(2050)]}
    assert {hit.key for hit in fulltext.search(among, "茶", 5)} <= set(among["one"])
    fulltext.index("one", {f"more {number}": "绿茶" for number in range(2050)})
    many = {"one": [*(f"absent {number}" for number in range(2050)), "behind"]}
    assert [hit.key for hit in fulltext.search(many, "绿茶 茶", 5)] == ["behind"]

"""What models write as category and type."""

from collections.abc import Iterator

import pytest
from django.db import connection

from memories.arguments import BUILT_IN_TYPES, list_types, read_kind
from memories.models import Memory, MemoryType
from tests.factories import make_agent
from tests.memories.test_tools import call, scope_of
from xiajiao.tools import ToolError


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("category", "said", "expected"),
    [
        ("语义记忆", "", ("semantic", None)),
        ("Episodic memory", "", ("episodic", None)),
        ("程序性记忆", "", ("procedural", None)),
        ("", "情景", ("episodic", None)),
        ("", "用户画像", ("", "user")),
        ("", "User Profile", ("", "user")),
        ("", "行为反馈", ("", "feedback")),
        ("情景", "项目知识", ("episodic", "project")),
        ("", "环境信息", ("", "environment")),
        ("", " Environment ", ("", "environment")),
        ("semantic", "语义", ("semantic", None)),
    ],
)
def test_names_in_both_languages_count_as_keys(category: str, said: str, expected: tuple[str, str | None]) -> None:
    MemoryType.objects.create(key="environment", name="环境信息")
    found, chosen = read_kind(category, said)

    assert (found, chosen.key if chosen else None) == expected


@pytest.mark.django_db
def test_an_unknown_type_is_answered_with_all_that_there_are() -> None:
    MemoryType.objects.create(key="environment", name="环境信息", description="服务器、网络、版本")
    MemoryType.objects.create(key="going", name="Going", moves_to=MemoryType.objects.get(key="user"))
    with pytest.raises(ToolError) as caught:
        call(scope_of(make_agent()), "memory_write", content="a fact", type="nonsense")

    lines = str(caught.value).splitlines()
    assert lines[0] == "There is no memory type 'nonsense'; the types are"
    assert "- environment (环境信息: 服务器、网络、版本; semantic unless said otherwise)" in lines
    assert "- feedback (Feedback: How the person wants the agent to behave; procedural unless said otherwise)" in lines
    assert "going" not in str(caught.value)
    assert not Memory.objects.exists()


@pytest.mark.django_db
def test_the_category_of_the_type_counts_where_none_is_said() -> None:
    MemoryType.objects.create(key="diary", name="日记", default_category="episodic")
    call(scope_of(make_agent()), "memory_write", content="用户今天去爬山了", type="日记")
    memory = Memory.objects.get()

    assert (memory.type.key, memory.category) == ("diary", "episodic")


@pytest.mark.django_db
def test_memory_list_types_says_key_name_description_and_category() -> None:
    MemoryType.objects.create(key="diary", name="日记", description="每天的事", default_category="episodic")

    lines = call(scope_of(make_agent()), "memory_list_types").splitlines()
    assert "diary (日记: 每天的事; episodic unless said otherwise)" in lines
    assert len(lines) == 5


@pytest.fixture
def broken_connection(transactional_db: None) -> Iterator[None]:
    """The database hangs up: the driver's own error, as when a server goes away."""
    connection.ensure_connection()
    connection.connection.close()
    yield
    connection.close()


@pytest.fixture
def missing_table(transactional_db: None) -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE memories_memorytype RENAME TO memories_elsewhere")
    yield
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE memories_elsewhere RENAME TO memories_memorytype")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("trouble", ["broken_connection", "missing_table"])
def test_the_built_in_types_stand_in_where_the_table_can_not_be_asked(
    trouble: str, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue(trouble)

    assert list_types() == BUILT_IN_TYPES
    assert read_kind("", "行为反馈")[1] == BUILT_IN_TYPES[2]
    with pytest.raises(ToolError, match="reference"):
        read_kind("", "nonsense")

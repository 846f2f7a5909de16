import pytest
from django.db.models import Q
from pytest_django import Settings

from memories import changes, gate
from memories.drifting import find_drift, mend
from memories.health.indexes import read_drift
from memories.health.jobs import Scope
from memories.models import Agent, IndexDrift, Memory
from memories.recall import recall
from memories.tasks import embed_missing, find_index_drift, mend_indexes
from tests.factories import make_agent, make_memory, make_user
from tests.memories.health.keeping import BY_HAND, keep
from xiajiao import fulltext
from xiajiao.models import IndexedText, StoredVector
from xiajiao.vectorstores import get_store

pytestmark = pytest.mark.django_db


def names(agent: Agent) -> tuple[str, str]:
    namespace = f"memories:{agent.pk}:{agent.owner_id}"
    return namespace, f"{namespace}@e5-384"


def pair(agent: Agent) -> tuple[int, int | None]:
    return agent.pk, agent.owner_id


def use_every_way(agent: Agent) -> None:
    """Added, merged, replaced, edited, disabled, deleted, brought back."""
    for text in ("用户对花生过敏", "用户吃花生会过敏", "用户住在北京", "用户住在上海", "用户养了一只猫"):
        gate.write(agent, agent.owner_id, gate.Draft(text), BY_HAND)
    cat = Memory.objects.get(content="用户养了一只猫")
    changes.edit(cat, {"content": "用户养了一只狗"}, BY_HAND)
    changes.set_enabled(cat, False, BY_HAND)
    changes.set_enabled(cat, True, BY_HAND)
    changes.delete(keep(agent, "用户喜欢爬山"), BY_HAND)
    changes.restore(changes.delete(keep(agent, "用户在学日语"), BY_HAND), BY_HAND)
    changes.undo(Memory.objects.get(content="用户住在北京").revisions.get(action="superseded"), BY_HAND)


def test_whatever_is_done_to_memories_the_indexes_agree_with_them() -> None:
    agent = make_agent()
    use_every_way(agent)
    drift = find_drift(pair(agent))

    assert (drift.lacking, drift.too_much) == (0, 0), drift
    find_index_drift()
    assert not IndexDrift.objects.exists()


def test_what_lacks_or_is_too_much_is_found_and_made_right() -> None:
    agent = make_agent()
    memories = [keep(agent, text) for text in ("用户对花生过敏", "用户养了一只猫", "用户在学日语")]
    texts, vectors = names(agent)
    vector = get_store().fetch(vectors, [str(memories[0].pk)])[str(memories[0].pk)]
    fulltext.remove(texts, [str(memories[0].pk)])
    get_store().delete(vectors, [str(memories[1].pk)])
    fulltext.index(texts, {"999999": "somebody's"})
    get_store().upsert(vectors, {"999999": vector, "999998": vector})
    find_index_drift()

    drift = IndexDrift.objects.get()
    assert (drift.agent, drift.user_id, drift.lacking, drift.too_much) == (agent, agent.owner_id, 2, 3)
    assert read_drift(Scope(agent.owner)).waiting == 5
    assert read_drift(Scope(make_user())).waiting == 0
    mend_indexes()
    assert not IndexDrift.objects.exists()
    assert fulltext.list_keys(texts) == get_store().keys(vectors) == {str(memory.pk) for memory in memories}
    assert [hit.key for hit in fulltext.search([texts], "花生", 5)] == [str(memories[0].pk)]
    found = recall(agent, agent.owner_id, "我有什么宠物？").items
    assert memories[1] in [item.memory for item in found]


def test_what_is_disabled_or_deleted_but_still_indexed_is_too_much() -> None:
    agent = make_agent()
    keep(agent, "用户对花生过敏", enabled=False)
    drift = find_drift(pair(agent))
    assert (drift.lacking, drift.too_much) == (1, 2)
    mend(pair(agent))

    assert fulltext.list_keys(names(agent)[0]) == get_store().keys(names(agent)[1]) == set()


def test_bare_rows_lack_full_text_and_wait_for_their_vectors() -> None:
    agent = make_agent()
    make_memory(agent, "用户对花生过敏")
    assert find_drift(pair(agent)).lacking == 1
    mend(pair(agent))
    embed_missing()

    assert find_drift(pair(agent)).lacking == 0
    assert [hit.coverage for hit in fulltext.search([names(agent)[0]], "花生", 5)] == [1.0]


def test_vectors_of_another_embedder_are_no_drift(settings: Settings) -> None:
    agent = make_agent()
    keep(agent, "用户对花生过敏")
    settings.EMBEDDER = "use"
    assert find_drift(pair(agent)).lacking == 0
    embed_missing()

    drift = find_drift(pair(agent))
    assert (drift.lacking, drift.too_much) == (0, 0)


def test_full_text_of_an_agent_that_is_gone_is_dropped() -> None:
    agent = make_agent()
    memory = keep(agent, "用户对花生过敏")
    fulltext.index("memories:999999:1", {"1": "花生"})
    fulltext.index("messages:1", {"1": "花生"})
    find_index_drift()

    kept = IndexedText.objects.filter(Q(key=str(memory.pk)) | Q(namespace="messages:1"))
    assert list(IndexedText.objects.order_by("pk")) == list(kept.order_by("pk"))
    assert StoredVector.objects.count() == 1

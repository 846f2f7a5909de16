"""What the embedded store promises beyond the contract: the caller's transaction, other processes, bounded memory."""

import multiprocessing
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from django.db import connection, connections, transaction

from tests.xiajiao.vectors import find_keys, keyed, make_vectors
from xiajiao.models import StoredVector
from xiajiao.vectorstores import BaseVectorStore
from xiajiao.vectorstores.base import Vector
from xiajiao.vectorstores.database import DatabaseVectorStore

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def store() -> BaseVectorStore:
    return DatabaseVectorStore()


def test_a_transaction_sees_its_own_writes_and_a_rollback_leaves_nothing(store: BaseVectorStore) -> None:
    vectors = make_vectors(30)
    store.upsert("space", keyed(vectors[:20]))
    before = find_keys(store, vectors[25], 20)
    with transaction.atomic():
        store.upsert("space", {"own": vectors[25], "3": vectors[25]})
        store.delete("space", ["4"])
        assert set(find_keys(store, vectors[25], 2)) == {"own", "3"}
        assert len(find_keys(store, vectors[25], 30)) == 20
        assert find_keys(store, vectors[25], keys=["own", "4"]) == ["own"]
        transaction.set_rollback(True)

    assert find_keys(store, vectors[25], 20) == before
    store.upsert("space", {"later": vectors[26]})
    assert set(find_keys(store, vectors[25], 30)) == {*before, "later"}


def test_several_namespaces_are_one_list_however_they_are_asked(store: BaseVectorStore) -> None:
    vectors = make_vectors(90)
    for number, name in enumerate("abc"):
        store.upsert(name, keyed(vectors[30 * number : 30 * (number + 1)]))
    names, wanted = ["a", "empty", "b", "c"], vectors[40]

    def ask(top_k: int, most: int) -> list[tuple[str, str]]:
        return [(name, hit.key) for name, hit in store.search_all(names, wanted, top_k, most)]

    for top_k, most in ((30, 90), (30, 7), (2, 90), (5, 1), (30, 1000)):
        one_by_one = BaseVectorStore.search_all(store, names, wanted, top_k, most)
        expected = [(name, hit.key) for name, hit in one_by_one]
        assert ask(top_k, most) == expected
        with transaction.atomic():
            assert ask(top_k, most) == expected
    assert ask(30, 1) == [("b", "10")]
    assert store.search_all([], wanted, 5, 5) == []

    # What another process writes is seen at once.
    other = DatabaseVectorStore()
    other.delete("b", ["10"])
    other.upsert("empty", {"new": wanted})
    assert ask(30, 1) == [("empty", "new")]
    assert ("b", "10") not in ask(30, 90)


def test_an_inner_rollback_leaves_what_the_outer_transaction_wrote(store: BaseVectorStore) -> None:
    vectors = make_vectors(4)
    with transaction.atomic():
        store.upsert("space", {"outer": vectors[0]})
        with transaction.atomic():
            store.upsert("space", {"inner": vectors[1]})
            assert set(find_keys(store, vectors[0])) == {"outer", "inner"}
            transaction.set_rollback(True)
        assert find_keys(store, vectors[0]) == ["outer"]

    assert find_keys(store, vectors[0]) == ["outer"]


def test_a_namespace_dropped_in_a_transaction_that_fails_is_still_there(store: BaseVectorStore) -> None:
    vectors = make_vectors(4)
    store.upsert("space", keyed(vectors))
    find_keys(store, vectors[0])
    with transaction.atomic():
        store.drop("space")
        assert find_keys(store, vectors[0]) == []
        transaction.set_rollback(True)

    assert len(find_keys(store, vectors[0], 9)) == 4


def write_in_another_process(name: str, vector: Vector) -> None:
    connections["default"].settings_dict["NAME"] = name
    store = DatabaseVectorStore()
    assert [hit.key for hit in store.search("space", vector, 1)] == ["parent"]
    store.upsert("space", {"child": vector})
    store.delete("space", ["parent"])
    connections.close_all()


def test_two_processes_see_each_others_writes(store: BaseVectorStore) -> None:
    vector = make_vectors(1)[0]
    store.upsert("space", {"parent": vector})
    assert find_keys(store, vector) == ["parent"]
    connection.close()
    name = str(connection.settings_dict["NAME"])
    child = multiprocessing.get_context("fork").Process(target=write_in_another_process, args=(name, vector))
    child.start()
    child.join()

    assert child.exitcode == 0
    assert find_keys(store, vector) == ["child"]


def test_a_later_write_never_shows_before_an_earlier_one(store: BaseVectorStore) -> None:
    vectors = make_vectors(2)
    written, committed = Event(), Event()

    def write_first() -> None:
        with transaction.atomic():
            store.upsert("space", {"first": vectors[0]})
            written.set()
            # The second one must not get past the first; where it does, this ends at once.
            committed.wait(0.5)
        connections.close_all()

    def write_second() -> None:
        written.wait()
        store.upsert("space", {"second": vectors[1]})
        find_keys(store, vectors[1])
        committed.set()
        connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        for writer in [pool.submit(write_first), pool.submit(write_second)]:
            writer.result()

    assert len(find_keys(store, vectors[0])) == 2


def test_a_table_changed_behind_our_back_is_read_again(store: BaseVectorStore) -> None:
    vectors = make_vectors(4)
    store.upsert("space", keyed(vectors))
    find_keys(store, vectors[0])
    StoredVector.objects.all().delete()
    store.upsert("space", {"new": vectors[1]})

    assert find_keys(store, vectors[0], 9) == ["new"]


def test_namespaces_searched_long_ago_leave_memory_when_it_is_scarce() -> None:
    store = DatabaseVectorStore(memory_budget=500_000)
    vectors = make_vectors(1000, dimension=64)
    for namespace in ("first", "second", "third"):
        store.upsert(namespace, keyed(vectors))
        assert store.search(namespace, vectors[5], 1)[0].key == "5"

    assert list(store.caches) == ["third"]
    assert store.search("first", vectors[5], 1)[0].key == "5"

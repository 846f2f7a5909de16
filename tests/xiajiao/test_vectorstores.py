"""The one contract of vector stores; each backend passes it."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import numpy as np
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connections, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.xiajiao.vectors import BACKENDS, find_keys, keyed, make_vectors
from xiajiao.vectorstores import BaseVectorStore, DimensionError, get_store
from xiajiao.vectorstores.base import Vector

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(params=list(BACKENDS.values()), ids=list(BACKENDS))
def make_store(request: pytest.FixtureRequest) -> Callable[[], BaseVectorStore]:
    backend: Callable[[], BaseVectorStore] = request.param
    return backend


@pytest.fixture
def store(make_store: Callable[[], BaseVectorStore]) -> Iterator[BaseVectorStore]:
    store = make_store()
    yield store
    store.close()


def test_the_nearest_come_first_with_their_cosines(store: BaseVectorStore) -> None:
    store.upsert("space", {"east": np.array([1, 0]), "north": np.array([0, 1]), "west": np.array([-1, 0])})
    hits = store.search("space", np.array([3, 1], dtype=np.float32), 2)

    assert [hit.key for hit in hits] == ["east", "north"]
    assert [hit.score for hit in hits] == pytest.approx([3 / 10**0.5, 1 / 10**0.5], abs=1e-6)


def test_namespaces_know_nothing_of_each_other(store: BaseVectorStore) -> None:
    vectors = make_vectors(4)
    store.upsert("space", {"mine": vectors[0]})
    store.upsert("other", {"theirs": vectors[0], "more": vectors[1]})
    store.delete("other", ["mine"])

    assert find_keys(store, vectors[0]) == ["mine"]
    assert (store.count("space"), store.count("other"), store.count("none")) == (1, 2, 0)
    assert store.search("none", vectors[0], 3) == []


def test_the_keys_of_a_namespace_are_those_that_have_a_vector(store: BaseVectorStore) -> None:
    vectors = make_vectors(4)
    store.upsert("space", keyed(vectors))
    store.upsert("other", {"theirs": vectors[0]})
    store.delete("space", ["1", "2"])
    assert store.keys("space") == {"0", "3"}
    store.drop("space")

    assert (store.keys("space"), store.keys("other"), store.keys("none")) == (set(), {"theirs"}, set())


def test_stores_that_share_their_vectors_say_so(make_store: Callable[[], BaseVectorStore]) -> None:
    first, second = make_store(), make_store()
    first.upsert("space", keyed(make_vectors(1)))

    assert (first.place == second.place) == bool(second.keys("space"))


def test_a_replaced_vector_is_found_at_its_new_place_alone(store: BaseVectorStore) -> None:
    vectors = make_vectors(20)
    store.upsert("space", keyed(vectors))
    find_keys(store, vectors[0])
    store.upsert("space", {"3": -vectors[3]})

    assert find_keys(store, -vectors[3], 1) == ["3"]
    assert find_keys(store, vectors[3], 20)[-1] == "3"
    assert store.count("space") == 20


def test_a_deleted_vector_is_gone_and_may_come_back(store: BaseVectorStore) -> None:
    vectors = make_vectors(20)
    store.upsert("space", keyed(vectors))
    find_keys(store, vectors[0])
    store.delete("space", ["3", "unknown"])
    assert "3" not in find_keys(store, vectors[3], 20)
    assert store.fetch("space", ["2", "3"]).keys() == {"2"}
    assert store.count("space") == 19

    store.upsert("space", {"3": vectors[3]})
    assert find_keys(store, vectors[3], 1) == ["3"]


def test_a_dropped_namespace_starts_anew(store: BaseVectorStore) -> None:
    vectors = make_vectors(20)
    store.upsert("space", keyed(vectors))
    find_keys(store, vectors[0])
    store.drop("space")
    store.upsert("space", {"new": make_vectors(1, dimension=5)[0]})

    assert find_keys(store, make_vectors(1, dimension=5)[0], 20) == ["new"]
    assert store.count("space") == 1


def test_keys_are_all_that_is_searched(store: BaseVectorStore) -> None:
    vectors = make_vectors(20)
    store.upsert("space", keyed(vectors))

    def check() -> None:
        assert find_keys(store, vectors[3], keys={"5"}) == ["5"]
        assert find_keys(store, vectors[3], keys=["3", "5", "unknown"]) == ["3", "5"]
        assert find_keys(store, vectors[3], keys=[]) == []

    check()
    find_keys(store, vectors[3])
    check()


def test_a_vector_of_another_length_is_refused(store: BaseVectorStore) -> None:
    store.upsert("space", keyed(make_vectors(2)))
    other = make_vectors(1, dimension=5)[0]

    with pytest.raises(DimensionError):
        store.upsert("space", {"new": other})
    with pytest.raises(DimensionError):
        store.search("space", other, 3)
    with pytest.raises(DimensionError):
        store.search("space", other, 3, keys=["1"])
    assert store.count("space") == 2


@pytest.mark.parametrize("vector", [[1.0, float("nan")], [float("inf"), 0.0], [[1.0, 0.0]]])
def test_what_is_no_vector_is_refused(store: BaseVectorStore, vector: list[Any]) -> None:
    with pytest.raises(ValueError):
        store.upsert("space", {"1": np.array(vector, dtype=np.float32)})
    with pytest.raises(ValueError):
        store.search("space", np.array(vector, dtype=np.float32), 3)


def test_what_is_fetched_is_what_was_stored(store: BaseVectorStore) -> None:
    vectors = make_vectors(1200)
    store.upsert("space", keyed(vectors))
    fetched = store.fetch("space", [*keyed(vectors), "unknown"])

    assert len(fetched) == 1200
    np.testing.assert_allclose(np.stack([fetched[str(n)] for n in range(1200)]), vectors, atol=1e-6)


def test_what_is_fetched_from_several_namespaces_says_which(store: BaseVectorStore) -> None:
    vectors = make_vectors(4)
    store.upsert("one", {"a": vectors[0], "b": vectors[1]})
    store.upsert("two", {"a": vectors[2], "c": vectors[3]})
    fetched = store.fetch_from({"one": ["a", "c"], "two": ["a"], "none": ["a"]})

    assert set(fetched) == {("one", "a"), ("two", "a")}
    np.testing.assert_allclose(fetched["two", "a"], vectors[2], atol=1e-6)
    assert store.fetch_from({}) == {}


@pytest.mark.parametrize("kept", [1.0, 0.9])
def test_many_vectors_are_found_as_exactly_as_by_brute_force(store: BaseVectorStore, kept: float) -> None:
    chooser = np.random.default_rng(1)
    themes = chooser.standard_normal((300, 64))
    vectors = (themes[chooser.integers(0, 300, 12_000)] + chooser.standard_normal((12_000, 64))).astype(
        np.float32
    ) + 0.5
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    store.upsert("space", keyed(vectors))
    store.delete("space", [str(number) for number in range(int(12_000 * kept), 12_000)])
    living = vectors[: int(12_000 * kept)]
    queries = (themes[:200] + 0.5 + chooser.standard_normal((200, 64)) / 2).astype(np.float32)

    found = 0
    for query in queries:
        best = np.argsort(-(living @ query))[:10]
        found += len({str(number) for number in best} & set(find_keys(store, query, 10)))
    few = [str(number) for number in range(0, 12_000, 2)]
    best_of_few = np.argmax(living[::2] @ queries[0]) * 2

    assert found / 2000 >= 0.995
    assert find_keys(store, queries[0], 1, keys=few) == [str(best_of_few)]


CHANGES = st.lists(
    st.one_of(
        st.tuples(st.just("upsert"), st.lists(st.integers(0, 30), min_size=1, max_size=12)),
        st.tuples(st.just("delete"), st.lists(st.integers(0, 30), min_size=1, max_size=12)),
        st.tuples(st.sampled_from(["drop", "search", "rollback"]), st.just([])),
    ),
    max_size=12,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=CHANGES, seed=st.integers(0, 2**32 - 1))
def test_any_sequence_of_changes_answers_as_brute_force_would(
    store: BaseVectorStore, changes: list[tuple[str, list[int]]], seed: int
) -> None:
    chooser = np.random.default_rng(seed)
    store.drop("space")
    expected: dict[str, Vector] = {}
    for change, numbers in changes:
        keys = [str(number) for number in numbers]
        if change == "upsert":
            new = dict(zip(keys, make_vectors(len(keys), seed=int(chooser.integers(2**32))), strict=True))
            store.upsert("space", new)
            expected |= new
        elif change == "delete":
            store.delete("space", keys)
            expected = {key: vector for key, vector in expected.items() if key not in keys}
        elif change == "drop":
            store.drop("space")
            expected = {}
        elif change == "rollback":
            with transaction.atomic():
                store.upsert("space", {"rolled back": make_vectors(1)[0]})
                find_keys(store, make_vectors(1)[0])
                transaction.set_rollback(True)
        query = make_vectors(1, seed=int(chooser.integers(2**32)))[0]
        ranked = sorted(expected, key=lambda key: -float(expected[key] @ query))
        assert find_keys(store, query, 40) == ranked


def test_two_that_hold_the_same_namespace_see_each_others_writes(make_store: Callable[[], BaseVectorStore]) -> None:
    vectors = make_vectors(3000)
    mine, theirs = make_store(), make_store()
    mine.upsert("space", keyed(vectors))
    assert find_keys(theirs, vectors[7], 1) == ["7"]

    mine.delete("space", ["7"])
    assert "7" not in find_keys(theirs, vectors[7], 1)
    mine.delete("space", [str(n) for n in range(2500)])
    assert set(find_keys(theirs, vectors[7], 3000)) == {str(n) for n in range(2500, 3000)}
    mine.upsert("space", {"7": vectors[7]})
    assert find_keys(theirs, vectors[7], 1) == ["7"]
    mine.drop("space")
    assert find_keys(theirs, vectors[7], 1) == []


def test_twenty_threads_write_and_search_at_once(store: BaseVectorStore) -> None:
    vectors = make_vectors(200, dimension=16)
    start = Barrier(20)

    def write_ten(writer: int) -> list[str]:
        start.wait()
        missed = []
        for number in range(writer * 10, writer * 10 + 10):
            store.upsert("space", {str(number): -vectors[number]})
            store.upsert("space", {str(number): vectors[number]})
            missed += [] if find_keys(store, vectors[number], 1) == [str(number)] else [str(number)]
        connections.close_all()
        return missed

    with ThreadPoolExecutor(20) as pool:
        missed = list(pool.map(write_ten, range(20)))

    assert missed == [[]] * 20
    assert store.count("space") == len(find_keys(store, vectors[0], 300)) == 200


def test_an_alias_that_is_not_set_is_named() -> None:
    assert get_store() is get_store("default")
    with pytest.raises(ImproperlyConfigured, match="elsewhere"):
        get_store("elsewhere")

from collections.abc import Mapping

import numpy as np
import pytest

from xiajiao import fulltext
from xiajiao.embeddings import get_embedder
from xiajiao.embeddings.base import BaseEmbedder
from xiajiao.retrieval import WORDS, EmbeddedQuery, search
from xiajiao.vectorstores import Vector, get_store, vector_namespace

pytestmark = pytest.mark.django_db


class Compass(BaseEmbedder):
    """Knows two directions."""

    name, dim = "compass", 2


def point(degrees: float) -> Vector:
    return np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))], dtype=np.float32)


def store_texts(namespace: str, texts: Mapping[str, tuple[str, float]]) -> None:
    fulltext.index(namespace, {key: text for key, (text, _degrees) in texts.items()})
    vectors = {key: point(degrees) for key, (_text, degrees) in texts.items()}
    get_store().upsert(vector_namespace(namespace, Compass().full_name), vectors)


def north() -> EmbeddedQuery:
    return EmbeddedQuery(point(90), Compass())


def test_what_both_meaning_and_words_find_comes_first_with_its_evidence() -> None:
    store_texts("a", {"words": ("喜欢喝茶", 0), "both": ("茶很好喝", 60), "meaning": ("爱好是咖啡", 80)})
    hits = search(["a"], "茶", north(), 3, get_store())
    both = hits[0]

    assert both.key == "both"
    assert both.dense == pytest.approx(np.cos(np.radians(30)), abs=1e-6)
    assert (both.dense_rank, both.coverage) == (2, 1.0)
    assert both.lexical is not None
    assert both.score == pytest.approx(1 / 62 + WORDS / (60 + (both.lexical_rank or 0)))


def test_what_one_side_alone_finds_keeps_the_evidence_of_the_other() -> None:
    store_texts("a", {"words": ("喜欢喝茶", 0), "meaning": ("爱好是咖啡", 80)})
    fulltext.index("a", {"without vector": "茶"})
    found = {hit.key: hit for hit in search(["a"], "茶", north(), 9, get_store())}

    assert found["words"].dense == pytest.approx(0, abs=1e-6)
    assert (found["meaning"].lexical, found["meaning"].lexical_rank, found["meaning"].coverage) == (None, None, 0.0)
    assert (found["without vector"].dense, found["without vector"].dense_rank) == (None, None)


def test_what_only_words_find_beyond_the_nearest_has_its_cosine_too() -> None:
    store_texts("a", {str(number): ("咖啡", 90) for number in range(60)} | {"words": ("茶", 30)})
    found = {hit.key: hit for hit in search(["a"], "茶", north(), 60, get_store())}

    assert found["words"].dense == pytest.approx(0.5, abs=1e-6)


def test_without_a_vector_words_decide_alone() -> None:
    store_texts("a", {"words": ("喜欢喝茶", 0), "meaning": ("爱好是咖啡", 90)})

    assert [hit.key for hit in search(["a"], "茶", None, 3, get_store())] == ["words"]


def test_a_word_in_common_weighs_no_more_than_its_share_of_the_question() -> None:
    """The best by words may be a text that holds one of them, and meaning knows better."""
    store_texts("a", {str(number): ("咖啡", 90 - number) for number in range(40)} | {"one word": ("数据库", 45)})
    hits = search(["a"], "哪里能买到新鲜的鱼给数据库", north(), 40, get_store())
    assert hits[0].key == "0"
    [hit] = [hit for hit in hits if hit.key == "one word"]
    assert 0 < hit.coverage < 0.5
    assert hit.score == pytest.approx(1 / 101 + WORDS * hit.coverage / 61)


def test_what_has_no_vector_yet_is_believed_to_mean_what_it_says() -> None:
    store_texts("a", {str(number): ("咖啡", 80 + number) for number in range(5)})
    fulltext.index("a", {"new": "绿茶"})
    hits = search(["a"], "绿茶", north(), 3, get_store())
    assert hits[0].key == "new"
    assert hits[0].score == pytest.approx((1 + WORDS) * hits[0].coverage / 61)


def test_several_namespaces_are_one_list_and_others_are_left_alone() -> None:
    store_texts("a", {"1": ("茶", 0)})
    store_texts("b", {"1": ("茶", 80)})
    store_texts("c", {"1": ("茶", 90)})
    hits = search(["a", "b"], "茶", north(), 9, get_store())

    assert [(hit.namespace, hit.dense_rank) for hit in hits] == [("b", 1), ("a", 2)]
    assert len(search(["a", "b"], "茶", north(), 1, get_store())) == 1
    assert search([], "茶", north(), 9, get_store()) == []


def test_a_bare_vector_is_one_of_the_embedder_of_this_installation() -> None:
    embedder = get_embedder()
    vector = np.eye(embedder.dim, dtype=np.float32)[0]
    get_store().upsert(vector_namespace("a", embedder.full_name), {"1": vector})

    assert [hit.key for hit in search(["a"], "", vector, 3, get_store())] == ["1"]
    assert vector_namespace("a", embedder.full_name) == f"a@{embedder.name}-{embedder.dim}"


def test_what_somebody_accepts_is_found_behind_all_that_they_don_t() -> None:
    store_texts("a", {str(number): ("茶", 90) for number in range(400)} | {"it": ("茶", 30), "far": ("咖啡", 20)})
    narrowed = fulltext.Narrowed(["a"], lambda keys: {"it", "far"} & set(keys))

    assert [hit.key for hit in search(narrowed, "茶", north(), 5, get_store())] == ["it", "far"]
    assert [hit.key for hit in search({"a": ["far"]}, "茶", north(), 5, get_store())] == ["far"]
    assert search(fulltext.Narrowed(["a"], lambda keys: []), "茶", north(), 5, get_store()) == []

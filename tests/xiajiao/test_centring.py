import numpy as np
import pytest

from xiajiao.embeddings import get_embedder
from xiajiao.embeddings.centring import Passage, aim, language_of, measure_relevance

MEMORIES = ["用户是 Python 后端开发", "The user likes dumplings", "用户对花生过敏", "The user's sister lives in Berlin"]
ANSWERS = {
    "用户用什么编程语言？": 0,
    "What does the user like?": 1,
    "What is the user allergic to?": 2,
    "用户的姐姐住在哪里？": 3,
}
UNRELATED = ["讲个笑话", "What is the capital of France?", "1+1等于几", "Tell me a joke"]


def measure(name: str, query: str) -> list[float]:
    embedder = get_embedder(name)
    passages = [Passage(*pair) for pair in zip(MEMORIES, embedder.embed_passages(MEMORIES), strict=True)]
    return measure_relevance(embedder, embedder.embed_queries([query])[0], query, passages)


@pytest.mark.parametrize("name", ["e5", "use"])
def test_answers_in_and_across_both_languages_come_first_and_over_one_floor(name: str) -> None:
    floor = get_embedder(name).calibration.floor
    for query, place in ANSWERS.items():
        relevance = measure(name, query)
        assert relevance[place] == max(relevance) > floor, query


def test_what_is_unrelated_stays_under_the_floor() -> None:
    floor = get_embedder("e5").calibration.floor
    assert {query: max(measure("e5", query)) < floor for query in UNRELATED} == dict.fromkeys(UNRELATED, True)


def test_the_vector_to_search_with_is_of_length_one_and_orders_as_relevance_does() -> None:
    embedder = get_embedder("e5")
    query = "What is the user allergic to?"
    vector = embedder.embed_queries([query])[0]
    aimed = aim(embedder, vector, query)

    assert aimed.dtype == np.float32
    assert np.linalg.norm(aimed) == pytest.approx(1, abs=1e-5)
    assert int(np.argmax(embedder.embed_passages(MEMORIES) @ aimed)) == 2


def test_a_text_is_chinese_by_the_weight_of_its_characters() -> None:
    assert [language_of(text) for text in ["用户喜欢 Python", "The user's name is 张伟", "", "123"]] == [
        "zh",
        "en",
        "en",
        "en",
    ]

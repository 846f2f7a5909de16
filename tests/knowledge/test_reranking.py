"""A reranker orders what was found; where it fails, the search's own order stands and the page says so."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from knowledge.models import KnowledgeBase
from knowledge.search import search_chunks
from tests.knowledge.documents import embed_all, index_now, make_base, make_document
from tests.openai_stub import OpenAIStub, Reply
from xiajiao.models import User

pytestmark = pytest.mark.django_db

QUESTION = "How is the tea made?"
TEXTS = {
    "a.txt": "Tea is made hot.",
    "b.txt": "Tea is made of leaves that were dried in the sun.",
    "c.txt": "Tea, made so.",
}


@pytest.fixture
def base(user: User) -> KnowledgeBase:
    base = make_base(owner=user)
    for name, text in TEXTS.items():
        index_now(make_document(base, text, name))
    embed_all()
    return base


@pytest.fixture
def endpoint(openai_stub: OpenAIStub, settings: Settings) -> OpenAIStub:
    options = {"url": f"{openai_stub.base_url}/rerank", "model": "judge", "key": "sk-rerank"}
    backend = "xiajiao.reranking.endpoint.EndpointReranker"
    settings.RERANKERS = {"endpoint": {"BACKEND": backend, "OPTIONS": options}}
    settings.RERANKER, settings.RERANK_DEADLINE = "endpoint", 60.0
    return openai_stub


def names(base: KnowledgeBase, **more: Any) -> list[str]:
    return [each.chunk.document.name for each in search_chunks([base], QUESTION, 3, **more).found]


def test_without_one_nobody_is_asked(base: KnowledgeBase, openai_stub: OpenAIStub) -> None:
    findings = search_chunks([base], QUESTION, 3)
    assert [each.rerank for each in findings.found] == [None, None, None]
    assert findings.rerank_failure == ""
    assert openai_stub.rerank_requests == []


def test_an_endpoint_orders_what_was_found(base: KnowledgeBase, endpoint: OpenAIStub) -> None:
    assert names(base)[0] == "b.txt"
    [asked] = endpoint.rerank_requests
    assert (asked["query"], asked["model"], sorted(asked["documents"])) == (QUESTION, "judge", sorted(TEXTS.values()))
    found = search_chunks([base], QUESTION, 1).found
    assert [(each.chunk.document.name, each.parts["rerank"]) for each in found] == [("b.txt", 0.049)]


@pytest.mark.parametrize(
    ("reply", "failures"),
    [
        (Reply(status=500, error="boom"), {"failed"}),
        (Reply(raw='{"results": [{"index": 0, "relevance_score": 1}]}'), {"failed"}),
        (Reply(raw='{"results": [{"index": 0, "relevance_score": "high"}]}'), {"failed"}),
        (Reply(raw="[]"), {"failed"}),
        (Reply(raw="no json"), {"failed"}),
        (Reply(wait=2.0), {"slow", "failed"}),
    ],
)
def test_one_that_fails_changes_nothing_and_is_told(
    base: KnowledgeBase, endpoint: OpenAIStub, settings: Settings, reply: Reply, failures: set[str]
) -> None:
    settings.RERANKER = ""
    usual = names(base)
    settings.RERANKER, settings.RERANK_DEADLINE = "endpoint", 0.5 if reply.wait else 60.0
    endpoint.rerank_reply = reply
    findings = search_chunks([base], QUESTION, 3)
    assert [each.chunk.document.name for each in findings.found] == usual
    assert findings.rerank_failure in failures


def test_the_page_says_that_it_failed(base: KnowledgeBase, endpoint: OpenAIStub, signed_in: Client) -> None:
    endpoint.rerank_reply = Reply(status=500, error="boom")
    page = signed_in.get(f"/knowledge/{base.pk}/test/", {"q": QUESTION}).text
    assert "the order of the search" in page


def test_the_page_shows_its_column(base: KnowledgeBase, endpoint: OpenAIStub, signed_in: Client) -> None:
    page = signed_in.get(f"/knowledge/{base.pk}/test/", {"q": QUESTION}).text
    assert "Reranked" in page
    assert "0.049" in page


def test_a_chat_model_judges_where_the_settings_say_so(
    base: KnowledgeBase, openai_stub: OpenAIStub, settings: Settings
) -> None:
    settings.RERANKER, settings.RERANK_DEADLINE = "chat", 60.0

    def judge(body: dict[str, Any]) -> Reply:
        lines = body["messages"][0]["content"].splitlines()
        texts = [line.partition(": ")[2] for line in lines if line.startswith("Text ")]
        return Reply(text=f"Here: {json.dumps([9 if 'so' in text else 1 for text in texts])}")

    openai_stub.script.append(judge)
    assert names(base)[0] == "c.txt"
    openai_stub.script.append(Reply(text="I can't."))
    assert search_chunks([base], QUESTION, 3).rerank_failure == "failed"

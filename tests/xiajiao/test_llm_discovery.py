from collections.abc import Iterator

import pytest

from tests.openai_stub import OpenAIStub, Reply
from xiajiao.llm.discovery import USUAL_PORTS, discover
from xiajiao.offers import accept_offer, find_new_servers, find_offers


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIStub]:
    with OpenAIStub() as stub:
        for port in list(USUAL_PORTS):
            monkeypatch.delitem(USUAL_PORTS, port)
        monkeypatch.setitem(USUAL_PORTS, stub.server_address[1], "Ollama")
        monkeypatch.setitem(USUAL_PORTS, 9, "vLLM")
        yield stub


def test_a_running_server_is_found_with_its_models(server: OpenAIStub) -> None:
    server.models = ["qwen3:8b", "llama3"]

    [found] = discover()
    assert (found.name, found.base_url, found.models) == ("Ollama", server.base_url, ("qwen3:8b", "llama3"))


@pytest.mark.parametrize(
    "reply",
    [
        Reply(raw="<html>a router's page</html>"),
        Reply(raw='{"detail": "no models here"}'),
        Reply(raw="[1, 2]"),
        Reply(status=401, error="sign in"),
    ],
)
def test_what_listens_and_is_no_model_server_is_left_alone(server: OpenAIStub, reply: Reply) -> None:
    server.models_reply = reply

    assert discover() == []


@pytest.mark.parametrize("raw", ['{"object": "list", "data": null}', '{"data": [{"id": 7}, "x", {"name": "y"}]}'])
def test_odd_listings_are_servers_without_models(server: OpenAIStub, raw: str) -> None:
    server.models_reply = Reply(raw=raw)

    assert [found.models for found in discover()] == [()]


def test_an_accepted_server_is_offered_no_more(server: OpenAIStub, db: None) -> None:
    [offer] = find_offers()

    provider = accept_offer(offer)

    assert provider is not None
    assert provider.default_model == "stub-model"
    assert find_new_servers() == []

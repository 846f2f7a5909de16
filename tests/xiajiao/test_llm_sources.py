"""Which model answers, and what stands behind a provider's row."""

import sys
from pathlib import Path

import pytest
from pytest_django import Settings

from tests.factories import make_provider
from tests.openai_stub import OpenAIStub, Reply
from xiajiao.llm.discovery import discover
from xiajiao.llm.environment import sync_environment_provider
from xiajiao.llm.gguf import GGUFError, free_port, prepare_server, sync_gguf_provider
from xiajiao.llm.sources import OFFLINE, is_offline, source_for
from xiajiao.models import Provider
from xiajiao.secrets import encrypt

pytestmark = pytest.mark.django_db


def test_without_any_provider_the_offline_model_answers() -> None:
    assert source_for(None) == OFFLINE
    assert is_offline(source_for(None, "gpt-9"))


def test_an_agent_s_own_provider_and_model_come_first() -> None:
    make_provider(base_url="http://a/v1", default_model="other", is_default=True)
    own = make_provider(base_url="http://b/v1", default_model="small", encrypted_key=encrypt("sk-own"))

    source = source_for(own, "large")
    assert (source.base_url, source.model, source.api_key) == ("http://b/v1", "large", "sk-own")
    assert source_for(own).model == "small"


def test_an_agent_without_a_provider_gets_the_default_one() -> None:
    default = make_provider(base_url="http://a/v1", model_names=["first", "second"], is_default=True)

    source = source_for(None)
    assert (source.provider_name, source.model) == (default.name, "first")


def test_a_disabled_provider_is_passed_over_and_its_model_s_name_with_it() -> None:
    make_provider(base_url="http://a/v1", default_model="of the default", is_default=True)
    disabled = make_provider(base_url="http://b/v1", enabled=False)

    source = source_for(disabled, "of the disabled")
    assert (source.base_url, source.model) == ("http://a/v1", "of the default")


def test_the_environment_s_provider_comes_after_rows(openai_stub: OpenAIStub) -> None:
    source = source_for(None)
    assert (source.base_url, source.api_key, source.model) == (
        openai_stub.base_url,
        "sk-stub-key-of-tests",
        "stub-model",
    )

    make_provider(base_url="http://a/v1", is_default=True)
    assert source_for(None).base_url == "http://a/v1"


def test_a_key_that_can_t_be_read_is_the_source_s_problem(settings: Settings) -> None:
    provider = make_provider(base_url="http://a/v1", encrypted_key=encrypt("sk-own"))
    settings.SECRET_KEY = "another"

    source = source_for(provider)
    assert (source.problem, source.api_key) == ("unreadable_key", "")


def test_a_key_shows_in_no_representation() -> None:
    assert "sk-own" not in repr(source_for(make_provider(encrypted_key=encrypt("sk-own"))))


def test_the_environment_s_provider_is_a_row_without_its_key(openai_stub: OpenAIStub) -> None:
    provider = sync_environment_provider()
    again = sync_environment_provider()

    assert provider is not None
    assert provider == again
    assert (provider.is_default, provider.is_read_only, provider.encrypted_key) == (True, True, "")
    assert source_for(provider).api_key == "sk-stub-key-of-tests"


def test_an_existing_default_provider_stays_the_default(openai_stub: OpenAIStub) -> None:
    default = make_provider(name="127.0.0.1", is_default=True)
    made = sync_environment_provider()

    assert made is not None
    assert (made.is_default, made.name) == (False, "127.0.0.1 2")
    assert Provider.objects.get(is_default=True) == default


def test_a_row_of_the_environment_is_passed_over_while_its_variables_are_gone(
    openai_stub: OpenAIStub, settings: Settings
) -> None:
    provider = sync_environment_provider()
    settings.OPENAI_BASE_URL = settings.OPENAI_API_KEY = ""

    assert sync_environment_provider() is None
    assert is_offline(source_for(provider))


def test_an_environment_provider_that_was_switched_off_stays_off(openai_stub: OpenAIStub) -> None:
    provider = sync_environment_provider()
    assert provider is not None
    Provider.objects.filter(pk=provider.pk).update(enabled=False, is_default=False)
    sync_environment_provider()

    assert is_offline(source_for(None))


def test_servers_of_this_machine_are_found_with_their_models(openai_stub: OpenAIStub) -> None:
    port = openai_stub.server_address[1]
    found = discover({port: "Ollama", free_port(): "nothing"})

    assert [(server.name, server.base_url, server.models) for server in found] == [
        ("Ollama", f"http://127.0.0.1:{port}/v1", ("stub-model",))
    ]


def test_our_own_port_is_not_asked(openai_stub: OpenAIStub, settings: Settings) -> None:
    settings.PORT = openai_stub.server_address[1]

    assert discover({settings.PORT: "us"}) == []


@pytest.mark.parametrize("page", ["<html>Jupyter</html>", '{"detail": "Not Found"}', "[]", '{"data": "x"}'])
def test_what_speaks_another_protocol_is_not_found(openai_stub: OpenAIStub, page: str) -> None:
    openai_stub.models_reply = Reply(raw=page)

    assert discover({openai_stub.server_address[1]: "vLLM"}) == []


def test_a_server_without_a_model_yet_is_found_all_the_same(openai_stub: OpenAIStub) -> None:
    openai_stub.models_reply = Reply(raw='{"object": "list", "data": null}')

    assert discover({openai_stub.server_address[1]: "Ollama"})[0].models == ()


def test_a_model_file_that_can_t_be_served_says_why(settings: Settings, tmp_path: Path) -> None:
    settings.LOCAL_GGUF = str(tmp_path / "none.gguf")
    with pytest.raises(GGUFError, match="no such file"):
        prepare_server()

    wrong = tmp_path / "wrong.gguf"
    wrong.write_bytes(b"PK\3\4")
    settings.LOCAL_GGUF = str(wrong)
    with pytest.raises(GGUFError, match="no GGUF file"):
        prepare_server()


def test_without_its_server_a_model_file_says_what_to_install(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tmp_path / "small.gguf"
    model.write_bytes(b"GGUF")
    settings.LOCAL_GGUF = str(model)
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(GGUFError, match=r"requirements-gguf\.txt"):
        prepare_server()


def test_a_model_file_s_provider_names_its_port_and_lives_with_its_setting(settings: Settings) -> None:
    settings.LOCAL_GGUF = "/models/Qwen-1.5B.gguf"
    sync_gguf_provider(41001)
    provider = sync_gguf_provider(41002)

    source = source_for(None)
    assert Provider.objects.count() == 1
    assert (source.base_url, source.model) == ("http://127.0.0.1:41002/v1", "Qwen-1.5B")

    settings.LOCAL_GGUF = ""
    assert is_offline(source_for(provider))


def test_the_model_that_was_chosen_on_the_page_outlives_a_restart(openai_stub: OpenAIStub, settings: Settings) -> None:
    settings.OPENAI_MODEL = ""
    provider = sync_environment_provider()
    assert provider is not None
    Provider.objects.filter(pk=provider.pk).update(default_model="chosen")
    sync_environment_provider()
    assert source_for(None).model == "chosen"

    settings.OPENAI_MODEL = "named"
    sync_environment_provider()
    assert source_for(None).model == "named"

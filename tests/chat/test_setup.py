from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from memories.models import Agent
from tests.factories import make_user
from tests.openai_stub import OpenAIStub
from xiajiao.llm import discovery
from xiajiao.llm.environment import sync_environment_provider
from xiajiao.llm.sources import source_for
from xiajiao.models import Provider, User
from xiajiao.setup_link import make_setup_link

WORDS = {"username": "mei", "password1": "har-gow-2026", "password2": "har-gow-2026", "model": "offline"}


@pytest.fixture(autouse=True)
def _no_local_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever happens to run on the machine of the test."""
    for port in list(discovery.USUAL_PORTS):
        monkeypatch.delitem(discovery.USUAL_PORTS, port)


def new_address() -> str:
    return make_setup_link().removeprefix(settings.BASE_URL)


def test_the_first_person_administers_and_has_an_agent(client: Client, db: None) -> None:
    response = client.post(new_address(), WORDS, headers={"Accept-Language": "zh-CN"})

    assert response.headers["Location"] == reverse("chat:persona_update")
    person = User.objects.get()
    assert (person.username, person.is_superuser, person.is_staff, person.language) == ("mei", True, True, "zh-hans")
    agent = Agent.objects.get(owner=person)
    assert agent.name == "虾饺"
    assert "我是虾饺" in agent.profile_files.get(kind="soul").text
    assert client.get(reverse("profile_update")).status_code == 200, "signed in at once"


def test_in_english_the_agent_speaks_english(client: Client, db: None) -> None:
    client.post(new_address(), WORDS, headers={"Accept-Language": "en"})

    agent = Agent.objects.get()
    assert (agent.name, agent.language) == ("Xiajiao", "en")


def test_the_link_makes_one_account_alone(client: Client, db: None) -> None:
    address = new_address()
    client.post(address, WORDS)
    again = Client().post(address, WORDS | {"username": "mallory"})

    assert again.status_code == 410
    assert reverse("login") in again.text
    assert User.objects.count() == 1


def test_a_link_made_before_the_first_account_opens_nothing_after_it(client: Client, db: None) -> None:
    make_user()

    assert client.post(new_address(), WORDS).status_code == 410
    assert User.objects.count() == 1


@pytest.mark.parametrize("address", ["/setup/", "/setup/guessed/"])
def test_without_the_link_the_page_says_where_it_is(client: Client, db: None, address: str) -> None:
    new_address()

    assert client.post(address, WORDS).status_code == 403
    assert "terminal" in client.get(address).text
    assert not User.objects.exists()


def test_the_sign_in_of_an_empty_installation_leads_to_the_explanation(client: Client, db: None) -> None:
    assert "terminal" in client.get("/", follow=True).text


@pytest.mark.parametrize(
    "wrong",
    [
        {"password1": "short", "password2": "short"},
        {"password2": "another-one-2026"},
        {"password1": "password", "password2": "password"},
        {"username": "m e i"},
        {"username": ""},
        {"model": "http://evil.example/v1 model"},
    ],
)
def test_what_is_wrong_comes_back_and_the_link_stays_good(client: Client, db: None, wrong: dict[str, str]) -> None:
    address = new_address()

    assert client.post(address, WORDS | wrong).status_code == 422
    assert not User.objects.exists()
    assert client.post(address, WORDS).status_code == 302


def test_the_provider_of_the_environment_is_offered_first(client: Client, db: None, settings: Settings) -> None:
    settings.OPENAI_API_KEY, settings.OPENAI_MODEL = "sk-of-a-test", "gpt-of-a-test"
    address = new_address()

    assert "gpt-of-a-test" in client.get(address).text
    assert "sk-of-a-test" not in client.get(address).text
    client.post(address, WORDS | {"model": "environment"})
    assert User.objects.exists()


def test_a_server_of_this_machine_becomes_the_default_provider(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with OpenAIStub() as stub:
        monkeypatch.setitem(discovery.USUAL_PORTS, stub.server_address[1], "Ollama")
        client.post(new_address(), WORDS | {"model": f"{stub.base_url} stub-model"})

    provider = Provider.objects.get()
    assert (provider.base_url, provider.is_default, provider.default_model) == (stub.base_url, True, "stub-model")
    assert provider.source == Provider.Source.DISCOVERED


def test_of_several_models_one_is_chosen_before_the_first_message(
    client: Client, db: None, openai_stub: OpenAIStub, settings: Settings
) -> None:
    settings.OPENAI_MODEL = ""
    openai_stub.models = ["small", "large"]
    provider = sync_environment_provider()
    assert provider is not None
    client.post(new_address(), WORDS | {"model": "environment"})
    response = client.post(reverse("chat:persona_update"), {"skip": "1"})
    assert response["Location"].startswith(f"/settings/models/?tested={provider.pk}")

    assert "Which one answers?" in client.post(f"/settings/models/{provider.pk}/test/").text
    client.post(f"/settings/models/{provider.pk}/model/", {"model": "large"})
    assert source_for(None).model == "large"


@pytest.mark.django_db(transaction=True)
def test_two_with_the_same_link_at_once_make_one_account(client: Client) -> None:
    address = new_address()
    forms = [WORDS | {"username": name} for name in ("mei", "mallory")]
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda form: post_apart(address, form), forms))

    # 403 where the link is used up and the account not yet committed: that page says what to do as well.
    assert sorted(answers) in ([302, 403], [302, 410])
    assert User.objects.count() == 1


def post_apart(address: str, form: dict[str, str]) -> int:
    """With a connection of the thread's own."""
    try:
        return Client().post(address, form).status_code
    finally:
        connection.close()

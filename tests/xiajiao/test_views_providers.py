import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_provider, make_user
from tests.openai_stub import OpenAIStub
from xiajiao.models import Provider
from xiajiao.secrets import decrypt

KEY = "sk-secret-of-a-test-1234567890"


@pytest.fixture
def staff(client: Client, db: None) -> Client:
    client.force_login(make_user(is_staff=True))
    return client


def fields(**changes: str) -> dict[str, str]:
    return {"name": "Mine", "base_url": "http://ollama:11434/v1", "default_model": "", "model_names": ""} | changes


def test_a_key_is_encrypted_and_never_shown(staff: Client) -> None:
    staff.post(reverse("provider_create"), fields(key=KEY))

    provider = Provider.objects.get()
    assert KEY not in provider.encrypted_key
    assert decrypt(provider.encrypted_key) == KEY
    pages = [reverse("provider_list"), reverse("provider_update", args=[provider.pk])]
    assert all(KEY not in staff.get(page).text for page in pages)


def test_an_empty_key_keeps_the_stored_one_and_a_box_forgets_it(staff: Client) -> None:
    staff.post(reverse("provider_create"), fields(key=KEY))
    provider = Provider.objects.get()
    address = reverse("provider_update", args=[provider.pk])

    staff.post(address, fields(name="Renamed"))
    provider.refresh_from_db()
    assert (provider.name, decrypt(provider.encrypted_key)) == ("Renamed", KEY)

    staff.post(address, fields(forget_key="on"))
    provider.refresh_from_db()
    assert provider.encrypted_key == ""


def test_the_first_provider_becomes_the_default(staff: Client) -> None:
    staff.post(reverse("provider_create"), fields())
    staff.post(reverse("provider_create"), fields(name="Second"))

    assert [provider.name for provider in Provider.objects.filter(is_default=True)] == ["Mine"]


def test_the_default_moves(staff: Client) -> None:
    make_provider(is_default=True)
    other = make_provider()

    staff.post(reverse("provider_default", args=[other.pk]))

    assert Provider.objects.get(is_default=True) == other


def test_a_provider_that_is_switched_off_is_no_default(staff: Client) -> None:
    provider = make_provider(is_default=True)

    staff.post(reverse("provider_enabled", args=[provider.pk]))

    provider.refresh_from_db()
    assert (provider.enabled, provider.is_default) == (False, False)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("", ""),
        ("http://ollama:11434/v1/", "http://ollama:11434/v1"),
        ("https://api.example.com/v1/chat/completions", "https://api.example.com/v1"),
        ("http://[::1]:8000/v1", "http://[::1]:8000/v1"),
    ],
)
def test_addresses_of_servers_are_accepted(staff: Client, given: str, kept: str) -> None:
    staff.post(reverse("provider_create"), fields(base_url=given))

    assert Provider.objects.get().base_url == kept


@pytest.mark.parametrize(
    "address",
    [
        "ollama",
        "ftp://host/v1",
        "file:///etc/passwd",
        "http://",
        "http://me:pw@host/v1",
        "http://[::1",
        "http://h:99999",
    ],
)
def test_what_is_no_address_is_refused(staff: Client, address: str) -> None:
    response = staff.post(reverse("provider_create"), fields(base_url=address))

    assert response.status_code == 422
    assert not Provider.objects.exists()


def test_the_test_shows_and_keeps_the_models(staff: Client, openai_stub: OpenAIStub) -> None:
    openai_stub.models = ["qwen3:8b", "<b>bold</b>"]
    provider = make_provider(base_url=openai_stub.base_url)

    response = staff.post(reverse("provider_test", args=[provider.pk]))

    assert "qwen3:8b" in response.text
    assert "<b>bold" not in response.text
    assert f'<dd id="provider-{provider.pk}-count" hx-swap-oob="true">2</dd>' in response.text
    provider.refresh_from_db()
    assert provider.model_names == ["qwen3:8b", "<b>bold</b>"]


def test_the_test_shows_what_is_wrong(staff: Client) -> None:
    provider = make_provider(base_url="http://127.0.0.1:9/v1", model_names=["kept"])

    response = staff.post(reverse("provider_test", args=[provider.pk]))

    assert "can&#x27;t be reached" in response.text
    provider.refresh_from_db()
    assert provider.model_names == ["kept"]


def test_the_environments_provider_is_read_only(staff: Client) -> None:
    provider = make_provider(source=Provider.Source.ENVIRONMENT)

    assert staff.get(reverse("provider_update", args=[provider.pk])).status_code == 404
    assert staff.post(reverse("provider_delete", args=[provider.pk])).status_code == 404
    assert Provider.objects.exists()


def test_members_may_not_see_or_change_providers(signed_in: Client) -> None:
    provider = make_provider()
    pages = ["provider_list", "provider_create", "discovered_list", "embedding_state", "user_list", "user_create"]
    actions = ["provider_test", "provider_default", "provider_enabled", "provider_delete", "provider_update"]

    assert {signed_in.get(reverse(name)).status_code for name in pages} == {403}
    assert {signed_in.post(reverse(name, args=[provider.pk])).status_code for name in actions} == {403}
    assert signed_in.post(reverse("discovered_add")).status_code == 403


def test_a_new_provider_takes_the_place_of_a_default_that_is_off(staff: Client) -> None:
    make_provider(is_default=True, enabled=False)
    staff.post(reverse("provider_create"), fields(name="New"))
    assert [provider.name for provider in Provider.objects.filter(is_default=True)] == ["New"]


def test_a_new_provider_leaves_the_default_in_its_place(staff: Client) -> None:
    old = make_provider(is_default=True)
    staff.post(reverse("provider_create"), fields(name="New"))
    assert Provider.objects.get(is_default=True) == old

from django.test import Client
from django.urls import reverse

from tests.factories import make_provider, make_user
from xiajiao.secrets import encrypt


def test_the_admin_lists_people_and_providers_without_their_keys(client: Client, db: None) -> None:
    client.force_login(make_user(is_staff=True, is_superuser=True))
    token = encrypt("sk-of-a-test")
    provider = make_provider(encrypted_key=token)

    pages = [
        reverse("admin:index"),
        reverse("admin:xiajiao_user_changelist"),
        reverse("admin:xiajiao_provider_changelist"),
        reverse("admin:xiajiao_provider_change", args=[provider.pk]),
    ]
    answers = [client.get(page) for page in pages]
    assert {answer.status_code for answer in answers} == {200}
    assert not any(token in answer.text or "sk-of-a-test" in answer.text for answer in answers)


def test_the_admin_is_closed_to_members(signed_in: Client) -> None:
    answer = signed_in.get(reverse("admin:index"), follow=True)
    assert answer.status_code == 403
    assert "Django" not in answer.text


def test_a_default_provider_that_the_admin_switches_off_makes_room_for_another(client: Client, db: None) -> None:
    client.force_login(make_user(is_staff=True, is_superuser=True))
    provider = make_provider(is_default=True)
    client.post(reverse("admin:xiajiao_provider_change", args=[provider.pk]), {"name": provider.name})
    provider.refresh_from_db()
    assert (provider.enabled, provider.is_default) == (False, False)


def test_the_admin_wears_the_sites_clothes_and_speaks_chinese(client: Client, db: None) -> None:
    client.force_login(make_user(is_staff=True, is_superuser=True, language="zh-hans", theme="dark"))

    page = client.get(reverse("admin:index")).text

    assert "css/admin" in page
    assert "theme-dark" in page
    assert "模型服务" in page
    assert "Memories" not in page
    assert "Providers" not in page

from django.test import Client
from django.urls import reverse

from tests.factories import make_user
from xiajiao.models import User


def as_staff(client: Client, **columns: object) -> User:
    user = make_user(is_staff=True, **columns)
    client.force_login(user)
    return user


def test_an_added_person_can_sign_in(client: Client, db: None) -> None:
    as_staff(client)
    client.post(reverse("user_create"), {"username": "lin", "password1": "har-gow-88", "password2": "har-gow-88"})

    assert Client().login(username="lin", password="har-gow-88")
    assert not User.objects.get(username="lin").is_staff


def test_a_name_that_differs_only_in_case_is_refused(client: Client, db: None) -> None:
    as_staff(client, username="Mei")
    words = {"username": "mei", "password1": "har-gow-88", "password2": "har-gow-88"}

    assert client.post(reverse("user_create"), words).status_code == 422


def test_a_new_password_replaces_the_old_one(client: Client, db: None) -> None:
    as_staff(client)
    person = make_user(username="lin")
    words = {"new_password1": "siu-mai-99", "new_password2": "siu-mai-99"}

    client.post(reverse("user_password", args=[person.pk]), words)

    assert Client().login(username="lin", password="siu-mai-99")


def test_who_is_locked_out_is_out_at_once(client: Client, db: None) -> None:
    as_staff(client)
    person = make_user()
    theirs = Client()
    theirs.force_login(person)

    client.post(reverse("user_active", args=[person.pk]))
    assert theirs.get(reverse("profile_update")).status_code == 302

    client.post(reverse("user_active", args=[person.pk]))
    theirs.force_login(person)
    assert theirs.get(reverse("profile_update")).status_code == 200


def test_nobody_locks_themselves_out(client: Client, db: None) -> None:
    me = as_staff(client)

    assert client.post(reverse("user_active", args=[me.pk])).status_code == 404


def test_an_administrator_does_not_become_a_superuser_through_anothers_password(client: Client, db: None) -> None:
    as_staff(client)
    root = make_user(is_staff=True, is_superuser=True)

    assert client.post(reverse("user_password", args=[root.pk])).status_code == 403
    assert client.post(reverse("user_active", args=[root.pk])).status_code == 403


def test_what_is_wrong_with_a_name_and_a_password_is_said_in_chinese(client: Client, db: None) -> None:
    as_staff(client, language="zh-hans")
    words = {"username": "小 明", "password1": "7x", "password2": "7x"}

    page = client.post(reverse("user_create"), words).text

    assert "密码太短：至少需要 8 个字符。" in page
    assert "不能有空格" in page
    assert "This password" not in page

import pytest
from django.test import Client
from pytest_django import Settings

from tests.factories import make_user
from xiajiao.guessing import MOST_FOR_ADDRESS, MOST_FOR_NAME

pytestmark = pytest.mark.django_db

PASSWORD = "dumplings-2026"


def sign_in(name: str, password: str, address: str = "10.0.0.1") -> int:
    return Client().post("/login/", {"username": name, "password": password}, REMOTE_ADDR=address).status_code


def test_who_guesses_one_name_is_refused_even_with_the_right_password() -> None:
    make_user(username="Mei", password=PASSWORD)
    for number in range(MOST_FOR_NAME):
        sign_in("mei" if number % 2 else "Mei", f"guess {number}")

    words = {"username": "Mei", "password": PASSWORD}
    assert "Too many attempts" in Client().post("/login/", words, REMOTE_ADDR="10.0.0.1").text
    assert sign_in("Mei", PASSWORD, address="10.0.0.2") == 302


def test_the_admin_has_no_door_at_which_to_guess() -> None:
    make_user(username="Mei", password=PASSWORD, is_staff=True)
    words = {"username": "Mei", "password": PASSWORD}
    client = Client()

    assert client.post("/admin/login/?next=/admin/", words).headers["Location"].startswith("/login/?next=")
    door = client.get("/admin/xiajiao/", follow=True).redirect_chain[-1][0]
    assert client.post(door, words, follow=True).redirect_chain[-1][0] == "/admin/xiajiao/"
    assert client.get("/admin/login/?next=https://elsewhere.example").headers["Location"] == "/admin/"


def test_who_guesses_many_names_is_refused_too() -> None:
    make_user(username="Mei", password=PASSWORD)
    for number in range(MOST_FOR_ADDRESS):
        sign_in(f"person-{number}", "guess")

    assert sign_in("Mei", PASSWORD) == 200


def test_a_right_password_forgets_the_wrong_ones() -> None:
    make_user(username="Mei", password=PASSWORD)
    for _ in range(2):
        for number in range(MOST_FOR_NAME - 1):
            sign_in("Mei", f"guess {number}")
        assert sign_in("Mei", PASSWORD) == 302


def test_without_a_broker_people_sign_in(settings: Settings) -> None:
    location = "unix:///nowhere/valkey.sock"
    settings.CACHES = {"default": settings.CACHES["default"] | {"LOCATION": location}}
    make_user(username="Mei", password=PASSWORD)

    assert sign_in("Mei", "guess") == 200
    assert sign_in("Mei", PASSWORD) == 302

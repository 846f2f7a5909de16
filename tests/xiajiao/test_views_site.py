import re
from hashlib import sha256

import pytest
from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.test.utils import override_settings
from django.urls import path, reverse

from tests.factories import make_user
from xiajiao.models import User
from xiajiao.urls import urlpatterns as site_patterns


def fail(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("on purpose")


def meet_a_lock(request: HttpRequest) -> HttpResponse:
    """What SQLite and PostgreSQL alike raise where a lock is not given in time."""
    raise OperationalError("database is locked")


def refuse(request: HttpRequest) -> HttpResponse:
    raise SuspiciousOperation


urlpatterns = [path("fail/", fail), path("refuse/", refuse), path("lock/", meet_a_lock), *site_patterns]
handler500 = "xiajiao.views.errors.server_error"


def test_every_answer_carries_the_policy(client: Client, user: User) -> None:
    policies = [client.get("/login/").headers["Content-Security-Policy"] for _ in range(2)]

    assert "unsafe" not in policies[0]
    assert "frame-ancestors 'none'" in policies[0]
    assert policies[0] != policies[1], "a nonce is good for one answer"


def test_scripts_carry_the_nonce_of_the_policy(client: Client, user: User) -> None:
    response = client.get("/login/")

    nonce = re.search(r"'nonce-([^']+)'", response.headers["Content-Security-Policy"])
    assert nonce is not None
    assert f'nonce="{nonce[1]}"' in response.text


def test_a_fragment_after_the_session_ended_leads_to_the_sign_in(client: Client, user: User) -> None:
    headers = {"HX-Request": "true", "HX-Current-URL": "http://testserver/settings/models/"}
    response = client.get(reverse("provider_list"), headers=headers)

    assert (response.status_code, response.headers["HX-Redirect"]) == (204, "/login/?next=%2Fsettings%2Fmodels%2F")


def test_what_is_sent_after_the_session_ended_leaves_the_page_as_it_is(client: Client, user: User) -> None:
    response = client.post(reverse("provider_test", args=[1]), headers={"HX-Request": "true"})
    assert (response.status_code, response.content, "HX-Redirect" in response.headers) == (401, b"", False)


def test_the_language_of_the_person_goes_before_the_browsers(client: Client, db: None) -> None:
    client.force_login(make_user(language="en"))
    response = client.get("/settings/", headers={"Accept-Language": "zh-CN"})

    assert response.headers["Content-Language"] == "en"


def test_anybody_may_change_language_and_appearance(client: Client, user: User) -> None:
    client.post(reverse("language_update"), {"language": "zh-hans", "next": "/login/"})
    client.post(reverse("theme_update"), {"theme": "dark", "next": "/login/"})

    page = client.get("/login/").text
    assert '<html lang="zh-hans" class="theme-dark">' in page


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", ""])
def test_a_change_leads_back_to_this_site_alone(client: Client, target: str, db: None) -> None:
    response = client.post(reverse("language_update"), {"language": "en", "next": target})

    assert response.headers["Location"] == reverse("chat:home")


def test_an_unknown_choice_changes_nothing(client: Client, db: None) -> None:
    user = make_user(theme="light")
    client.force_login(user)
    client.post(reverse("theme_update"), {"theme": "x onload=alert(1)", "next": "/"})
    client.cookies["xiajiao_theme"] = '"><script>'

    user.refresh_from_db()
    assert user.theme == "light"
    assert 'class="theme-light"' in client.get("/settings/").text


def test_a_changed_password_keeps_this_device_and_signs_out_the_others(client: Client, db: None) -> None:
    user = make_user(password="dumplings-2026")
    other = Client()
    client.force_login(user)
    other.force_login(user)
    words = {"old_password": "dumplings-2026", "new_password1": "siu-mai-99", "new_password2": "siu-mai-99"}

    client.post(reverse("password_update"), words)

    assert client.get(reverse("profile_update")).status_code == 200
    assert other.get(reverse("profile_update")).status_code == 302


def test_who_is_signed_in_leaves_by_a_post_alone(signed_in: Client) -> None:
    assert signed_in.get(reverse("logout")).status_code == 405
    signed_in.post(reverse("logout"))
    assert signed_in.get(reverse("profile_update")).status_code == 302


@override_settings(ROOT_URLCONF=__name__)
@pytest.mark.parametrize(
    ("address", "status"), [("/fail/", 500), ("/lock/", 503), ("/refuse/", 400), ("/nowhere/", 404)]
)
def test_errors_have_a_page_with_a_way_on(db: None, address: str, status: int) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(make_user())
    response = client.get(address, headers={"Accept-Language": "zh-CN"})

    assert response.status_code == status
    assert 'href="/"' in response.text
    assert 'class="panel' in response.text


def test_a_form_without_token_gets_a_page_that_explains(db: None) -> None:
    client = Client(enforce_csrf_checks=True)

    response = client.post("/login/", {"username": "x", "password": "y"})

    assert response.status_code == 403
    assert 'href="/"' in response.text


def test_the_vendored_files_are_what_their_list_says() -> None:
    vendor = settings.BASE_DIR / "static" / "vendor"
    text = (vendor / "README.md").read_text()
    sums = (vendor / "lucide" / "SHA256SUMS").read_text().splitlines()
    listed = {f"lucide/{line.split()[1]}": line.split()[0] for line in sums}
    listed |= {row[0]: row[1] for row in re.findall(r"\| `([\w/.]+)` \|.*`([0-9a-f]{64})`", text)}
    found = {
        path.relative_to(vendor).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in vendor.rglob("*")
        if path.suffix in {".css", ".svg", ".js"}
    }
    assert found == listed


def test_an_unknown_host_is_told_what_is_missing(client: Client, db: None) -> None:
    response = client.get("/login/", headers={"Host": "192.168.1.20:8600"})

    assert response.status_code == 400
    assert "BASE_URL" in response.content.decode()


def test_a_fragment_asked_for_from_no_address_leads_to_the_sign_in_too(client: Client, user: User) -> None:
    response = client.get("/", headers={"HX-Request": "true", "HX-Current-URL": "http://[bad"})

    assert (response.status_code, response["HX-Redirect"]) == (204, "/login/?next=%2F")

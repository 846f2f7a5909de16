import gzip
import ipaddress
import socket
from pathlib import Path

import pytest

from knowledge.webpages import Bounds, Failure, FetchError, Guard, Page, fetch
from knowledge.webpages.failures import WORDS
from knowledge.webpages.guard import Address, is_public
from tests.knowledge.pages import Answer, SecretListener, Site, drips, says, sends_to

LOOPBACK = ipaddress.ip_network("127.0.0.0/8")


def attempt(answers: dict[str, Answer], tmp_path: Path, bounds: Bounds | None = None, path: str = "/") -> Page:
    """Fetch a page of a site on loopback, which the guard of this test alone lets through."""
    with Site(answers) as site:
        return fetch(site.url(path), tmp_path / "page", bounds, Guard([LOOPBACK]))


def failure(answers: dict[str, Answer], tmp_path: Path, bounds: Bounds | None = None) -> Failure:
    with pytest.raises(FetchError) as caught:
        attempt(answers, tmp_path, bounds)
    return caught.value.code


def test_a_page_is_fetched_and_named(tmp_path: Path) -> None:
    page = attempt(
        {"/docs/%E8%99%BE": says("<p>虾饺</p>".encode(), "text/html; charset=utf-8")}, tmp_path, path="/docs/虾"
    )

    assert page.name == "虾.html"
    assert page.content_type == "text/html"
    assert (tmp_path / "page").read_text(encoding="utf-8") == "<p>虾饺</p>"


def test_the_name_that_a_site_gives_is_no_path(tmp_path: Path) -> None:
    answer = says(b"a,b", "text/csv", content_disposition='attachment; filename="../../etc/passwd"')

    assert attempt({"/": answer}, tmp_path).name == ".._.._etc_passwd"


@pytest.mark.parametrize(
    "address",
    """127.0.0.1 127.8.8.8 0.0.0.0 0.1.2.3 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1
    100.100.100.200 168.63.129.16 192.0.0.192 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1
    255.255.255.255 :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 64:ff9b::7f00:1
    64:ff9b::a9fe:a9fe 64:ff9b:1::1 2002:7f00:1:: 2002:808:808:: 2001::1 2001:0:7f00:1::1 fe80::1 fec0::1 fc00::1
    fd00:ec2::254 ff02::1 2001:db8::1 100::1 3fff::1 5f00::1""".split(),
)
def test_an_address_that_is_not_of_the_internet_is_none_to_connect_to(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["1.1.1.1", "8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_an_address_of_the_internet_is_let_through(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "127.1", "2130706433", "0x7f.1", "0177.0.0.1", "0", "[::1]", "[::ffff:127.0.0.1]"],
)
def test_no_spelling_of_loopback_reaches_a_service_there(host: str, tmp_path: Path) -> None:
    with Site({"/": says(b"secret")}) as site:
        with pytest.raises(FetchError) as caught:
            fetch(site.url("/", host), tmp_path / "page")

        assert caught.value.code in {Failure.FORBIDDEN_ADDRESS, Failure.NOT_FOUND, Failure.BAD_ADDRESS}
        assert site.hosts == []


def test_a_name_that_means_a_public_and_a_private_address_is_refused(tmp_path: Path) -> None:
    def both(_host: str, _port: int) -> list[Address]:
        return [ipaddress.ip_address("8.8.8.8"), ipaddress.ip_address("127.0.0.1")]

    with pytest.raises(FetchError) as caught:
        fetch("http://two.example/", tmp_path / "page", guard=Guard(resolve=both))

    assert caught.value.code == Failure.FORBIDDEN_ADDRESS


def test_a_name_is_looked_up_once_and_what_was_judged_is_connected_to(tmp_path: Path) -> None:
    asked = []

    def rebinding(host: str, _port: int) -> list[Address]:
        """Answers well the first time only, as a hostile name server does."""
        asked.append(host)
        return [ipaddress.ip_address("127.0.0.1" if len(asked) == 1 else "10.0.0.1")]

    with Site({"/": says(b"hello")}) as site:
        fetch(site.url("/", "rebind.example"), tmp_path / "page", guard=Guard([LOOPBACK], rebinding))

        assert asked == ["rebind.example"]
        assert site.hosts == [f"rebind.example:{site.server_port}"]


def test_the_handshake_names_the_site_and_its_certificate_must_be_trusted(tmp_path: Path) -> None:
    def here(_host: str, _port: int) -> list[Address]:
        return [ipaddress.ip_address("127.0.0.1")]

    with SecretListener(tmp_path) as listener, pytest.raises(FetchError) as caught:
        fetch(f"https://pinned.example:{listener.port}/", tmp_path / "page", guard=Guard([LOOPBACK], here))

    assert listener.names == ["pinned.example"]
    assert (caught.value.code, "CERTIFICATE_VERIFY_FAILED" in caught.value.detail) == (Failure.UNREACHABLE, True)


def test_each_redirect_is_vetted_anew(tmp_path: Path) -> None:
    assert failure({"/": sends_to("http://169.254.169.254/latest/meta-data/")}, tmp_path) == Failure.FORBIDDEN_ADDRESS
    assert failure({"/": sends_to("file:///etc/passwd")}, tmp_path) == Failure.BAD_ADDRESS
    assert failure({"/": sends_to("http://user:word@127.0.0.1/")}, tmp_path) == Failure.BAD_ADDRESS


def test_a_redirect_to_a_good_address_is_followed(tmp_path: Path) -> None:
    page = attempt({"/": sends_to("next"), "/next": says(b"there", "text/plain")}, tmp_path)

    assert page.url.endswith("/next")
    assert (tmp_path / "page").read_bytes() == b"there"


def test_a_circle_of_redirects_ends(tmp_path: Path) -> None:
    assert failure({"/": sends_to("/")}, tmp_path) == Failure.TOO_MANY_REDIRECTS


@pytest.mark.parametrize(
    "url",
    ["", "example.com", "ftp://example.com/", "javascript:alert(1)", "http://", "http://[::1", "http://a:b@c.example/"],
)
def test_what_is_no_address_of_the_web_is_refused(url: str, tmp_path: Path) -> None:
    with pytest.raises(FetchError) as caught:
        fetch(url, tmp_path / "page")

    assert caught.value.code == Failure.BAD_ADDRESS


def test_ports_of_other_services_are_not_spoken_to(tmp_path: Path) -> None:
    with pytest.raises(FetchError) as caught:
        fetch("http://8.8.8.8:25/", tmp_path / "page")

    assert caught.value.code == Failure.FORBIDDEN_ADDRESS


def test_a_page_that_is_too_large_is_left(tmp_path: Path) -> None:
    bounds = Bounds(size=100_000)

    assert failure({"/": says(b"x" * 200_000)}, tmp_path, bounds) == Failure.TOO_LARGE
    packed = gzip.compress(b"x" * 50_000_000)
    assert failure({"/": says(packed, content_encoding="gzip")}, tmp_path, bounds) == Failure.TOO_LARGE
    assert (tmp_path / "page").stat().st_size <= 100_000


def test_gzip_is_unpacked(tmp_path: Path) -> None:
    attempt({"/": says(gzip.compress("虾饺".encode()), content_encoding="gzip")}, tmp_path)

    assert (tmp_path / "page").read_text(encoding="utf-8") == "虾饺"


def test_a_site_that_drips_is_left_at_the_deadline(tmp_path: Path) -> None:
    assert failure({"/": drips}, tmp_path, Bounds(seconds=1)) == Failure.TIMED_OUT


def test_pictures_and_errors_are_no_pages(tmp_path: Path) -> None:
    assert failure({"/": says(b"\x89PNG", "image/png")}, tmp_path) == Failure.WRONG_TYPE
    assert failure({"/": says(b"not here", status=404)}, tmp_path) == Failure.REFUSED


def test_a_site_that_is_down_is_unreachable(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        with pytest.raises(FetchError) as caught:
            fetch(f"http://127.0.0.1:{free.getsockname()[1]}/", tmp_path / "page", guard=Guard([LOOPBACK]))

    assert caught.value.code == Failure.UNREACHABLE


def test_each_failure_has_words() -> None:
    assert set(WORDS) == set(Failure)

from django.conf import settings

from xiajiao.setup_link import is_setup_token, make_setup_link, token_path, use_setup_token


def read_token(link: str) -> str:
    return link.rstrip("/").rsplit("/", 1)[1]


def test_a_link_is_good_once() -> None:
    token = read_token(make_setup_link())

    assert is_setup_token(token)
    assert use_setup_token(token)
    assert not is_setup_token(token)
    assert not use_setup_token(token)


def test_a_new_link_replaces_the_old_one() -> None:
    old, new = read_token(make_setup_link()), read_token(make_setup_link())

    assert not is_setup_token(old)
    assert is_setup_token(new)


def test_the_link_itself_is_not_kept() -> None:
    link = make_setup_link()

    assert link.startswith(settings.BASE_URL)
    assert read_token(link) not in token_path().read_text()
    assert token_path().stat().st_mode & 0o077 == 0


def test_without_a_link_nothing_is_accepted() -> None:
    token_path().unlink(missing_ok=True)

    assert not is_setup_token("")
    assert not use_setup_token("anything")

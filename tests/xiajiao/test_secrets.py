import pytest
from pytest_django import Settings

from xiajiao.secrets import SecretError, decrypt, encrypt, rotate


@pytest.mark.parametrize("secret", ["sk-1234", "密钥 🔑", "x" * 5000])
def test_a_secret_comes_back_and_its_token_does_not_show_it(secret: str) -> None:
    token = encrypt(secret)

    assert decrypt(token) == secret
    assert secret not in token
    assert token != encrypt(secret)


def test_no_secret_is_no_token() -> None:
    assert (encrypt(""), decrypt("")) == ("", "")


def test_under_another_secret_key_it_can_t_be_read(settings: Settings) -> None:
    token = encrypt("sk-1234")
    settings.SECRET_KEY = "another"

    with pytest.raises(SecretError):
        decrypt(token)


@pytest.mark.parametrize("token", ["garbage", "gAAAAA", "密"])
def test_what_is_no_token_is_an_error_of_its_own(token: str) -> None:
    with pytest.raises(SecretError):
        decrypt(token)


def test_an_earlier_secret_key_still_reads_and_rotation_leaves_it_behind(settings: Settings) -> None:
    token = encrypt("sk-1234")
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another"
    assert decrypt(token) == "sk-1234"

    renewed = rotate(token)
    settings.SECRET_KEY_FALLBACKS = []
    assert decrypt(renewed) == "sk-1234"

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from xiajiao.environment import (
    env_bool,
    env_choice,
    env_float,
    env_int,
    env_port,
    env_secret,
    env_text,
    env_zone,
    load_env_file,
    split_address,
)


@pytest.mark.parametrize("written", ["", "   "])
def test_an_empty_value_counts_as_unset(monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    monkeypatch.setenv("XJ_A", written)
    assert env_text("XJ_A", "default") == "default"
    assert env_int("XJ_A", 3) == 3
    assert env_float("XJ_A", 0.5) == 0.5
    assert env_secret("XJ_A", "none") == "none"
    assert env_bool("XJ_A", default=True)


def test_values_are_read_without_blanks_around_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XJ_A", " 12 ")
    assert (env_text("XJ_A"), env_int("XJ_A", 0), env_float("XJ_A", 0)) == ("12", 12, 12.0)


@pytest.mark.parametrize(("written", "meant"), [("1", True), ("Yes", True), ("ON", True), ("0", False), ("no", False)])
def test_yes_and_no_have_many_spellings(monkeypatch: pytest.MonkeyPatch, written: str, meant: bool) -> None:
    monkeypatch.setenv("XJ_A", written)
    assert env_bool("XJ_A", default=not meant) is meant


def test_what_cannot_be_read_is_named_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XJ_A", "maybe")
    with pytest.raises(ImproperlyConfigured, match="XJ_A must be a whole number, not 'maybe'"):
        env_int("XJ_A", 0)
    with pytest.raises(ImproperlyConfigured, match="XJ_A must be a number, not 'maybe'"):
        env_float("XJ_A", 0)
    with pytest.raises(ImproperlyConfigured, match="XJ_A must be yes or no, not 'maybe'"):
        env_bool("XJ_A")
    with pytest.raises(ImproperlyConfigured, match="XJ_A must be one of A, B, not 'MAYBE'"):
        env_choice("XJ_A", "A", ("A", "B"))
    with pytest.raises(ImproperlyConfigured, match=r"XJ_A must be the name of a time zone.*'maybe'"):
        env_zone("XJ_A", "UTC")


def test_a_port_lies_between_1_and_65535(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XJ_A", "65535")
    assert env_port("XJ_A", 1) == 65_535
    monkeypatch.setenv("XJ_A", "65536")
    with pytest.raises(ImproperlyConfigured, match="XJ_A must lie between 1 and 65535, not 65536"):
        env_port("XJ_A", 1)


@pytest.mark.parametrize("address", ["mysql://user:hush@host/name", "hush", "postgres://user:hush@host:port/name"])
def test_an_address_that_cannot_be_read_is_named_without_its_password(address: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL") as raised:
        split_address("DATABASE_URL", address, ("postgres", "sqlite"))
    assert "hush" not in str(raised.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "99999"),
        ("TZ", "Middle/Earth"),
        ("LOG_LEVEL", "loud"),
        ("DATABASE_URL", "mysql://host/name"),
        ("REDIS_URL", "localhost"),
        ("XIAJIAO_DATA", "/dev/null/data"),
    ],
)
def test_a_command_stops_with_one_sentence(name: str, value: str) -> None:
    command = [sys.executable, "manage.py", "check"]
    environment = {**os.environ, name: value}
    ended = subprocess.run(command, cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True)
    assert ended.returncode == 1
    assert ended.stderr.startswith(name)
    assert len(ended.stderr.splitlines()) == 1


def test_a_secret_may_lie_in_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text("sk-1\n")
    monkeypatch.setenv("XJ_A", "sk-0")
    monkeypatch.setenv("XJ_A_FILE", str(path))
    assert env_secret("XJ_A") == "sk-1"

    path.unlink()
    with pytest.raises(ImproperlyConfigured, match=r"XJ_A_FILE names .*key: No such file"):
        env_secret("XJ_A")


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names that the file may set; they are gone after the test."""
    for name in ("XJ_A", "XJ_B", "XJ_C", "XJ_D", "XJ_E"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)


@pytest.mark.usefixtures("environment")
def test_a_file_of_settings_fills_in_what_the_environment_leaves_open(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XJ_B", "from the environment")
    path = tmp_path / ".env"
    path.write_text(
        "# note\n\nXJ_A=a = b\nXJ_B=from the file\nexport XJ_C=\"quoted # value\"\nXJ_D=''\nXJ_E=虾饺\n", "utf-8"
    )
    load_env_file(path)
    read = [os.environ[name] for name in ("XJ_A", "XJ_B", "XJ_C", "XJ_D", "XJ_E")]
    assert read == ["a = b", "from the environment", "quoted # value", "", "虾饺"]


@pytest.mark.parametrize("line", ["no equals sign", "=value", "two words=x"])
def test_a_line_that_is_no_setting_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / ".env"
    path.write_text(f"# first\n{line}\n")
    with pytest.raises(ImproperlyConfigured, match=r"Line 2 of .*\.env is no NAME=value"):
        load_env_file(path)


def test_no_file_of_settings_is_needed(tmp_path: Path) -> None:
    load_env_file(tmp_path / "none")
    load_env_file(Path(os.devnull))


def test_an_address_of_ipv6_is_answered() -> None:
    """Browsers write it in brackets; settings are read anew by a process of their own."""
    code = "from django.conf import settings; print(*settings.ALLOWED_HOSTS)"
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "xiajiao.settings", "BASE_URL": "http://[fd00::1]:8600"}
    command = [sys.executable, "-c", code]
    ended = subprocess.run(command, cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True, check=True)
    assert "[fd00::1]" in ended.stdout.split()

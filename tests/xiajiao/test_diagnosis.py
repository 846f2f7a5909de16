"""What the doctor finds, each fault made for real."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django import Settings

from tests.openai_stub import OpenAIStub
from xiajiao import diagnosis
from xiajiao.supervisor.lock import take_folder
from xiajiao.supervisor.starting import StartError, run


@pytest.fixture
def folder(settings: Settings, tmp_path: Path) -> Iterator[Path]:
    settings.DATA_DIR = tmp_path
    yield tmp_path
    tmp_path.chmod(0o700)


def test_a_folder_open_to_others_is_a_fault(folder: Path) -> None:
    assert diagnosis.check_folder().ok
    folder.chmod(0o755)
    finding = diagnosis.check_folder()
    assert not finding.ok
    assert finding.next_step == f"Close it: chmod 700 {folder}"


def test_a_key_that_others_read_is_a_fault(folder: Path) -> None:
    assert diagnosis.check_secret().reason == "From SECRET_KEY."
    key = folder / "secret.key"
    key.touch(mode=0o600)
    assert diagnosis.check_secret().ok
    key.chmod(0o644)
    assert diagnosis.check_secret().next_step == f"Close it: chmod 600 {key}"


def test_a_full_disk_is_a_fault(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert diagnosis.check_disk().ok
    monkeypatch.setattr(diagnosis, "LEAST_FREE", 2**60)
    finding = diagnosis.check_disk()
    assert not finding.ok
    assert finding.next_step


def test_a_clock_behind_the_program_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    assert diagnosis.check_clock().ok
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert diagnosis.check_clock().next_step == "Set the machine's clock."


def test_who_holds_the_folder_is_told(folder: Path) -> None:
    assert not diagnosis.check_running().ok
    handle = take_folder(folder)
    try:
        assert diagnosis.check_running().reason == f"Process {os.getpid()}."
    finally:
        os.close(handle)
    assert not diagnosis.check_running().ok


def test_bad_settings_are_told(settings: Settings) -> None:
    assert diagnosis.check_settings().ok
    settings.BASE_URL = "chat.example.com"
    finding = diagnosis.check_settings()
    assert not finding.ok
    assert "BASE_URL must begin with http" in finding.reason


@pytest.mark.django_db
def test_a_model_that_does_not_answer_is_told_and_is_no_failure(settings: Settings, openai_stub: OpenAIStub) -> None:
    settings.OPENAI_BASE_URL, settings.OPENAI_MODEL = openai_stub.base_url, "stub-model"
    assert diagnosis.examine_chat_model().ok

    settings.OPENAI_MODEL = "another"
    assert "another is not among the models" in diagnosis.examine_chat_model().reason

    settings.OPENAI_BASE_URL = "http://127.0.0.1:9/v1"
    finding = diagnosis.examine_chat_model()
    assert not finding.ok
    assert not finding.is_needed
    assert "can't be reached" in finding.reason


@pytest.mark.django_db
def test_a_broken_embedder_is_told_in_its_own_words(settings: Settings) -> None:
    settings.EMBEDDER = "nobody"
    finding = diagnosis.examine_embedder()
    assert not finding.ok
    assert "No embedder is named 'nobody'" in finding.reason


@pytest.mark.django_db
def test_the_doctor_ends_badly_where_something_needed_is_broken(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        call_command("doctor")
    assert ended.value.code == 1
    said = capsys.readouterr().out
    assert "!!  Running: Xiajiao does not run.\n    → Start Xiajiao with `make run`." in said
    assert "ok  Database version: The database is up to date." in said


@pytest.mark.django_db
def test_the_doctor_speaks_chinese_where_the_terminal_does(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.TERMINAL_LOCALE = "zh_CN.UTF-8"
    with pytest.raises(SystemExit):
        call_command("doctor")
    assert "虾饺" in capsys.readouterr().out


def test_a_folder_that_cannot_be_written_stops_the_start_with_a_way_out(folder: Path) -> None:
    # What root may write too: a folder in place of the file.
    (folder / "up.lock").mkdir()

    with pytest.raises(StartError, match="Give this account the folder"):
        run(print)

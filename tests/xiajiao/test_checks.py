import pytest
from django.core.checks import run_checks
from pytest_django import Settings


def found() -> set[str]:
    return {message.id or "" for message in run_checks()}


def test_the_defaults_are_well() -> None:
    assert found() == set()


@pytest.mark.parametrize(
    ("host", "base_url", "is_refused"),
    [
        ("127.0.0.1", "http://localhost:8600", False),
        ("::1", "http://[::1]:8600", False),
        ("0.0.0.0", "http://localhost:8600", True),
        ("127.0.0.1", "https://chat.example.com", True),
    ],
)
def test_debug_pages_are_refused_where_others_see_them(
    settings: Settings, host: str, base_url: str, is_refused: bool
) -> None:
    settings.DEBUG, settings.HOST, settings.BASE_URL = True, host, base_url
    assert ("xiajiao.E001" in found()) is is_refused


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("BASE_URL", "chat.example.com", "xiajiao.E002"),
        ("BASE_URL", "ftp://chat.example.com", "xiajiao.E002"),
        ("BASE_URL", "https://example.com/chat", "xiajiao.E003"),
        ("HOST", "0.0.0.0", "xiajiao.W001"),
        ("WORKER_PROCESSES", 0, "xiajiao.E004"),
        ("TURN_THREADS", 0, "xiajiao.E004"),
        ("MODEL_TIMEOUT", 0, "xiajiao.E004"),
        ("RECALL_DEADLINE", -1, "xiajiao.E004"),
        ("EMBEDDER", "e6", "xiajiao.E006"),
        ("LOCAL_GGUF", "/no/such.gguf", "xiajiao.E007"),
        ("OPENAI_BASE_URL", "localhost:11434/v1", "xiajiao.E008"),
    ],
)
def test_what_would_fail_later_is_told_at_once(settings: Settings, name: str, value: object, expected: str) -> None:
    setattr(settings, name, value)
    assert found() == {expected}

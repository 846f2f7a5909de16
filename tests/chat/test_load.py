"""Many conversations at once, as benchmarks/streams.py has them, but fewer and shorter."""

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPResponse

import pytest
from pytest_django import Settings

from chat.models import Message
from chat.runner import start_turn
from tests.chat.pages import Page, Site, read_count, read_events
from tests.chat.turning import make_answer

pytestmark = pytest.mark.django_db(transaction=True)

CONVERSATIONS = 16
WORDS = [f"w{number}" for number in range(60)]


@pytest.fixture
def other_process(settings: Settings) -> Iterator[None]:
    """The scripted model where it takes no time from this process."""
    says = ["--says", " ".join(WORDS), "--rate", "20"]
    command = [sys.executable, "-m", "tests.openai_stub", *says]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as stub:
        assert stub.stdout is not None
        settings.OPENAI_BASE_URL = stub.stdout.readline().strip()
        settings.OPENAI_API_KEY, settings.OPENAI_MODEL = "sk-stub-key-of-tests", "stub-model"
        yield
        stub.kill()


def test_every_word_of_many_streams_arrives_in_order(site: Site, other_process: None) -> None:
    answers = [make_answer(f"Count for me, number {number}") for number in range(CONVERSATIONS)]
    for answer in answers:
        start_turn(answer.pk)
    streams = [site.open_stream(answer.conversation.user, answer) for answer in answers]
    with ThreadPoolExecutor(CONVERSATIONS) as pool:
        pages = list(pool.map(follow, streams))

    assert [page.words for page in pages] == [WORDS[: len(page.words)] for page in pages]
    assert [read_count(page.finished) for page in pages] == [WORDS] * CONVERSATIONS
    rows = Message.objects.filter(role="assistant")
    assert set(rows.values_list("status", "recall_degraded", "error_code")) == {("done", "", "")}


def follow(stream: HTTPResponse) -> Page:
    page = Page()
    page.follow(read_events(stream))
    return page

"""Files at conversations, for tests: read at once."""

from knowledge.models import Document
from tests.knowledge.documents import index_now


def index_all() -> None:
    for document in Document.objects.filter(state="queued"):
        index_now(document)

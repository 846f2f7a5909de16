"""Documents for tests: a file in a base, indexed as a worker would."""

from __future__ import annotations

import time
from typing import Any

from knowledge.embedding import embed_next
from knowledge.indexing import index
from knowledge.models import Document, KnowledgeBase
from knowledge.storage import new_file
from tests.factories import make_user

FOREVER = time.monotonic() + 10**6


def make_base(**columns: Any) -> KnowledgeBase:
    if "owner" not in columns:
        columns["owner"] = make_user()
    return KnowledgeBase.objects.create(**({"name": "Handbook", "chunk_size": 64, "chunk_overlap": 8} | columns))


def make_document(base: KnowledgeBase, content: bytes | str, name: str = "notes.md", **columns: Any) -> Document:
    path = new_file()
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    plain = {"doc_id": name, "name": name, "stored_as": path.name, "size": path.stat().st_size}
    return Document.objects.create(base=base, **(plain | columns))


def index_again(document: Document) -> Document:
    Document.objects.filter(pk=document.pk).update(state="queued")
    return index_now(document)


def index_now(document: Document) -> Document:
    index(document)
    return Document.objects.get(pk=document.pk)


def embed_all() -> None:
    while embed_next(FOREVER):
        pass

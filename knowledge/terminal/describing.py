"""Documents, and what became of them, as lines of a terminal or as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from knowledge.models import Document, SemanticIndex
from knowledge.wording import explain_reason, explain_warnings, say_stage
from xiajiao.terminal import write_table

MOMENTS = ("created_at", "indexed_at")
PLAIN = ("doc_id", "name", "url", "state", "enabled", "size", "encoding", "encoding_is_guess", "reason", "pages")


def write_json(values: Mapping[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False)


def describe(document: Document) -> dict[str, Any]:
    """As JSON has it."""
    vectors: SemanticIndex | None = getattr(document, "semantic_index", None)
    return {
        "id": document.pk,
        "base": document.base.name,
        **{name: getattr(document, name) for name in PLAIN},
        "warnings": [str(warning) for warning in explain_warnings(document)],
        "tags": [each.tag for each in document.tags.all()],
        "chunks": document.chunk_count,
        "vectors": {"state": vectors.state, "done": vectors.done, "error": vectors.error} if vectors else None,
        **{name: moment.isoformat() if (moment := getattr(document, name)) else None for name in MOMENTS},
    }


def write_documents(documents: Iterable[Document]) -> Iterator[str]:
    """A table; below it, what is the matter with those that can't be searched."""
    found = list(documents)
    heads = [_("Base"), _("Document"), _("State"), _("Chunks"), _("Vectors"), _("Size")]
    yield from write_table(heads, [row_of(document) for document in found])
    for document in found:
        for number, said in enumerate(say_reason(document)):
            yield f"    {said}" if number else f"{document.doc_id}: {said}"


def row_of(document: Document) -> list[str]:
    size = filesizeformat(document.size).replace("\xa0", " ") if document.size else "–"
    chunks = str(document.chunk_count) if document.chunk_count else "–"
    return [document.base.name, document.doc_id, say_state(document), chunks, count_vectors(document), size]


def say_state(document: Document) -> str:
    state = say_stage(document) if document.state in Document.WORKED_AT else document.get_state_display()
    return state if document.enabled else _("%(state)s, switched off") % {"state": state}


def count_vectors(document: Document) -> str:
    vectors: SemanticIndex | None = getattr(document, "semantic_index", None)
    if vectors is None:
        return "–"
    return f"{vectors.done}/{vectors.total}" + (" !" if vectors.error else "")


def write_ended(document: Document) -> Iterator[str]:
    """One whose reading has ended: `ready  12 chunks  guide.pdf`, and what to know about it."""
    count = ngettext("%(count)s chunk", "%(count)s chunks", document.chunk_count) % {"count": document.chunk_count}
    is_ready = document.state == Document.State.READY
    yield "  ".join(filter(None, [document.get_state_display(), count if is_ready else "", document.doc_id]))
    yield from (f"    {said}" for said in say_reason(document))
    yield from (f"    {warning}" for warning in explain_warnings(document) if is_ready)


def say_reason(document: Document) -> Iterator[str]:
    """What is the matter, and on a line of its own what to do."""
    words = explain_reason(document)
    if words:
        yield str(words.what)
        yield from (f"→ {step}" for step in [words.next_step] if step)

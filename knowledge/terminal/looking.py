"""`kb search`, `kb list`: what the bases hold, and what a search of it brings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from knowledge.browsing import Narrowing, tally
from knowledge.labels import label_chunk
from knowledge.models import Document
from knowledge.models.chunks import HEADING_JOINT
from knowledge.search import Findings, Found, Wanted, search_chunks
from knowledge.terminal.choosing import find_bases, find_documents
from knowledge.terminal.describing import describe, write_documents, write_json
from xiajiao.terminal import write_table
from xiajiao.texts import clip

WIDEST = 300


def list_documents(options: dict[str, Any]) -> Iterator[str]:
    """The newest first. Raises CommandError."""
    if options["bases"]:
        yield from list_bases(options)
        return
    narrowing = Narrowing(options["words"] or "", options["state"] or "", (options["tag"] or [""])[0])
    documents = narrowing.apply(find_documents(options)).order_by("-pk").select_related("base", "semantic_index")
    for tag in (options["tag"] or [])[1:]:
        documents = documents.filter(tags__tag=tag)
    shown = documents.prefetch_related("tags")[: options["limit"] or None]
    if options["json"]:
        yield from (write_json(describe(document)) for document in shown)
        return
    count = documents.count()
    if not count:
        yield _("There is no such document.") if narrowing.is_narrow else _("There are no documents.")
        return
    yield from write_documents(shown)
    if count > len(shown):
        yield _("%(count)s more; --limit 0 shows all.") % {"count": count - len(shown)}


def list_bases(options: dict[str, Any]) -> Iterator[str]:
    bases = find_bases(options)
    tallies = tally(bases)
    if options["json"]:
        for base in bases:
            owner = base.owner.get_username()
            yield write_json({"id": base.pk, "name": base.name, "owner": owner, **vars(tallies[base.pk])})
        return
    heads = [_("Number"), _("Base"), _("Owner"), _("Documents"), _("Ready"), _("Being read"), _("Failed"), _("Chunks")]
    names = ("documents", "ready", "running", "failed", "chunks")
    yield from write_table(
        heads,
        [
            [str(base.pk), base.name, base.owner.get_username(), *(str(getattr(tallies[base.pk], n)) for n in names)]
            for base in bases
        ],
    )


def search(options: dict[str, Any]) -> Iterator[str]:
    """As a turn would, the best first, with why. Raises CommandError."""
    wanted = Wanted(options["doc_id"] or [], options["tag"] or [])
    if not 1 <= options["top_k"] <= 100:
        raise CommandError(_("--top-k is from 1 to 100."))
    # An id that no document has is a slip of the pen, and no search that found nothing.
    find_documents(options)
    text = " ".join(options["words"])
    findings = search_chunks(find_bases(options), text, options["top_k"], wanted)
    if options["json"]:
        yield from (write_json(describe_found(each)) for each in findings.found)
    else:
        yield from write_findings(findings)


def describe_found(found: Found) -> dict[str, Any]:
    chunk, document = found.chunk, found.chunk.document
    place = {"page": chunk.page, "sheet": chunk.sheet, "heading_path": chunk.heading_path, "text": chunk.text}
    named = {"chunk": chunk.pk, "base": document.base.name, "doc_id": document.doc_id, "name": document.name}
    ranks = {"dense_rank": found.hit.dense_rank, "lexical_rank": found.hit.lexical_rank}
    return {**named, **place, "is_relevant": found.is_relevant, "parts": found.parts, **ranks}


def write_findings(findings: Findings) -> Iterator[str]:
    if findings.is_degraded:
        yield _("The embedding model doesn't answer: words alone were searched.")
    if not findings.found:
        yield _("Nothing was found.")
    for number, found in enumerate(findings.found, 1):
        yield f"{number}. {label_chunk(found.chunk)}  #{found.chunk.pk}  ({found.chunk.document.base.name})"
        yield f"   {explain(found)}"
        heading = HEADING_JOINT.join(found.chunk.heading_path)
        text = clip(" ".join(found.chunk.text.split()), WIDEST)
        yield "   " + (f"{heading}: {text}" if heading else text)


def explain(found: Found) -> str:
    """`relevance 0.61 · no. 1 by meaning · no. 3 by words, of which it holds 40%`."""
    said = []
    if found.relevance is not None:
        said.append(_("relevance %(value)s") % {"value": f"{found.relevance:.2f}"})
    if found.hit.dense_rank is not None:
        said.append(_("no. %(rank)s by meaning") % {"rank": found.hit.dense_rank})
    if found.hit.lexical_rank is not None:
        values = {"rank": found.hit.lexical_rank, "share": f"{found.hit.coverage:.0%}"}
        said.append(_("no. %(rank)s by words, of which it holds %(share)s") % values)
    if not found.is_relevant:
        said.append(_("under the floor: a turn is not given it"))
    return " · ".join(said)


STATES = [*Document.State.values, "running", "off", "unembedded"]

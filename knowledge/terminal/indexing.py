"""`kb index` and `kb reindex`: files into a base, and documents read once more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from knowledge.adding import Added, Offer, Outcome, Taken, Wish, add_document
from knowledge.changing import embed_again, requeue_all, retry_vectors, set_tags
from knowledge.models import Document, SemanticIndex
from knowledge.terminal.choosing import find_base, find_bases, find_documents, find_person
from knowledge.terminal.describing import describe, write_ended, write_json
from knowledge.terminal.waiting import Hands, follow, follow_vectors
from knowledge.terminal.walking import Skipped, Source, Why, explain_skip, walk

# Of what is passed over, so many are named.
SHOWN = 20


def index_paths(options: dict[str, Any], hands: Hands) -> Iterator[str]:
    """Raises CommandError; at the end too, where something can't be searched."""
    base, person = find_base(options), find_person(options)
    found = list(walk(options["paths"]))
    files = [each for each in found if isinstance(each, Source)]
    skipped = [each for each in found if isinstance(each, Skipped)]
    doc_id = check_id(options)
    wish = Wish(options["twins"], read_taken(options))
    due, left = [], sum(each.why == Why.UNREADABLE for each in skipped)
    for file in files:
        added = add_document(base, Offer(file.path, file.name, doc_id, person or base.owner), wish)
        tag(added.document, options["tag"])
        due += [added.document.pk] if is_due(added) else []
        left += added.outcome == Outcome.TAKEN
        yield from tell_added(file, added, options["json"])
    yield from tell_skipped(skipped, options["json"])
    if not files:
        raise CommandError(_("There is no file to index there."))
    yield from finish(due, options, hands, left)


def is_due(added: Added) -> bool:
    """Of what is here already, too, what came to no end: it is told once more how it stands."""
    is_unsettled = added.outcome == Outcome.UNCHANGED and added.document.state != Document.State.READY
    return added.is_due or is_unsettled


def check_id(options: dict[str, Any]) -> str:
    paths: list[Path] = options["paths"]
    if options["doc_id"] and (len(paths) != 1 or paths[0].is_dir()):
        raise CommandError(_("--doc-id names one document: give one file with it."))
    return options["doc_id"] or ""


def read_taken(options: dict[str, Any]) -> Taken:
    if options["replace"]:
        return Taken.REPLACE
    return Taken.BOTH if options["keep_both"] else Taken.ASK


def tag(document: Document, tags: Sequence[str]) -> None:
    if tags:
        set_tags(document, [*document.tags.values_list("tag", flat=True), *tags])


def tell_added(file: Source, added: Added, as_json: bool) -> Iterator[str]:
    """What stood in the way; that one came in is told when it has been read."""
    if is_due(added):
        return
    if as_json:
        yield write_json({"path": str(file.path), "outcome": added.outcome, "document": describe(added.document)})
        return
    names = {"name": file.name, "other": added.document.doc_id}
    match added.outcome:
        case Outcome.UNCHANGED:
            yield _("unchanged: %(name)s") % names
        case Outcome.TWIN:
            yield _("%(name)s is here already, as %(other)s. --twins takes it too.") % names
        case Outcome.TAKEN:
            yield _("%(name)s: another document is called so. Say --replace or --keep-both.") % names


def tell_skipped(skipped: Sequence[Skipped], as_json: bool) -> Iterator[str]:
    if as_json:
        yield from (write_json({"path": str(each.path), "skipped": each.why}) for each in skipped)
        return
    shown = sorted(skipped, key=lambda each: each.why != Why.UNREADABLE)[:SHOWN]
    yield from (_("passed over: %(path)s: %(why)s") % {"path": each.path, "why": explain_skip(each)} for each in shown)
    if len(skipped) > SHOWN:
        yield _("passed over: %(count)s more") % {"count": len(skipped) - SHOWN}


def reindex(options: dict[str, Any], hands: Hands) -> Iterator[str]:
    """Raises CommandError; at the end too, where something can't be searched."""
    documents = find_documents(options, is_change=True)
    if options["vectors"]:
        keys = list(documents.values_list("pk", flat=True))
        ask_for_vectors(options, documents)
        yield from finish_vectors(keys, options, hands)
        return
    if options["failed"]:
        retry_vectors(documents)
        documents = documents.filter(state__in=[Document.State.FAILED, Document.State.CANCELLED])
    yield from finish(requeue_all(documents), options, hands, 0)


def ask_for_vectors(options: dict[str, Any], documents: Any) -> None:
    """Those of chosen documents that are missing; of whole bases all that the embedder of now has not made."""
    if options["doc_id"]:
        retry_vectors(documents)
        return
    for base in find_bases(options, is_change=True):
        embed_again(base)


def finish(keys: list[int], options: dict[str, Any], hands: Hands, left: int) -> Iterator[str]:
    """What became of them. `left`: files that stayed outside for a reason that a script must see."""
    if options["no_wait"]:
        yield from hand_over(keys, options, hands)
    else:
        ready: list[int] = []
        for document in follow(keys, hands):
            is_ready = document.state == Document.State.READY
            left += not is_ready
            ready += [document.pk] if is_ready else []
            yield from [write_json(describe(document))] if options["json"] else write_ended(document)
        if not options["no_vectors"]:
            yield from finish_vectors(ready, options, hands)
    if left:
        said = ngettext("%(count)s file can't be searched.", "%(count)s files can't be searched.", left)
        raise CommandError(said % {"count": left})


def hand_over(keys: list[int], options: dict[str, Any], hands: Hands) -> Iterator[str]:
    is_served = hands.is_served()
    for key in keys if is_served else []:
        hands.nudge_indexing(key)
    if options["json"]:
        rows = Document.objects.filter(pk__in=keys).select_related("base", "semantic_index").order_by("pk")
        yield from (write_json(describe(document)) for document in rows)
        return
    yield ngettext("%(count)s document waits to be read.", "%(count)s documents wait to be read.", len(keys)) % {
        "count": len(keys)
    }
    if keys and not is_served:
        yield _("No worker runs: they are read when Xiajiao is started.")


def finish_vectors(keys: list[int], options: dict[str, Any], hands: Hands) -> Iterator[str]:
    """That some are missing is no failure: words find these chunks."""
    if options["no_wait"]:
        if hands.is_served():
            hands.nudge_embedding()
        return
    rows = list(follow_vectors(keys, hands))
    done, total = sum(row.done for row in rows), sum(row.total for row in rows)
    if options["json"]:
        yield write_json({"vectors": done, "of": total, "errors": sorted({row.error for row in rows if row.error})})
        return
    if rows:
        yield _("vectors: %(done)s of %(total)s") % {"done": done, "total": total}
    for row in rows:
        if row.state != SemanticIndex.State.READY:
            said = _("%(name)s is found by words alone for now: %(error)s")
            yield said % {"name": row.document.doc_id, "error": row.error or row.get_state_display()}

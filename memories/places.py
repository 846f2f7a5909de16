"""Where a memory's words lie in this app: its row and what stands beside it, and what other memories hold of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from memories.indexing import find_vectors
from memories.locks import write_lock
from memories.models import BulkChange, Memory, MemoryRevision
from memories.namespaces import memory_namespace
from xiajiao.fulltext import terms
from xiajiao.models import IndexedText
from xiajiao.places import Forgotten, Place, register


def find_wordings(memory: Memory) -> tuple[str, ...]:
    """Every text that the memory has or had, the present one first."""
    texts = {memory.content}
    for revision in memory.revisions.all():
        texts |= {revision.before.get("content", "")}
        # A newer memory's text stands there where this one was replaced: that one stays.
        texts |= {revision.offered} if revision.action != MemoryRevision.Action.SUPERSEDED else set()
    return tuple(sorted((text for text in texts if text.strip()), key=lambda text: (text != memory.content, text)))


def count_rows(forgotten: Forgotten) -> int:
    return Memory.objects.filter(pk=forgotten.memory_id).count()


def delete_rows(forgotten: Forgotten) -> int:
    """With revisions, tags, vector and full text, in whatever state the memory is."""
    memory = Memory.objects.select_related("agent").filter(pk=forgotten.memory_id).first()
    if memory is None:
        return 0
    with write_lock(memory.agent_id, memory.user_id):
        memory.delete()
    return 1


def count_revisions(forgotten: Forgotten) -> int:
    return MemoryRevision.objects.filter(memory=forgotten.memory_id).count()


def delete_revisions(forgotten: Forgotten) -> int:
    rows = MemoryRevision.objects.filter(memory=forgotten.memory_id)
    count = rows.count()
    rows.delete()
    return count


def count_indexed(forgotten: Forgotten) -> int:
    namespace = memory_namespace(forgotten.agent_id, forgotten.user_id)
    return IndexedText.objects.filter(namespace=namespace, key=str(forgotten.memory_id)).count()


def count_vectors(forgotten: Forgotten) -> int:
    memory = Memory.objects.select_related("agent").filter(pk=forgotten.memory_id).exclude(embedded_with="").first()
    return 0 if memory is None else len(find_vectors(memory))


def find_others(forgotten: Forgotten) -> list[tuple[Memory, list[MemoryRevision]]]:
    """Other memories of the same person that quote the same sentence, and revisions of theirs that hold its words."""
    quotes = "\n".join(Memory.objects.filter(pk=forgotten.memory_id).values_list("quote", flat=True)).splitlines()
    rows = Memory.objects.filter(agent=forgotten.agent_id, user=forgotten.user_id).exclude(pk=forgotten.memory_id)
    same = Q(pk__in=[])
    for line in filter(str.strip, quotes):
        same |= Q(quote__contains=line)
    for wording in forgotten.telling:
        same |= Q(quote__contains=wording) | Q(revisions__offered__contains=wording)
        same |= Q(revisions__before__content__icontains=wording)
    found = Memory.objects.filter(pk__in=rows.filter(same).order_by().values("pk")).prefetch_related("revisions")
    return [(memory, [each for each in memory.revisions.all() if holds(each, forgotten.telling)]) for memory in found]


def holds(revision: MemoryRevision, wordings: Iterable[str]) -> bool:
    return any(says(text, wordings) for text in (revision.offered, *revision.before.values()))


def count_others(forgotten: Forgotten) -> int:
    return sum(len(held) or 1 for _memory, held in find_others(forgotten))


def scrub_others(forgotten: Forgotten) -> int:
    """Their own words stay; a quote that says both, and what revisions tell of the other memory, goes."""
    count = 0
    for memory, held in find_others(forgotten):
        Memory.objects.filter(pk=memory.pk).update(quote="")
        for revision in held:
            before = {name: value for name, value in revision.before.items() if not says(value, forgotten.telling)}
            offered = "" if says(revision.offered, forgotten.telling) else revision.offered
            MemoryRevision.objects.filter(pk=revision.pk).update(before=before, offered=offered)
        count += len(held) or 1
    return count


def says(value: Any, wordings: Iterable[str]) -> bool:
    return isinstance(value, str) and any(wording in value for wording in wordings)


def find_searches(forgotten: Forgotten) -> list[tuple[BulkChange, str]]:
    """Changes of all that a search matched, of anybody who may see it, with their filter as it is without its words.

    One word in common is enough: nobody can tell better what was looked for.
    """
    told = {term for wording in forgotten.wordings for term in terms(wording)}
    found = []
    for change in BulkChange.objects.filter(selection__has_key="filter"):
        chosen = dict(parse_qsl(change.selection["filter"]))
        if told & set(terms(chosen.get("q", ""))):
            found.append((change, urlencode(chosen | {"q": "…"})))
    return found


def count_searches(forgotten: Forgotten) -> int:
    return len(find_searches(forgotten))


def scrub_searches(forgotten: Forgotten) -> int:
    """Which memories it was, their numbers say."""
    found = find_searches(forgotten)
    for change, query in found:
        BulkChange.objects.filter(pk=change.pk).update(selection=change.selection | {"filter": query})
    return len(found)


register(
    Place(
        "searches", _("searches by which many were changed"), count_searches, scrub_searches, 60, strike=scrub_searches
    )
)
register(Place("memory_others", _("what other memories tell of it"), count_others, scrub_others, rank=70))
register(Place("memory_fulltext", _("the full-text index"), count_indexed, count_indexed, rank=80))
register(Place("memory_vectors", _("the vector store"), count_vectors, count_vectors, rank=81))
register(Place("memory_revisions", _("its history"), count_revisions, delete_revisions, rank=90))
register(Place("memory_rows", _("the memory itself"), count_rows, delete_rows, rank=91))

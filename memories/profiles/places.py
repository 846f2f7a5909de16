"""Where a memory's words lie in profile files: in the texts that stand there, and in their history."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from memories.locks import write_locks
from memories.models import MemoryRevision, ProfileFile, ProfileRevision
from memories.models.profiles import ProfileFileQuerySet
from memories.profiles.editing import ProfileChange, keep
from memories.profiles.forgetting import Stripper, bury_sentences, may_say
from xiajiao.places import Forgotten, Place, register

TEXTS = ("before", "after", "section")


def owned_files(forgotten: Forgotten) -> ProfileFileQuerySet:
    """The person's own, and who their agents are; of a memory that all users share, the same of its agent's owner.
    What other people keep with the agent is not the owner's to search or to change."""
    if forgotten.user_id is None:
        own = Q(user__isnull=True) | Q(user=F("agent__owner"))
    else:
        own = Q(user=forgotten.user_id) | Q(user__isnull=True, agent__owner=forgotten.user_id)
    agent = Q(agent=forgotten.only_agent_id) if forgotten.only_agent_id else Q()
    return ProfileFile.objects.filter(own, agent)


def find_sayings(forgotten: Forgotten) -> list[tuple[ProfileFile, Sequence[str]]]:
    """Files that say it, each with the sentences that would go."""
    rows = owned_files(forgotten).filter(may_say(["text"], forgotten)).select_related("agent").order_by("pk")
    stripper = Stripper(forgotten)
    found = ((file, stripper.strip(file.text)) for file in rows.iterator(200))
    return [(file, stripped.gone) for file, stripped in found if stripped.text != file.text]


def find_files(forgotten: Forgotten) -> list[ProfileFile]:
    return [file for file, _sentences in find_sayings(forgotten)]


def count_files(forgotten: Forgotten) -> int:
    return len(find_files(forgotten))


@transaction.atomic
def scrub_files(forgotten: Forgotten) -> int:
    """With a revision that says that something went and not what, so that an edit under way is told."""
    files, stripper = find_files(forgotten), Stripper(forgotten)
    with write_locks((file.agent_id, file.user_id) for file in files):
        for file in files:
            file.refresh_from_db(fields=["text", "version"])
            stripped = stripper.strip(file.text)
            file.text = stripped.text
            keep(file, stripped.text, ProfileChange(ProfileRevision.Action.FORGOTTEN, MemoryRevision.Actor.SYSTEM))
            bury_sentences(file.agent_id, forgotten, stripped.gone)
    return len(files)


def find_revisions(forgotten: Forgotten) -> list[tuple[ProfileRevision, Sequence[str]]]:
    """With the texts as they are without it, and the sentences that went."""
    rows = ProfileRevision.objects.filter(file__in=owned_files(forgotten)).filter(may_say(TEXTS, forgotten))
    stripper = Stripper(forgotten)
    found: list[tuple[ProfileRevision, Sequence[str]]] = []
    for row in rows.select_related("file").iterator(200):
        stripped = {name: stripper.strip(getattr(row, name)) for name in TEXTS}
        if any(stripped[name].text != getattr(row, name) for name in TEXTS):
            for name in TEXTS:
                setattr(row, name, stripped[name].text)
            found.append((row, [*stripped["before"].gone, *stripped["after"].gone]))
    return found


def count_revisions(forgotten: Forgotten) -> int:
    return len(find_revisions(forgotten))


def scrub_revisions(forgotten: Forgotten) -> int:
    """That something was changed, when and by whom stays."""
    found = find_revisions(forgotten)
    gone: dict[int, set[str]] = {}
    for row, sayings in found:
        gone.setdefault(row.file.agent_id, set()).update(sayings)
    for agent_id, sentences in gone.items():
        bury_sentences(agent_id, forgotten, sentences)
    ProfileRevision.objects.bulk_update([row for row, _gone in found], TEXTS, batch_size=100)
    return len(found)


FILES, HISTORY = _("the agent's files"), _("the history of the agent's files")
register(Place("profile_files", FILES, count_files, scrub_files, rank=15, strike=scrub_files))
register(Place("profile_revisions", HISTORY, count_revisions, scrub_revisions, rank=16, strike=scrub_revisions))

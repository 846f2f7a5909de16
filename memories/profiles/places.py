"""Where a memory's words lie in profile files: in the texts that stand there, and in their history."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from memories.locks import write_lock
from memories.models import MemoryRevision, ProfileFile, ProfileRevision
from memories.models.profiles import ProfileFileQuerySet
from memories.profiles.editing import ProfileChange, keep
from memories.profiles.forgetting import bury_sentences, strip_text
from xiajiao.places import Forgotten, Place, register


def owned_files(forgotten: Forgotten) -> ProfileFileQuerySet:
    """The person's own, and who their agents are; of a memory that all users share, the same of its agent's owner.
    What other people keep with the agent is not the owner's to search or to change."""
    if forgotten.user_id is None:
        owner = Q(user__isnull=True) | Q(user=F("agent__owner"))
        return ProfileFile.objects.filter(owner, agent=forgotten.agent_id)
    own = Q(user=forgotten.user_id) | Q(user__isnull=True, agent__owner=forgotten.user_id)
    return ProfileFile.objects.filter(own)


def find_files(forgotten: Forgotten) -> list[ProfileFile]:
    rows = owned_files(forgotten).exclude(text="").select_related("agent")
    return [file for file in rows if strip_text(file.text, forgotten).text != file.text]


def count_files(forgotten: Forgotten) -> int:
    return len(find_files(forgotten))


@transaction.atomic
def scrub_files(forgotten: Forgotten) -> int:
    """With a revision that says that something went and not what, so that an edit under way is told."""
    files = find_files(forgotten)
    for file in files:
        with write_lock(file.agent_id, file.user_id):
            file.refresh_from_db(fields=["text", "version"])
            stripped = strip_text(file.text, forgotten)
            file.text = stripped.text
            keep(file, stripped.text, ProfileChange(ProfileRevision.Action.FORGOTTEN, MemoryRevision.Actor.SYSTEM))
            bury_sentences(file.agent_id, forgotten, stripped.gone)
    return len(files)


def find_revisions(forgotten: Forgotten) -> list[ProfileRevision]:
    """With the texts as they are without it."""
    found = []
    for row in ProfileRevision.objects.filter(file__in=owned_files(forgotten)).iterator(200):
        before, after = strip_text(row.before, forgotten), strip_text(row.after, forgotten)
        section = strip_text(row.section, forgotten)
        if (before.text, after.text, section.text) != (row.before, row.after, row.section):
            row.before, row.after, row.section = before.text, after.text, section.text
            found.append(row)
    return found


def count_revisions(forgotten: Forgotten) -> int:
    return len(find_revisions(forgotten))


def scrub_revisions(forgotten: Forgotten) -> int:
    """That something was changed, when and by whom stays."""
    found = find_revisions(forgotten)
    told = ProfileRevision.objects.filter(pk__in=[row.pk for row in found]).select_related("file")
    for row in told:
        gone = [*strip_text(row.before, forgotten).gone, *strip_text(row.after, forgotten).gone]
        bury_sentences(row.file.agent_id, forgotten, gone)
    ProfileRevision.objects.bulk_update(found, ["before", "after", "section"], batch_size=100)
    return len(found)


FILES, HISTORY = _("the agent's files"), _("the history of the agent's files")
register(Place("profile_files", FILES, count_files, scrub_files, rank=15, strike=scrub_files))
register(Place("profile_revisions", HISTORY, count_revisions, scrub_revisions, rank=16, strike=scrub_revisions))

"""An archive is no document: what lies in it becomes one each, and the archive goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from django.db import transaction

from knowledge.adding import Offer, Taken, Wish, add_document, make_id
from knowledge.models import Document
from knowledge.parsing import Limits, extract
from knowledge.storage import discard_file, file_of

# Twice told of, it comes to the same; and two equal files in it are meant so.
AS_IN_THE_ARCHIVE = Wish(keeps_twins=True, when_taken=Taken.REPLACE)


def unpack(archive: Document, limits: Limits, on_progress: Callable[[int], None]) -> list[int]:
    """The keys of its documents, which are due. Raises ParseError, and whatever `on_progress` raises; those that came
    out before stay."""
    keys = []
    called: Counter[str] = Counter()
    for number, member in enumerate(extract(file_of(archive), archive.name, limits), 1):
        on_progress(number)
        called[make_id(member.name)] += 1
        # The same name twice is two documents, by the same two ids each time.
        times = called[make_id(member.name)]
        name = member.name if times == 1 else f"{member.name} ({times})"
        offer = Offer(member.path, f"{archive.name}/{name}", f"{archive.doc_id}/{name}", archive.added_by)
        keys.append(add_document(archive.base, offer, AS_IN_THE_ARCHIVE).document.pk)
    with transaction.atomic():
        # While the archive is still ours to do away with.
        on_progress(len(keys))
        discard_file(archive)
        archive.delete()
    return keys

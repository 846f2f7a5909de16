"""New documents. What stands already is recognised by its content and by its name, and nothing is doubled unasked."""

from __future__ import annotations

import hashlib
import shutil
from contextlib import ExitStack
from dataclasses import dataclass
from enum import StrEnum
from itertools import count
from pathlib import Path
from typing import Any
from unicodedata import category, normalize

from django.db import transaction

from knowledge.changing import requeue
from knowledge.models import Document, KnowledgeBase
from knowledge.models.documents import DocumentQuerySet
from knowledge.storage import discard_file, new_file
from xiajiao.models import User
from xiajiao.texts import clean, clip

LONGEST_NAME, LONGEST_ID = 500, 200


class Taken(StrEnum):
    """What to do where a document of that id stands: ask, put the new file in its place, or keep both; beside it goes
    only what has another content than all that is there."""

    ASK = ""
    REPLACE = "replace"
    BOTH = "both"
    BESIDE = "beside"


class Outcome(StrEnum):
    ADDED = "added"
    REPLACED = "replaced"
    # The very file is there, by that id.
    UNCHANGED = "unchanged"
    # The same content is there by another id.
    TWIN = "twin"
    # Another content is there by that id.
    TAKEN = "taken"


@dataclass(frozen=True)
class Offer:
    """A file for a base. `doc_id` empty: by its name. `is_moved`: the file itself is taken, not a copy of it."""

    path: Path
    name: str
    doc_id: str = ""
    user: User | None = None
    media_type: str = ""
    is_moved: bool = False


@dataclass(frozen=True)
class Wish:
    keeps_twins: bool = False
    when_taken: Taken = Taken.ASK


@dataclass(frozen=True)
class Added:
    """`document`: the new one, or the one that stands in its way."""

    outcome: Outcome
    document: Document

    @property
    def is_due(self) -> bool:
        """Whether there is something to index."""
        return self.outcome in {Outcome.ADDED, Outcome.REPLACED}


ASKING = Wish()


def add_document(base: KnowledgeBase, offer: Offer, wish: Wish = ASKING) -> Added:
    """Keep the file and a row that is due; whoever calls nudges the queue."""
    kept = new_file()
    with ExitStack() as undoing:
        undoing.callback(kept.unlink, missing_ok=True)
        (shutil.move if offer.is_moved else shutil.copyfile)(offer.path, kept)
        added = settle(base, offer, wish, kept)
        if added.is_due:
            undoing.pop_all()
    return added


@transaction.atomic
def settle(base: KnowledgeBase, offer: Offer, wish: Wish, kept: Path) -> Added:
    # Two files of one name at once: the second finds the first.
    KnowledgeBase.objects.select_for_update().get(pk=base.pk)
    name = tidy_name(offer.name)
    sha256 = digest(kept)
    columns: dict[str, Any] = {"name": name, "added_by": offer.user, "sha256": sha256, "size": kept.stat().st_size}
    columns |= {"stored_as": kept.name, "media_type": clip(clean(offer.media_type), 100)}
    doc_id = make_id(offer.doc_id or name)
    standing = base.documents.kept()
    same = standing.filter(doc_id=doc_id).first()
    in_the_way = find_in_the_way(standing, same, sha256, wish)
    if in_the_way is not None:
        return in_the_way
    if same is not None and wish.when_taken == Taken.REPLACE:
        discard_file(same)
        return Added(Outcome.REPLACED, requeue(same, **columns))
    columns["doc_id"] = doc_id if same is None else next_id(standing, doc_id)
    return Added(Outcome.ADDED, Document.objects.create(base=base, **columns))


def find_in_the_way(standing: DocumentQuerySet, same: Document | None, sha256: str, wish: Wish) -> Added | None:
    if same is not None and same.sha256 == sha256 and wish.when_taken != Taken.BOTH:
        return Added(Outcome.UNCHANGED, same)
    takes_twins = wish.keeps_twins or wish.when_taken in {Taken.REPLACE, Taken.BOTH}
    twin = None if takes_twins else standing.filter(sha256=sha256).first()
    if twin is not None:
        return Added(Outcome.TWIN, twin)
    if same is not None and wish.when_taken == Taken.ASK:
        return Added(Outcome.TAKEN, same)
    return None


@transaction.atomic
def add_webpage(base: KnowledgeBase, url: str, user: User | None) -> Added:
    """A row that is due; the worker fetches the page."""
    KnowledgeBase.objects.select_for_update().get(pk=base.pk)
    doc_id = make_id(url)
    same = base.documents.kept().filter(doc_id=doc_id).first()
    if same is not None:
        return Added(Outcome.TAKEN, same)
    columns = {"name": tidy_name(url), "doc_id": doc_id, "url": url, "added_by": user}
    return Added(Outcome.ADDED, Document.objects.create(base=base, **columns))


def tidy_name(name: str) -> str:
    """As it is written, on one line; it names no path."""
    return clip(on_one_line(name), LONGEST_NAME) or "?"


def on_one_line(name: str) -> str:
    """Without what ends a line or steers a terminal."""
    letters = (letter for letter in clean(name) if category(letter) != "Cc" or letter.isspace())
    return " ".join("".join(letters).split())


def make_id(name: str) -> str:
    """The name, where it is short enough; else what tells it from others that begin alike, too.

    Composed (NFC): macOS writes names in pieces, which look the same.
    """
    name = normalize("NFC", on_one_line(name)) or "?"
    if len(name) <= LONGEST_ID:
        return name
    mark = hashlib.sha256(name.encode()).hexdigest()[:12]
    return f"{name[: LONGEST_ID - 13]}~{mark}"


def next_id(standing: DocumentQuerySet, doc_id: str) -> str:
    tries = (make_id(f"{doc_id} ({number})") for number in count(2))
    return next(each for each in tries if not standing.filter(doc_id=each).exists())


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

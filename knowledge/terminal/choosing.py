"""Which bases and documents a command means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from knowledge.models import Document, KnowledgeBase
from knowledge.models.bases import KnowledgeBaseQuerySet
from knowledge.models.documents import DocumentQuerySet
from xiajiao.models import User
from xiajiao.terminal import OPERATOR, find_user

# Of the bases that there are, so many are named.
NAMED = 20


def find_person(options: dict[str, Any]) -> User | None:
    """Raises CommandError."""
    return find_user(options["user"]) if options["user"] else None


def find_bases(options: dict[str, Any], is_change: bool = False) -> list[KnowledgeBase]:
    """Those of the person that are seen, or may be changed; everybody's without one. One where a base is named.

    Raises CommandError.
    """
    person = find_person(options) or OPERATOR
    everyones = KnowledgeBase.objects.kept().select_related("owner")
    if person is not OPERATOR:
        everyones = everyones.editable_by(person) if is_change else everyones.for_user(person)
    return [find_named(everyones, options["base"])] if options["base"] else list(everyones)


def find_base(options: dict[str, Any]) -> KnowledgeBase:
    """The one to put something into: named, or the only one. Raises CommandError."""
    if options["create"]:
        return find_or_create(options)
    bases = find_bases(options, is_change=True)
    if len(bases) == 1:
        return bases[0]
    if not bases:
        raise CommandError(_("There is no base yet. --create with --base and --user makes one."))
    raise CommandError(_("Say which base, with --base: %(names)s.") % {"names": name_all(bases)})


def find_or_create(options: dict[str, Any]) -> KnowledgeBase:
    """A new one serves all agents of its owner, as one that is made on the page does."""
    if not options["base"] or not options["user"]:
        raise CommandError(_("--create needs the name of the base (--base) and whose it is (--user)."))
    columns = {"name": options["base"], "owner": find_user(options["user"]), "conversation_id": None}
    base, _is_new = KnowledgeBase.objects.get_or_create(**columns, defaults={"serves_all_agents": True})
    return base


def find_named(bases: KnowledgeBaseQuerySet, word: str) -> KnowledgeBase:
    """By name, or by number."""
    found = list(bases.filter(name=word)[:2])
    if not found and word.isascii() and word.isdecimal() and len(word) < 19:
        found = list(bases.filter(pk=word))
    if len(found) == 1:
        return found[0]
    names = {"name": word, "names": name_all(bases.filter(name=word) if found else bases)}
    if found:
        raise CommandError(_("Several bases are called “%(name)s”; give its number: %(names)s.") % names)
    if not names["names"]:
        raise CommandError(_("There is no base “%(name)s”, and no other.") % names)
    raise CommandError(_("There is no base “%(name)s”. There are: %(names)s.") % names)


def name_all(bases: Sequence[KnowledgeBase] | KnowledgeBaseQuerySet) -> str:
    """`Handbook (3, of mei), Recipes (4, of mei)`."""
    said = [
        _("%(name)s (%(number)s, of %(owner)s)") % {"name": base.name, "number": base.pk, "owner": base.owner}
        for base in bases[: NAMED + 1]
    ]
    return ", ".join([*said[:NAMED], *(["…"] if len(said) > NAMED else [])])


def find_documents(options: dict[str, Any], is_change: bool = False) -> DocumentQuerySet:
    """Of these bases, those with one of the ids where some are given. Raises CommandError for an id that none has."""
    bases = find_bases(options, is_change)
    documents = Document.objects.kept().filter(base__in=[base.pk for base in bases])
    wanted = options["doc_id"] or []
    if not wanted:
        return documents
    found = documents.filter(doc_id__in=wanted)
    missing = set(wanted) - set(found.values_list("doc_id", flat=True))
    if missing:
        raise CommandError(_("There is no document %(ids)s here.") % {"ids": ", ".join(sorted(missing))})
    return found

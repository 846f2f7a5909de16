"""Files of one conversation: a base of its own, which is searched in that conversation alone."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _

from knowledge.adding import Added, Offer, Taken, Wish, add_document
from knowledge.models import Document, KnowledgeBase
from knowledge.models.documents import DocumentQuerySet
from knowledge.storage import file_of
from xiajiao.models import User

# Two files of one name are two; the same content is not attached twice.
BESIDE = Wish(when_taken=Taken.BESIDE)


def make_attached_base(owner: User, conversation_id: int) -> KnowledgeBase:
    columns = {"owner": owner, "name": _("Files of a conversation")}
    return KnowledgeBase.objects.get_or_create(conversation_id=conversation_id, defaults=columns)[0]


def find_attached(conversation_id: int) -> DocumentQuerySet:
    """In the order in which they came."""
    documents = Document.objects.kept().filter(base__conversation_id=conversation_id, base__deleted_at__isnull=True)
    return documents.select_related("base", "semantic_index").order_by("pk")


def hide_attached(conversation_id: int) -> None:
    """Nobody sees or searches them, until they are shown again or removed."""
    KnowledgeBase.objects.filter(conversation_id=conversation_id).update(deleted_at=timezone.now())


def show_attached(conversation_id: int) -> None:
    KnowledgeBase.objects.filter(conversation_id=conversation_id).update(deleted_at=None)


def remove_attached(conversation_id: int) -> None:
    """For good."""
    KnowledgeBase.objects.filter(conversation_id=conversation_id).delete()


def keep_in(base: KnowledgeBase, document: Document, user: User) -> Added:
    """A copy in a base, where it stays when the conversation goes. Raises FileNotFoundError."""
    return add_document(base, Offer(file_of(document), document.name, "", user, document.media_type), BESIDE)

"""A base that goes, by whatever way, leaves nothing of its documents in the indexes or on the disk."""

from django.db import transaction
from django.db.models.signals import pre_delete
from django.dispatch import receiver

from knowledge.models import Chunk, KnowledgeBase
from knowledge.namespaces import chunk_namespace
from knowledge.storage import discard_file
from xiajiao import fulltext
from xiajiao.vectorstores import get_store, vector_namespace


@receiver(pre_delete, sender=KnowledgeBase)
@transaction.atomic
def discard_contents(instance: KnowledgeBase, **_signal: object) -> None:
    # Whoever is at one of its documents has written what it writes, or can't any more.
    KnowledgeBase.objects.select_for_update().filter(pk=instance.pk).first()
    documents = list(instance.documents.select_for_update().order_by("pk"))
    namespace = chunk_namespace(instance.pk)
    chunks = Chunk.objects.filter(document__base=instance).exclude(embedded_with="").order_by()
    for model in chunks.values_list("embedded_with", flat=True).distinct():
        get_store().drop(vector_namespace(namespace, model))
    fulltext.drop(namespace)
    for document in documents:
        discard_file(document)

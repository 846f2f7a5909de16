"""A row that goes for good, by whatever way (a person who is deleted, an agent), leaves nothing in the indexes."""

from django.db.models.signals import pre_delete
from django.dispatch import receiver

from memories.indexing import unindex
from memories.models import Memory


@receiver(pre_delete, sender=Memory)
def unindex_memory(instance: Memory, **_signal: object) -> None:
    unindex(instance)

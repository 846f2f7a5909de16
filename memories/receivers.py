"""A row that goes for good, by whatever way (a person who is deleted, an agent), leaves no trace in what counts and
finds it."""

from django.db.models.signals import pre_delete
from django.dispatch import receiver

from memories.indexing import unindex
from memories.models import Memory, MemoryType
from memories.models.types import LockedTypeError
from memories.tallying import tally_gone


@receiver(pre_delete, sender=Memory)
def unindex_memory(instance: Memory, **_signal: object) -> None:
    unindex(instance)
    tally_gone(instance)


@receiver(pre_delete, sender=MemoryType)
def keep_system_type(instance: MemoryType, **_signal: object) -> None:
    """Raises LockedTypeError: also where many are deleted at once."""
    if instance.is_system:
        raise LockedTypeError([instance])

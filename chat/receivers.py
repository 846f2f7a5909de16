"""A conversation that goes for good, by whatever way, leaves none of its words in the index, and none of its files."""

from django.db.models.signals import pre_delete
from django.dispatch import receiver

from chat.models import Conversation
from chat.search import unindex_conversation
from knowledge.attaching import remove_attached
from memories.approval.following import drop_of_conversation
from memories.profiles.editing import part_from_conversation


@receiver(pre_delete, sender=Conversation)
def unindex_messages(instance: Conversation, **_signal: object) -> None:
    unindex_conversation(instance)
    remove_attached(instance.pk)
    drop_of_conversation(instance.pk)
    part_from_conversation(instance.pk)

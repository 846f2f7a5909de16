"""A conversation that goes for good, by whatever way, leaves none of its words in the index."""

from django.db.models.signals import pre_delete
from django.dispatch import receiver

from chat.models import Conversation
from chat.search import unindex_conversation


@receiver(pre_delete, sender=Conversation)
def unindex_messages(instance: Conversation, **_signal: object) -> None:
    unindex_conversation(instance)

"""A conversation that goes for good, by whatever way, leaves none of its words in the index, and none of its files;
what was approved stands under the answer that asked."""

from django.db.models.signals import pre_delete
from django.dispatch import receiver

from chat.losses import note_said
from chat.models import Conversation, Message, Remembered
from chat.search import unindex_conversation
from knowledge.attaching import remove_attached
from memories.approval.deciding import approved
from memories.approval.following import drop_of_conversation
from memories.models import PendingWrite
from memories.profiles.editing import part_from_conversation


@receiver(pre_delete, sender=Conversation)
def unindex_messages(instance: Conversation, **_signal: object) -> None:
    unindex_conversation(instance)
    remove_attached(instance.pk)
    drop_of_conversation(instance.pk)
    part_from_conversation(instance.pk)


@receiver(approved)
def note_approved(pending: PendingWrite, **_signal: object) -> None:
    """Under the answer that asked it stands as what the answer remembered."""
    answers = Message.objects.filter(conversation__user=pending.user_id)
    answer, memory = answers.filter(pk=pending.answer_id or 0).first(), pending.memory
    if answer is None or memory is None:
        return
    Remembered.objects.create(message=answer, memory=memory, action=pending.outcome, content=memory.content)
    note_said(answer, [memory.pk])

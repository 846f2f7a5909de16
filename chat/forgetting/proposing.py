"""An agent may ask for it, and no more: what goes for good goes by a person's word."""

from __future__ import annotations

from django.utils import timezone

from chat.models import Forgetting, Message
from xiajiao.secrets import SecretError, decrypt, encrypt
from xiajiao.tools import Proposal

State = Forgetting.State


def propose(answer_id: int, user_id: int, proposal: Proposal) -> None:
    """Nothing goes before the person agrees."""
    Forgetting.objects.create(
        user_id=user_id,
        agent_number=Message.objects.values_list("conversation__agent", flat=True).get(pk=answer_id),
        answer_id=answer_id,
        state=State.PROPOSED,
        topic=encrypt(proposal.about),
        memory_ids=list(proposal.memory_ids),
        total=len(proposal.memory_ids),
    )


def dismiss(forgetting: Forgetting) -> None:
    """The person wants none of it; what was agreed to meanwhile goes on."""
    rows = Forgetting.objects.filter(pk=forgetting.pk, state=State.PROPOSED)
    rows.update(state=State.DISMISSED, finished_at=timezone.now(), topic="", memory_ids=[])


def read_topic(forgetting: Forgetting) -> str:
    """What it is about, in the person's words; empty where nobody knows it any more."""
    try:
        return decrypt(forgetting.topic)
    except SecretError:
        return ""

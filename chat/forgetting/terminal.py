"""The way to forget that the chat hands down; see memories.forgetting.Forgetter."""

from __future__ import annotations

from collections.abc import Collection

from chat.forgetting.mentions import find_mentions
from chat.forgetting.receipts import write_receipt
from chat.forgetting.running import Topic, begin, claim, run
from memories.forgetting import Proposal, Receipt
from memories.models import Memory
from memories.tombstones import tidy_tombstones
from memories.topics import find_subject
from xiajiao.models import User


class ChatForgetter:
    def propose(self, user: User, topic: str, memory_ids: Collection[int], agent_id: int | None) -> Proposal:
        named = set(find_subject(user, topic, agent_id).exact_ids if topic else ()) | set(memory_ids)
        rows = Memory.objects.editable_by(user).filter(pk__in=named)
        memories = list(rows.select_related("agent", "type", "user").order_by("pk"))
        mentions = find_mentions(memories, user.pk, topic)
        return Proposal(memories, [mention.message.pk for mention in mentions], topic, agent_id)

    def forget(self, user: User, proposal: Proposal, with_messages: bool) -> Receipt:
        message_ids = proposal.message_ids if with_messages else ()
        left = len(proposal.message_ids) - len(message_ids)
        topic = Topic(proposal.topic, proposal.agent_id)
        begun = begin(user, [memory.pk for memory in proposal.memories], message_ids, left, topic)
        claimed = claim(begun.pk)
        if claimed is not None:
            run(claimed)
        tidy_tombstones()
        begun.refresh_from_db()
        receipt = write_receipt(begun)
        return Receipt(
            removed={str(line.name): line.count for line in receipt.lines},
            empty=[str(line.name) for line in receipt.empty],
            messages_left=left,
            backups=receipt.backups.count if receipt.backups else 0,
        )

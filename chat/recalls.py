"""What the health of memories rests on: which of them went into answers, and how near they were to what was asked."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Q

from chat.models import Conversation, Message, Recalled
from memories.health.recalls import Pair, RecentRecalls


class ChatRecalls:
    """Reads the tables of the chat; see memories.health.recalls.RecallReader. Temporary conversations tell nothing."""

    def list_pairs(self) -> list[Pair]:
        pairs: list[Pair] = list(
            Conversation.objects.lasting().order_by().values_list("agent_id", "user_id").distinct()
        )
        return pairs + [(agent_id, None) for agent_id in {agent_id for agent_id, _user_id in pairs}]

    def read_recent(self, pair: Pair, answers: int) -> RecentRecalls:
        agent_id, user_id = pair
        person = Q() if user_id is None else Q(conversation__user_id=user_id)
        talks = Conversation.objects.lasting().filter(agent_id=agent_id)
        given = Message.objects.filter(person, conversation__in=talks, role=Message.Role.ASSISTANT)
        moments = dict(given.order_by("-pk").values_list("pk", "created_at")[:answers])
        found = Recalled.objects.filter(message__in=list(moments), reason="relevant", was_cut=False)
        relevance: dict[int, list[float | None]] = {}
        for memory_id, parts in found.filter(memory__isnull=False).values_list("memory_id", "score_parts"):
            if memory_id is not None:
                relevance.setdefault(memory_id, []).append(parts.get("relevance"))
        return RecentRecalls(list(moments.values()), relevance)

    def read_texts(self, message_ids: Sequence[int]) -> list[str]:
        return list(Message.objects.filter(pk__in=list(message_ids)).values_list("content", flat=True))

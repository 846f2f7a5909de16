"""On whose behalf a tool writes."""

from __future__ import annotations

from memories.drafts import Origin
from memories.models import Memory, MemoryRevision
from xiajiao.tools import Scope


def origin_of(scope: Scope) -> Origin:
    heard = [scope.user_message_id] if scope.user_message_id else []
    return Origin(
        actor=MemoryRevision.Actor.AGENT,
        source=Memory.Source.TOOL,
        user_id=scope.user_id,
        conversation_id=scope.conversation_id,
        message_ids=heard,
        answer_id=scope.message_id,
    )

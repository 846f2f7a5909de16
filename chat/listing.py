"""A person's conversations as the list shows them: newest first, by day, page by page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from django.db.models import Q
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from chat.models import Conversation
from chat.search import ConversationHit, search_conversations
from xiajiao.models import User

PAGE = 30


@dataclass(frozen=True)
class ConversationGroup:
    """`is_continued`: it began on the page before, which has its heading."""

    label: Promise | str
    hits: list[ConversationHit] = field(default_factory=list)
    is_continued: bool = False


@dataclass(frozen=True)
class ConversationPage:
    """`older_than`: ask for the next page with it; None where this one is the last."""

    groups: list[ConversationGroup]
    older_than: int | None = None

    @property
    def is_empty(self) -> bool:
        return not self.groups


def list_conversations(
    user: User, agent_id: int | None = None, query: str = "", older_than: int | None = None
) -> ConversationPage:
    """With a query the best hits in one group, else a page by the days of the last message."""
    if query.strip():
        found = search_conversations(user, query)
        hits = [hit for hit in found if agent_id in {None, hit.conversation.agent_id}]
        return ConversationPage([ConversationGroup(_("Found"), hits)] if hits else [])
    rows = Conversation.objects.for_user(user).select_related("agent")
    if agent_id is not None:
        rows = rows.filter(agent_id=agent_id)
    # Deleted or not, it still says where the page before ended.
    last = Conversation.objects.filter(user=user, pk=older_than).first() if older_than else None
    if last is not None:
        rows = rows.filter(Q(updated_at__lt=last.updated_at) | Q(updated_at=last.updated_at, pk__lt=last.pk))
    page = list(rows[: PAGE + 1])
    shown = page[:PAGE]
    return ConversationPage(group_by_day(shown, last), shown[-1].pk if len(page) > PAGE else None)


def group_by_day(conversations: Sequence[Conversation], last: Conversation | None = None) -> list[ConversationGroup]:
    """`last`: the one that ends the page before."""
    today = timezone.localdate()
    begun = str(name_day(timezone.localdate(last.updated_at), today)) if last else ""
    groups: dict[str, ConversationGroup] = {}
    for conversation in conversations:
        label = name_day(timezone.localdate(conversation.updated_at), today)
        group = groups.setdefault(str(label), ConversationGroup(label, is_continued=str(label) == begun))
        group.hits.append(ConversationHit(conversation, None, ""))
    return list(groups.values())


def name_day(day: date, today: date) -> Promise | str:
    if day >= today:
        return _("Today")
    if day == today - timedelta(days=1):
        return _("Yesterday")
    if day > today - timedelta(days=7):
        return _("Last 7 days")
    if day > today - timedelta(days=30):
        return _("Last 30 days")
    return _("Older")

"""What is known here of an agent, which is a row of another app: its name, its owner, its bases."""

from __future__ import annotations

from itertools import count
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from knowledge.models import KnowledgeBase
from xiajiao.models import User
from xiajiao.tools import Scope, ToolError

Agents: Any = KnowledgeBase.agents.field.related_model
LONGEST_NAME = 100


def find_owned(scope: Scope) -> Any:
    """The agent. Raises ToolError for anybody but its owner: what lies in a workspace is for their eyes."""
    agent = Agents.objects.filter(pk=scope.agent_id, owner=scope.user_id).first()
    if agent is None:
        raise ToolError("Only the owner of this agent may have files of its workspace indexed.")
    return agent


def choose_base(agent: Any, name: str, doc_id: str) -> KnowledgeBase:
    """The owner's base that the agent looks into; where there are several, the one that is named, has a document of
    that id or was chosen for this agent. Made where there is none. Raises ToolError where it is still open which.
    """
    linked = KnowledgeBase.agents.through.objects.filter(knowledgebase=OuterRef("pk"), agent=agent.pk)
    own = KnowledgeBase.objects.kept().filter(owner=agent.owner_id).annotate(is_chosen=Exists(linked))
    bases = list(own.filter(Q(serves_all_agents=True) | Q(is_chosen=True)))
    if not bases and not name:
        return make_base(agent)
    if name:
        narrowings = [[base for base in bases if base.name.casefold() == name.casefold()]]
    else:
        holders = {base.pk for base in own.filter(documents__doc_id=doc_id, documents__deleted_at__isnull=True)}
        narrowings = [bases, [base for base in bases if base.pk in holders], [base for base in bases if base.is_chosen]]
    found = next((each[0] for each in narrowings if len(each) == 1), None)
    if found is None:
        raise ToolError(f"base must be one of {', '.join(repr(base.name) for base in bases) or 'none: leave it out'}.")
    return found


@transaction.atomic
def make_base(agent: Any) -> KnowledgeBase:
    """Called as the agent is; for it alone."""
    User.objects.select_for_update().get(pk=agent.owner_id)
    taken = set(KnowledgeBase.objects.kept().filter(owner=agent.owner_id).values_list("name", flat=True))
    tries = (agent.name if number == 1 else f"{agent.name[:90]} ({number})" for number in count(1))
    base = KnowledgeBase.objects.create(owner_id=agent.owner_id, name=next(name for name in tries if name not in taken))
    base.agents.add(agent.pk)
    return base

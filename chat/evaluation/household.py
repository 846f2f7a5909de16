"""Who lives in the installation that is evaluated."""

from __future__ import annotations

from dataclasses import dataclass, field

from chat.evaluation.facts import Fact
from chat.models import Conversation, Message
from chat.runner import run_answer
from chat.sending import send_message, start_conversation
from chat.stopping import StopSignal
from memories.drafts import Origin
from memories.models import Agent, Memory, MemoryRevision
from xiajiao.models import User


@dataclass
class Installation:
    """One person with an agent that has no model: it answers by rules, through the protocol of messages and tools."""

    user: User
    agent: Agent
    planted: dict[str, list[Fact]] = field(default_factory=dict)

    @property
    def by_hand(self) -> Origin:
        return Origin(MemoryRevision.Actor.PERSON, Memory.Source.MANUAL, self.user.pk)

    def say(self, text: str, conversation: Conversation | None = None) -> Message:
        """A message, and the turn that answers it; in a new conversation, where none is given."""
        sent = send_message(conversation, text) if conversation else start_conversation(self.user, self.agent, text)
        self.answer(sent.answer)
        return sent.message

    def answer(self, answer: Message) -> None:
        run_answer(answer.pk, "evaluation", StopSignal())


def move_in() -> Installation:
    user = User.objects.create(username="evaluation", is_active=False)
    return Installation(user, Agent.objects.create(owner=user, name="Evaluation", when_source_goes="keep"))

"""Ten conversations over two weeks in which facts change: what is known then is what is true then."""

from __future__ import annotations

import json
import re
from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.utils import timezone

from chat import tasks
from chat.extraction.ends import close
from chat.models import Conversation, ExtractionJob
from chat.sending import Sent, send_message, start_conversation
from chat.turns import run_turn
from memories.models import Agent, Memory, ProfileFile
from tests.chat.extraction.two_weeks import MONDAY, Session, TwoWeeks
from tests.chat.extraction.two_weeks_en import ENGLISH
from tests.chat.extraction.two_weeks_zh import CHINESE
from tests.chat.turning import load
from tests.factories import make_agent, make_provider
from tests.openai_stub import OpenAIStub, Reply

pytestmark = pytest.mark.django_db

PAIR = re.compile(
    r"(?P<number>\d+)\. old ?[(（][^)）]*[)）][:：] ?(?P<old>.*)\n +new ?[(（][^)）]*[)）][:：] ?(?P<new>.*)"
)


class ScriptedModel:
    """Answers as the session in hand says: talks, proposes what to remember, decides pairs."""

    def __init__(self, weeks: TwoWeeks) -> None:
        self.weeks = weeks
        self.session = weeks.sessions[0]
        self.prompts: list[str] = []
        self.decided: set[tuple[str, str]] = set()

    def __call__(self, body: dict[str, Any]) -> Reply:
        asked = body["messages"][-1]["content"]
        match body.get("response_format", {}).get("json_schema", {}).get("name"):
            case "memories":
                return self.propose()
            case "answers":
                return self.decide(asked)
        self.prompts.append(body["messages"][0]["content"])
        return Reply(text=dict(self.session.said).get(asked, "好的。"))

    def propose(self) -> Reply:
        items = [vars(fact) | {"importance": 2} for fact in self.session.facts]
        return Reply(text=json.dumps({"memories": items, "summary": self.session.summary}, ensure_ascii=False))

    def decide(self, prompt: str) -> Reply:
        answers = []
        for match in PAIR.finditer(prompt):
            pair = match["old"], match["new"]
            self.decided |= {pair} & self.weeks.decided
            answers.append({"pair": match["number"], "answer": "replaces" if pair in self.weeks.decided else "both"})
        return Reply(text=json.dumps({"answers": answers}))


def live_through(weeks: TwoWeeks, agent: Agent, model: ScriptedModel | None = None) -> None:
    for session in weeks.sessions:
        if model is not None:
            model.session = session
        talk(session, agent)


def talk(session: Session, agent: Agent) -> None:
    """At eight in the evening, where the person is."""
    begin = datetime.combine(session.date, time(20), ZoneInfo(timezone.get_current_timezone_name()))
    with time_machine.travel(begin) as clock:
        conversation: Conversation | None = None
        for said, _answer in session.said:
            sent = say(agent, said, conversation)
            conversation = load(sent.answer).conversation
            clock.shift(timedelta(minutes=1))
        assert conversation is not None
        if session.is_closed:
            job = close(conversation)
            assert job is not None
            tasks.extract_memories(job.pk)
        else:
            clock.shift(timedelta(minutes=agent.idle_minutes + 1))
            tasks.sweep_extractions()
        assert ExtractionJob.objects.get(conversation=conversation).state == "done"


def say(agent: Agent, text: str, conversation: Conversation | None = None) -> Sent:
    sent = send_message(conversation, text) if conversation else start_conversation(agent.owner, agent, text)
    list(run_turn(load(sent.answer)))
    return sent


def ask_next_day(weeks: TwoWeeks, agent: Agent, model: ScriptedModel) -> list[str]:
    """The system prompts of an eleventh conversation."""
    conversation: Conversation | None = None
    with time_machine.travel(datetime.combine(weeks.sessions[-1].date + timedelta(days=1), time(12))):
        for question in weeks.questions:
            conversation = load(say(agent, question, conversation).answer).conversation
    return model.prompts[-len(weeks.questions) :]


def day_of(moment: datetime | None) -> int | None:
    return None if moment is None else (timezone.localdate(moment) - MONDAY).days


def read_sections(prompt: str, weeks: TwoWeeks) -> dict[str, str]:
    """By category, what stands under its heading."""
    parts = re.split(r"^### (.+)$", prompt[prompt.index("## [MEMORY]") :], flags=re.MULTILINE)
    by_heading = dict(zip(parts[1::2], parts[2::2], strict=True))
    return {category: by_heading.get(heading, "") for category, heading in weeks.headings.items()}


def list_true() -> dict[str, str]:
    return {memory.content: memory.category for memory in Memory.objects.active()}


def list_replaced() -> dict[str, tuple[int | None, str]]:
    rows = Memory.objects.filter(superseded_by__isnull=False).select_related("superseded_by")
    return {row.content: (day_of(row.valid_to), row.superseded_by.content if row.superseded_by else "") for row in rows}


@pytest.mark.parametrize("weeks", [CHINESE, ENGLISH], ids=["zh", "en"])
def test_with_a_model_what_is_known_is_what_is_true(openai_stub: OpenAIStub, weeks: TwoWeeks) -> None:
    provider = make_provider(base_url=openai_stub.base_url, model_names=["stub-model"], is_default=True)
    agent = make_agent(provider=provider, language=weeks.language)
    model = ScriptedModel(weeks)
    openai_stub.always(model)

    live_through(weeks, agent, model)

    assert list_true() == weeks.true
    assert list_replaced() == weeks.replaced
    assert model.decided == weeks.decided
    assert Memory.objects.count() == len(weeks.true) + len(weeks.replaced)
    # What the agent repeated of what it had recalled is neither new nor another proof.
    assert set(Memory.objects.values_list("proof_count", flat=True)) == {1}
    for session in weeks.sessions:
        day = ProfileFile.objects.get(kind="daily", day=session.date)
        assert re.fullmatch(rf"- 20:\d\d {session.summary}\n", day.text)

    prompts = ask_next_day(weeks, agent, model)
    for content, category in weeks.true.items():
        assert any(content in read_sections(prompt, weeks)[category] for prompt in prompts), content
    for prompt in prompts:
        assert not [content for content in weeks.replaced if content in prompt.partition("## [MEMORY]")[2]]
        assert weeks.sessions[-1].summary in prompt


@pytest.mark.parametrize("weeks", [CHINESE, ENGLISH], ids=["zh", "en"])
def test_without_a_model_what_is_known_is_what_is_true(weeks: TwoWeeks) -> None:
    live_through(weeks, make_agent(language=weeks.language))

    assert list_true() == weeks.true_by_rules
    assert list_replaced() == weeks.replaced_by_rules

"""What a person starts with."""

from django.db import transaction
from django.template.loader import render_to_string

from memories.languages import CHINESE, ENGLISH, as_agent_language
from memories.models import Agent
from memories.profiles.souls import give_soul
from xiajiao.models import User

NAMES = {CHINESE: "虾饺", ENGLISH: "Xiajiao"}


def make_first_agent(owner: User, language: str) -> Agent:
    """An agent that can be talked to as it is; it uses the default provider."""
    language = as_agent_language(language)
    return make_agent(owner, NAMES[language], language)


@transaction.atomic
def make_agent(owner: User, name: str, language: str) -> Agent:
    """With the prompt and the SOUL that suit everybody."""
    agent = Agent.objects.create(owner=owner, name=name, language=language, base_prompt=read_first_prompt(language))
    give_soul(agent)
    return agent


def read_first_prompt(language: str) -> str:
    """It suits every agent: who it is, its SOUL says."""
    return render_to_string(f"prompts/memories/first_agent.{as_agent_language(language)}.txt").strip()

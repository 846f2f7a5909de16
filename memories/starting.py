"""What a person starts with."""

from django.template.loader import render_to_string

from memories.models import Agent
from xiajiao.models import User

CHINESE, ENGLISH = "zh-hans", "en"
NAMES = {CHINESE: "虾饺", ENGLISH: "Xiajiao"}


def make_first_agent(owner: User, language: str) -> Agent:
    """An agent that can be talked to as it is; it uses the default provider."""
    language = as_agent_language(language)
    return Agent.objects.create(
        owner=owner, name=NAMES[language], language=language, base_prompt=read_first_prompt(language, NAMES[language])
    )


def read_first_prompt(language: str, name: str = "") -> str:
    """Without a name it suits every agent: its name is told apart from its prompt."""
    template = f"prompts/memories/first_agent.{as_agent_language(language)}.txt"
    return render_to_string(template, {"name": name}).strip()


def as_agent_language(language: str) -> str:
    return CHINESE if language.lower().startswith("zh") else ENGLISH

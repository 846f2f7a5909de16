"""The languages that prompts are written in."""

CHINESE, ENGLISH = "zh-hans", "en"


def as_agent_language(language: str) -> str:
    """The nearest of them."""
    return CHINESE if language.lower().startswith("zh") else ENGLISH

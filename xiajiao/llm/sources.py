"""Which model answers: the agent's provider, else the default one, else the environment's, else none."""

from django.conf import settings

from xiajiao.llm.base import ModelSource
from xiajiao.models import Provider
from xiajiao.secrets import SecretError, decrypt

OPENAI_BACKEND = "xiajiao.llm.openai.OpenAIChatModel"
OPENAI_BASE_URL = "https://api.openai.com/v1"
OFFLINE = ModelSource("xiajiao.llm.offline.OfflineChatModel", "offline", "offline")


def source_for(provider: Provider | None, model_name: str = "") -> ModelSource:
    """Never raises: a key that can't be decrypted is the source's `problem`. No network.

    `model_name` belongs to `provider`; where that is out of use, the next one's default model answers.
    """
    if provider is not None and is_in_use(provider):
        return source_of(provider, model_name)
    model_name = model_name if provider is None else ""
    default = Provider.objects.filter(is_default=True).first()
    if default is not None and is_in_use(default):
        return source_of(default, model_name)
    if has_environment_provider() and not is_environment_disabled():
        return environment_source(model_name)
    return OFFLINE


def is_in_use(provider: Provider) -> bool:
    """Enabled, and what stands behind it is set: a row of the environment outlives its variables."""
    if provider.source == Provider.Source.ENVIRONMENT:
        return provider.enabled and has_environment_provider()
    if provider.source == Provider.Source.GGUF:
        return provider.enabled and bool(settings.LOCAL_GGUF)
    return provider.enabled


def source_of(provider: Provider, model_name: str = "") -> ModelSource:
    """This provider, enabled or not."""
    if provider.source == Provider.Source.ENVIRONMENT:
        return environment_source(model_name or provider.default_model, provider.name)
    model = model_name or provider.default_model or next(iter(provider.model_names), "")
    try:
        key, problem = decrypt(provider.encrypted_key), ""
    except SecretError:
        key, problem = "", "unreadable_key"
    return ModelSource(OPENAI_BACKEND, provider.name, model, provider.base_url or OPENAI_BASE_URL, key, problem)


def has_environment_provider() -> bool:
    return bool(settings.OPENAI_API_KEY or settings.OPENAI_BASE_URL)


def is_environment_disabled() -> bool:
    return Provider.objects.filter(source=Provider.Source.ENVIRONMENT, enabled=False).exists()


def environment_source(model_name: str = "", name: str = "environment") -> ModelSource:
    """The provider of OPENAI_API_KEY and OPENAI_BASE_URL, whose key is never stored."""
    base_url = settings.OPENAI_BASE_URL or OPENAI_BASE_URL
    return ModelSource(OPENAI_BACKEND, name, model_name or settings.OPENAI_MODEL, base_url, settings.OPENAI_API_KEY)


def is_offline(source: ModelSource) -> bool:
    return source.backend == OFFLINE.backend

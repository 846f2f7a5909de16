"""The one door to chat models."""

from collections.abc import Generator

from django.utils.module_loading import import_string

from xiajiao.llm.base import ChatModel, ChatRequest, ModelError, ModelEvent, ModelSource, TextDelta

__all__ = ["complete", "list_models", "stream_reply"]


def stream_reply(source: ModelSource, request: ChatRequest) -> Generator[ModelEvent, None, None]:
    """One step of the model: deltas as they come, then StepFinished, or ModelError in its place.

    Closing the generator drops the connection.
    """
    return open_model(source).stream(request)


def complete(source: ModelSource, request: ChatRequest) -> str:
    """The whole text of one step. Raises ModelError."""
    return "".join(event.text for event in stream_reply(source, request) if isinstance(event, TextDelta))


def list_models(source: ModelSource) -> list[str]:
    """The names that the server offers. Raises ModelError."""
    return open_model(source).list_models()


def open_model(source: ModelSource) -> ChatModel:
    if source.problem:
        raise ModelError(source.problem)
    model: ChatModel = import_string(source.backend)(source)
    return model

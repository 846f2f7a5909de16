"""An answer as it grows in a turn."""

from __future__ import annotations

from chat.models import Message
from chat.stopping import StopSignal
from memories.models import Agent
from xiajiao.llm.base import ModelError, ReasoningDelta, StepFinished, TextDelta

LONGEST_REPLY = 2_000_000  # characters, in all steps together
# Ends that the model did not choose; told beside an answer that is otherwise fine.
NOTED_REASONS = {"length", "content_filter"}


class Progress:
    """Changes the answer's columns, and saves nothing."""

    def __init__(self, answer: Message, stop: StopSignal) -> None:
        self.answer = answer
        self.stop = stop
        self.agent: Agent = answer.conversation.agent
        self.calls_made = 0
        # By what number the answer cites what documents said, by the parent chunk's id.
        self.numbers: dict[int, int] = {}
        self.step_start = 0
        self.finish_reason = ""

    @property
    def step_text(self) -> str:
        """What the model said in this step."""
        return self.answer.content[self.step_start :]

    def begin_step(self) -> None:
        self.step_start = len(self.answer.content)

    def add(self, delta: TextDelta | ReasoningDelta) -> None:
        """Raises ModelError where the answer grows beyond all bounds; what came is kept."""
        if isinstance(delta, TextDelta):
            self.answer.content += delta.text
        else:
            self.answer.reasoning += delta.text
        if len(self.answer.content) + len(self.answer.reasoning) > LONGEST_REPLY:
            raise ModelError("too_long_reply")

    def finish_step(self, finished: StepFinished) -> None:
        self.finish_reason = finished.finish_reason
        if finished.usage is not None:
            self.answer.prompt_tokens = (self.answer.prompt_tokens or 0) + finished.usage.prompt_tokens
            self.answer.completion_tokens = (self.answer.completion_tokens or 0) + finished.usage.completion_tokens

    def end_well(self) -> None:
        """Done, or an error where nothing was said."""
        if not self.answer.content.strip():
            return self.end(Message.Status.ERROR, "empty")
        return self.end(Message.Status.DONE, self.finish_reason if self.finish_reason in NOTED_REASONS else "")

    def end(self, status: str, error_code: str = "", error_detail: str = "") -> None:
        self.answer.status = status
        self.answer.error_code, self.answer.error_detail = error_code[:50], error_detail

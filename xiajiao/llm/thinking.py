"""Tell thinking from the answer where a model writes both into one text: <think>…</think> at its start."""

from xiajiao.llm.base import ReasoningDelta, TextDelta

OPENING, CLOSING = "<think>", "</think>"


class ThinkSplitter:
    """Takes the pieces of a text; gives each as TextDelta or ReasoningDelta, without the tags."""

    def __init__(self) -> None:
        self.held = ""
        self.state = "start"

    def split(self, piece: str) -> list[TextDelta | ReasoningDelta]:
        if self.state == "text":
            return [TextDelta(piece)] if piece else []
        self.held += piece
        if self.state == "start":
            return self.open()
        return self.close()

    def open(self) -> list[TextDelta | ReasoningDelta]:
        begun = self.held.lstrip()
        if begun.startswith(OPENING):
            self.state, self.held = "thinking", begun.removeprefix(OPENING)
            return self.close()
        if OPENING.startswith(begun):
            return []
        return self.flush()

    def close(self) -> list[TextDelta | ReasoningDelta]:
        thought, tag, answer = self.held.partition(CLOSING)
        if tag:
            self.state, self.held = "text", ""
            answer = answer.lstrip()
            return [*([ReasoningDelta(thought)] if thought else []), *([TextDelta(answer)] if answer else [])]
        kept = next((size for size in range(len(CLOSING) - 1, 0, -1) if thought.endswith(CLOSING[:size])), 0)
        thought, self.held = thought[: len(thought) - kept], thought[len(thought) - kept :]
        return [ReasoningDelta(thought)] if thought else []

    def flush(self) -> list[TextDelta | ReasoningDelta]:
        """What is still held, at the text's end."""
        held, self.held = self.held, ""
        if self.state == "thinking":
            return [ReasoningDelta(held)] if held else []
        self.state = "text"
        return [TextDelta(held)] if held else []

"""How much of a profile file is injected. What is stored is never cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memories.profiles.sections import Section, join_sections, name_sections, split_sections
from xiajiao.texts import clip

# Stands for the lines of the morning where the day has become too long to be told whole.
EARLIER = "- …"


@dataclass(frozen=True)
class Trimmed:
    """`text` is what is injected; `cut` names the sections that were left out, `is_shortened`: the last one that is in
    it ends early; `keeps_end`: it is the lines at the beginning that were. `length` and `budget` are characters of the
    whole and what there is room for."""

    text: str
    length: int
    budget: int
    cut: Sequence[str] = ()
    is_shortened: bool = False
    keeps_end: bool = False

    @property
    def is_whole(self) -> bool:
        return not self.cut and not self.is_shortened and not self.keeps_end


def trim_to_newest(text: str, budget: int) -> Trimmed:
    """Whole lines from the end, as many as fit under a mark for those before them: of a day, whose newest come last."""
    text = text.strip()
    if len(text) <= budget:
        return Trimmed(text, len(text), budget)
    kept, room = [], budget - len(EARLIER)
    for line in reversed(text.splitlines()):
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    lines = [EARLIER, *reversed(kept)] if kept else [clip(text.splitlines()[-1], budget)]
    return Trimmed("\n".join(lines), len(text), budget, keeps_end=True)


def trim_to_budget(text: str, budget: int) -> Trimmed:
    """Whole sections from the start, as many as fit; of the first one as much as fits where it alone is too long."""
    text = text.strip()
    if len(text) <= budget:
        return Trimmed(text, len(text), budget)
    sections = split_sections(text)
    kept = take_whole(sections, budget)
    cut = name_sections(sections)[max(len(kept), 1) :]
    if kept:
        return Trimmed(join_sections(kept).strip(), len(text), budget, cut)
    return Trimmed(clip(sections[0].text.strip(), budget), len(text), budget, cut, is_shortened=True)


def take_whole(sections: Sequence[Section], budget: int) -> list[Section]:
    kept: list[Section] = []
    for section in sections:
        if len(join_sections([*kept, section]).strip()) > budget:
            break
        kept.append(section)
    return kept

"""Memories as Markdown for people: a part for each agent, a section for each category, a bullet for each memory."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext

from memories.models import Memory
from memories.transfer.plans import Plan
from memories.wording import name_state
from xiajiao.texts import clip

TITLE_LENGTH = 60


def write_markdown(plan: Plan, start: int = 0) -> Iterator[tuple[int, bytes]]:
    """How many memories are written, and the next piece of the file; from the `start`th memory on."""
    if start == 0:
        yield 0, write_title(len(plan.keys)).encode()
    last = find_section(plan.keys[start - 1]) if start else None
    done = start
    for keys in plan.batches(start):
        rows = Memory.objects.select_related("agent", "user", "type", "superseded_by").in_bulk(list(keys))
        pieces = []
        for memory in (rows[key] for key in keys if key in rows):
            section = section_of(memory)
            pieces.append(write_headings(memory, last))
            pieces.append(write_bullet(memory))
            last = section
        done += len(keys)
        yield done, "".join(pieces).encode()


def section_of(memory: Memory) -> tuple[int, str]:
    return memory.agent_id, memory.category


def find_section(key: int) -> tuple[int, str] | None:
    memory = Memory.objects.filter(pk=key).first()
    return None if memory is None else section_of(memory)


def write_title(count: int) -> str:
    counted = ngettext("%(count)s memory", "%(count)s memories", count) % {"count": count}
    day = date_format(timezone.localdate(), "Y-m-d")
    return f"# {gettext('Memories')}\n\n{counted} · {day}\n"


def write_headings(memory: Memory, last: tuple[int, str] | None) -> str:
    """Those that change with this memory."""
    if last == section_of(memory):
        return ""
    face = f"{memory.agent.emoji} {memory.agent.name}".strip()
    agent = "" if last is not None and last[0] == memory.agent_id else f"\n# {one_line(face)}\n"
    return f"{agent}\n## {memory.get_category_display()}\n\n"


def write_bullet(memory: Memory) -> str:
    """Its text as it is, further lines indented so that they stay with the bullet; date, tags and state under it."""
    title = f"**{one_line(memory.title)}** " if memory.title else ""
    text = "\n  ".join(f"{title}{escape(memory.content)}".splitlines())
    description = f"  {one_line(memory.description)}\n" if memory.description else ""
    return f"- {text}\n{description}  *{' · '.join(write_notes(memory))}*\n"


def write_notes(memory: Memory) -> Iterator[str]:
    yield date_format(timezone.localtime(memory.created_at), "Y-m-d")
    yield memory.type.display_name
    if memory.tags:
        yield " ".join(f"#{one_line(tag).replace(' ', '-')}" for tag in memory.tags)
    if memory.pinned:
        yield gettext("pinned")
    if memory.importance != Memory.Importance.MEDIUM:
        yield gettext("importance: %(level)s") % {"level": memory.get_importance_display()}
    if memory.user_id is None:
        yield gettext("shared")
    state = name_state(memory)
    if state:
        yield state
    if memory.valid_to is not None:
        yield gettext("until %(day)s") % {"day": date_format(timezone.localtime(memory.valid_to), "Y-m-d")}
    if memory.superseded_by is not None:
        yield gettext("now: %(text)s") % {"text": clip(one_line(memory.superseded_by.content), TITLE_LENGTH)}


def escape(text: str) -> str:
    """A first character that would begin a heading, a list or a quotation is one of the text."""
    return f"\\{text}" if text[:1] in {"#", "-", "+", "*", ">"} else text


def one_line(text: str) -> str:
    return " ".join(text.split())

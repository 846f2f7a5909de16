"""A profile file as Markdown sections: a line `## heading` begins one, and no byte is lost between them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from memories.alignment import align

# CommonMark: up to three blanks, two number signs, a blank or nothing; closing number signs are no part of the words.
HEADING = re.compile(r" {0,3}##(?:[ \t]+(?P<words>.*?))?(?:[ \t]+#+)?[ \t]*\r?\n?")
FENCE = re.compile(r" {0,3}(?P<marks>`{3,}|~{3,})(?P<rest>.*?)\r?\n?", re.DOTALL)


class SectionError(ValueError):
    """What is wrong with a change of a section. `code` is one of missing, text_missing, text_ambiguous, empty."""

    def __init__(self, code: str, *, count: int = 0) -> None:
        super().__init__(code)
        self.code = code
        self.count = count


@dataclass(frozen=True)
class Section:
    """`head` is the heading's line as it is written, with its end; empty for what stands before the first heading."""

    head: str
    body: str

    @property
    def heading(self) -> str:
        match = HEADING.fullmatch(self.head)
        return (match["words"] or "").strip() if match else ""

    @property
    def text(self) -> str:
        return self.head + self.body


def split_sections(text: str) -> list[Section]:
    """Joined again, they are the text to the byte. What looks like a heading in fenced code is none."""
    sections: list[Section] = []
    head, body = "", ""
    for line, is_code, _open in mark_code(text):
        if not is_code and HEADING.fullmatch(line):
            sections.append(Section(head, body))
            head, body = line, ""
        else:
            body += line
    sections.append(Section(head, body))
    return [section for section in sections if section.text]


def mark_code(text: str) -> Iterator[tuple[str, bool, str]]:
    """Each line with its end, whether it is fenced code, and the marks of the fence that is open behind it; one that is
    never closed reaches to the end."""
    marks = ""
    for line in split_lines(text):
        fence, was_open = FENCE.fullmatch(line), bool(marks)
        if fence and was_open and closes(marks, fence):
            marks = ""
        elif fence and not was_open and not (fence["marks"][0] == "`" and "`" in fence["rest"]):
            marks = fence["marks"]
        yield line, was_open or bool(marks), marks


def close_fence(body: str, end: str) -> str:
    """With a line behind its last one that closes the code it leaves open: no section that follows is to be taken for
    code."""
    *_closed, marks = ["", *(marks for _line, _is_code, marks in mark_code(body))]
    kept = body.rstrip("\r\n")
    return f"{kept}{end}{marks}{body[len(kept) :] or end}" if marks else body


def split_lines(text: str) -> list[str]:
    """At line feeds alone: other separators may stand in a heading's words."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def closes(marks: str, fence: re.Match[str]) -> bool:
    return fence["marks"].startswith(marks) and not fence["rest"].strip()


def join_sections(sections: Iterable[Section]) -> str:
    return "".join(section.text for section in sections)


def name_sections(sections: Sequence[Section]) -> list[str]:
    """What each is asked for by, no two alike: its heading, "" for what stands before the first, `heading (2)` for the
    second of two that are headed alike, `heading (3)` where a heading says `heading (2)` itself."""
    taken = {fold(section.heading) for section in sections}
    seen: Counter[str] = Counter()
    names = []
    for section in sections:
        name, key = section.heading, fold(section.heading)
        seen[key] += 1
        if seen[key] > 1:
            while fold(name := f"{section.heading} ({seen[key]})") in taken:
                seen[key] += 1
            taken.add(fold(name))
        names.append(name)
    return names


def fold(name: str) -> str:
    return " ".join(name.split()).casefold()


def find_section(sections: list[Section], name: str) -> int | None:
    """Its place; blanks, case and the number signs of a heading don't count."""
    match = HEADING.fullmatch(name.strip())
    wanted = fold((match["words"] or "") if match else name)
    return next((at for at, each in enumerate(name_sections(sections)) if fold(each) == wanted), None)


def end_of(text: str) -> str:
    """How its lines end."""
    return "\r\n" if "\r\n" in text else "\n"


def end_as(text: str, end: str) -> str:
    """The same lines, each ended so."""
    return text.replace("\r\n", "\n").replace("\n", end)


def keep_ends(text: str, stands: str, end: str) -> str:
    """The same lines, each ended as it is in what stands there; new ones, or all where too much is new, with `end`."""
    old, new = split_lines(stands), split_lines(end_as(text, "\n"))
    ends = [end] * len(new)
    for each in align([line.rstrip("\r\n") for line in old], [line.rstrip("\n") for line in new]) or ():
        if each.is_same:
            kept = old[each.start : each.end]
            ends[each.new_start : each.new_end] = [end_of(line) if line.endswith("\n") else end for line in kept]
    return "".join(line.replace("\n", ends[at]) for at, line in enumerate(new))


def read_section(text: str, name: str) -> str:
    """Without its heading; empty where there is none."""
    sections = split_sections(text)
    at = find_section(sections, name)
    return "" if at is None else sections[at].body.strip()


def add_to_section(text: str, name: str, content: str) -> str:
    """Content on lines of its own at the end of the section, which is made at the end of the file where it is missing.

    Code that is left open is closed. Raises SectionError where there is nothing to add.
    """
    content = content.strip()
    if not content:
        raise SectionError("empty")
    end = end_of(text)
    content = end_as(content, end)
    sections = split_sections(text)
    at = find_section(sections, name)
    if at is None:
        heading = f"## {' '.join(name.split()).lstrip('# ')}{end}" if name.strip() else ""
        added = Section(heading, close_fence(content + end, end))
        return join_sections([added, *sections] if not heading else [*apart(sections, end), added])
    section = sections[at]
    kept = section.body.rstrip()
    tail = section.body[len(kept) :].lstrip("\r\n") if at == len(sections) - 1 else end
    head = section.head if section.head.endswith("\n") or not section.head else section.head + end
    body = f"{kept}{end}{content}{end}{tail}" if kept else f"{content}{end}{tail}"
    return join_sections([*sections[:at], Section(head, close_fence(body, end)), *sections[at + 1 :]])


def apart(sections: list[Section], end: str) -> list[Section]:
    """With a blank line behind the last one, whose code ends there too."""
    if not sections:
        return []
    *others, last = sections
    body = close_fence(last.body, end).rstrip("\r\n")
    gap = end * 2 if body or last.head.endswith("\n") is False else end
    return [*others, replace(last, body=body + gap)]


def replace_in_section(text: str, name: str, old: str, new: str) -> str:
    """The old text, word for word, by the new one; code that is left open is closed. Raises SectionError where the
    section is missing, or the text in it is, or occurs there more than once."""
    sections = split_sections(text)
    at = find_section(sections, name)
    if at is None:
        raise SectionError("missing")
    if not old:
        raise SectionError("empty")
    body = sections[at].body
    if end_of(body) == "\r\n":
        old, new = end_as(old, "\r\n"), end_as(new, "\r\n")
    count = body.count(old)
    if count != 1:
        raise SectionError("text_ambiguous" if count else "text_missing", count=count)
    sections[at] = replace(sections[at], body=close_fence(body.replace(old, new), end_of(text)))
    return join_sections(sections)


def remove_section(text: str, name: str) -> str:
    """With its heading. Raises SectionError where it is missing."""
    sections = split_sections(text)
    at = find_section(sections, name)
    if at is None:
        raise SectionError("missing")
    return join_sections([*sections[:at], *sections[at + 1 :]])


def set_section(text: str, number: int, heading: str, body: str) -> str:
    """The section at that place, from 0, with these words; code that they leave open is closed. Raises SectionError
    where there is none."""
    sections = split_sections(text)
    if not 0 <= number < len(sections):
        raise SectionError("missing")
    is_last = number == len(sections) - 1
    end, old = end_of(text), sections[number]
    sections[number] = make_section(old, heading, keep_ends(body, old.body.lstrip("\r\n"), end), is_last, end)
    return join_sections(sections)


def make_section(old: Section, heading: str, body: str, is_last: bool, end: str) -> Section:
    """Its heading's line stays as it is written where its words do."""
    heading, body = " ".join(heading.split()).lstrip("# "), close_fence(body, end).strip("\r\n")
    is_kept = heading == old.heading and (heading or not old.head)
    head = old.head if is_kept else f"## {heading}{end}" if heading else ""
    if head and not head.endswith("\n"):
        head += end
    return Section(head, f"{body}{end}" if is_last or not body else f"{body}{end}{end}")


def drop_section(text: str, number: int) -> str:
    """Raises SectionError where there is none at that place."""
    sections = split_sections(text)
    if not 0 <= number < len(sections):
        raise SectionError("missing")
    return join_sections([*sections[:number], *sections[number + 1 :]])

"""What a person typed for one section of a file that others write into meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memories.models import ProfileFile, ProfileRevision
from memories.profiles.editing import ProfileChange, ProfileKey, change_file, read_file
from memories.profiles.sections import Section, add_to_section, drop_section, name_sections, set_section, split_sections


@dataclass(frozen=True)
class SectionEdit:
    """`number`: the section's place in the version that was shown, from 0; None: a new one. `is_removed`: it goes."""

    number: int | None
    version: int
    heading: str = ""
    body: str = ""
    is_removed: bool = False


class SectionConflictError(Exception):
    """The section says something else by now. `number`: where it stands, with `body`; None: it is gone."""

    def __init__(self, sections: Sequence[Section], number: int | None) -> None:
        super().__init__(number)
        self.number = number
        self.body = "" if number is None else sections[number].body.strip("\r\n")


def change_section(key: ProfileKey, edit: SectionEdit, change: ProfileChange) -> None:
    """Whatever was written into other sections meanwhile stays. Raises SectionConflictError, SectionError,
    ProfileTooLongError."""

    def alter(text: str) -> str:
        if edit.number is None:
            return add_to_section(text, edit.heading, edit.body)
        number = find_place(text, read_version(read_file(key), edit.version), edit.number)
        return drop_section(text, number) if edit.is_removed else set_section(text, number, edit.heading, edit.body)

    change_file(key, alter, change)


def read_version(file: ProfileFile, version: int) -> str:
    """The text that a version had; empty where nobody may know it any more: something of it was forgotten since."""
    if version == file.version:
        return file.text
    revisions = ProfileRevision.objects.filter(file=file.pk)
    if revisions.filter(version__gt=version, action=ProfileRevision.Action.FORGOTTEN).exists():
        return ""
    return revisions.filter(version=version).values_list("after", flat=True).first() or ""


def find_place(text: str, shown: str, number: int) -> int:
    """Of the section that was shown at `number`, as long as it says what it said. Raises SectionConflictError."""
    then, now = split_sections(shown), split_sections(text)
    if number >= len(then):
        raise SectionConflictError(now, number if number < len(now) else None)
    wanted, name = then[number], name_sections(then)[number]
    place = next((at for at, each in enumerate(name_sections(now)) if each == name), None)
    if place is not None and is_same(wanted, now[place]):
        return place
    alike = [at for at, each in enumerate(now) if is_same(wanted, each)]
    if len(alike) == 1 and sum(is_same(wanted, each) for each in then) == 1:
        return alike[0]  # its number is another, since one of its name came or went
    raise SectionConflictError(now, place if place is not None and now[place].heading == wanted.heading else None)


def is_same(one: Section, other: Section) -> bool:
    """A section that stood last has no blank line behind it."""
    return (one.heading, one.body.strip("\r\n")) == (other.heading, other.body.strip("\r\n"))

"""The profile tools that a model may call: sections of the files of the scope's agent and person."""

from __future__ import annotations

from memories.acting import origin_of
from memories.approval.asking import ask_to_change_file
from memories.approval.telling import say_asked
from memories.models import Agent, ProfileKind, ProfileRevision
from memories.profiles.drafts import SectionDraft
from memories.profiles.editing import (
    LONGEST,
    ProfileKey,
    ProfileTooLongError,
    change_file,
    leave_secrets_out,
    make_key,
    read_file,
)
from memories.profiles.forgetting import refuse_forgotten
from memories.profiles.sections import SectionError, name_sections, split_sections
from memories.profiles.snapshot import trim_file
from memories.redaction import find_secrets
from memories.results import say_left_out
from memories.tombstones import ForgottenError
from xiajiao.tools import Scope, ToolError, tool

Action = ProfileRevision.Action
FILES = ", ".join(ProfileKind.values)
FAULTS = {
    "missing": "There is no section {section!r} in {file}. It has: {sections}.",
    "text_missing": "old_text does not stand in this section, word for word. profile_read shows it.",
    "text_ambiguous": "old_text stands there {count} times; give a longer piece that stands there once.",
    "empty": "There is nothing to write.",
}


@tool("memory_read")
def profile_read(scope: Scope, file: str) -> str:
    """Read a profile file: soul (who you are), user (who the user is), memory (your notes), daily (today's log)."""
    agent, kind = Agent.objects.get(pk=scope.agent_id), read_kind(file)
    text = read_file(make_key(agent, kind, scope.user_id)).text
    return text if text.strip() else f"{kind} is empty."


@tool("memory_add")
def profile_add(scope: Scope, content: str, section: str = "", file: str = ProfileKind.MEMORY) -> str:
    """Add lines to a section of a profile file; a section that is not there yet is made.

    file: soul, user, memory or daily. section: its heading, without ##.
    user holds what is always worth knowing of the user, memory your own working notes.
    """
    section, of_section = accept(scope, section)
    content, of_content = accept(scope, content)
    kinds = sorted({*of_section, *of_content})
    return apply(scope, SectionDraft(read_kind(file), flatten(section), Action.ADDED, content, left_out=kinds))


@tool("memory_replace")
def profile_replace(scope: Scope, file: str, section: str, old_text: str, new_text: str) -> str:
    """Replace a piece of a section, given word for word, by a new one.

    file: soul, user, memory or daily. section: its heading, without ##.
    """
    new_text, kinds = accept(scope, new_text)
    return apply(scope, SectionDraft(read_kind(file), flatten(section), Action.REPLACED, new_text, old_text, kinds))


@tool("memory_remove")
def profile_remove(scope: Scope, file: str, section: str) -> str:
    """Remove a section of a profile file with its heading. The user can bring it back.

    file: soul, user, memory or daily. section: its heading, without ##.
    """
    return apply(scope, SectionDraft(read_kind(file), flatten(section), Action.REMOVED))


PROFILE_TOOLS = [profile_read, profile_add, profile_replace, profile_remove]


def accept(scope: Scope, text: str) -> tuple[str, list[str]]:
    """As `leave_secrets_out`. Raises ToolError for what the person had forgotten for good and has not said anew."""
    try:
        refuse_forgotten(scope.agent_id, scope.user_id, text, scope.user_message_id)
    except ForgottenError as error:
        raise ToolError(str(error)) from None
    return leave_secrets_out(text, Agent.objects.get(pk=scope.agent_id))


def read_kind(file: str) -> str:
    """`user`, and `USER.md` as well."""
    kind = file.strip().lower().removesuffix(".md")
    if kind not in ProfileKind.values:
        raise ToolError(f"file must be one of {FILES}.")
    return kind


def flatten(section: str) -> str:
    """A heading in one line."""
    return " ".join(section.split())


def apply(scope: Scope, draft: SectionDraft) -> str:
    """Raises ToolError with what would be right."""
    agent, kind = Agent.objects.get(pk=scope.agent_id), draft.file
    if kind == ProfileKind.SOUL and not agent.may_change_soul(scope.user_id):
        raise ToolError("soul is read-only: only its owner changes it, on the page of the agent's files.")
    key = make_key(agent, kind, scope.user_id)
    try:
        if agent.asks_before_writing and kind != ProfileKind.DAILY:
            return ask_first(scope, key, draft)
        revision = change_file(key, draft.alter, draft.as_change(origin_of(scope)))
    except SectionError as error:
        sections = ", ".join(filter(None, name_sections(split_sections(read_file(key).text)))) or "none"
        said = FAULTS[error.code].format(section=draft.section, file=kind, sections=sections, count=error.count)
        raise ToolError(said) from None
    except ProfileTooLongError:
        raise ToolError(f"{kind} may have {LONGEST} characters; remove or shorten a section first.") from None
    if revision is None:
        return f"{kind} says that already."
    return "\n".join([summarise(kind, revision.after), *say_left_out(draft.left_out)])


def ask_first(scope: Scope, key: ProfileKey, draft: SectionDraft) -> str:
    """Raises SectionError where it can't be done as things stand, ToolError where a secret would be kept."""
    agent, file = key.agent, read_file(key)
    if find_secrets(f"{draft.section}\n{draft.old}", agent.secret_kinds):
        raise ToolError("A secret stands in these words: the user changes that by hand, on the page of the files.")
    if draft.alter(file.text) == file.text:
        return f"{key.kind} says that already."
    return say_asked(ask_to_change_file(key, draft, file.version, origin_of(scope)), draft.left_out)


def summarise(kind: str, text: str) -> str:
    """What the file holds by now, and how much of it later conversations are shown."""
    trimmed = trim_file(kind, text)
    lines = [f"- {name or '(before the first heading)'}" for name in name_sections(split_sections(text))]
    told = [f"{kind} has {trimmed.length} of {trimmed.budget} characters, in the sections:", *lines]
    if not trimmed.is_whole:
        left = ", ".join(trimmed.cut) or ("its oldest lines" if trimmed.keeps_end else "the end of its first section")
        told.append(f"Too long: later conversations are not shown {left}. Shorten it.")
    return "\n".join(told)

"""Formats, outcomes, reasons and failures of transfers in words for a person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

FORMATS = {
    "xiajiao": _("Xiajiao (JSON Lines)"),
    "mem0": _("mem0 (JSON of get_all)"),
    "sections": _("Markdown with sections (MEMORY.md)"),
    "workspace_db": _("SQLite, table memories with type and content (memory.db of one agent)"),
    "agent_memories_db": _("SQLite, table agent_memories"),
    "named_db": _("SQLite, table memory with agent_name"),
    "sessions_db": _("SQLite, table memories with session_id"),
}
# What a person reads on each line, before and after.
OUTCOMES = {
    "add": pgettext_lazy("import", "New"),
    "reinforce": pgettext_lazy("import", "Said again in other words"),
    "supersede": pgettext_lazy("import", "Replaces an older one"),
    "restore": pgettext_lazy("import", "Restored as it was"),
    "conflict": pgettext_lazy("import", "Differs from what is here"),
    "ignore": pgettext_lazy("import", "Known already"),
    "invalid": pgettext_lazy("import", "Can't be taken"),
    "": pgettext_lazy("import", "Not reached"),
}
TAGS = {"add": "good", "restore": "good", "conflict": "warning", "invalid": "bad"}
REASONS = {
    "unchanged": _("The same as here."),
    "newer_here": _("It was changed here later than in the file."),
    "newer_in_file": _("It was changed in the file later than here."),
    "deleted_here": _("It was deleted here."),
    "forgotten_here": _("It was forgotten for good here."),
    "brought_back": _("It was deleted here, and has been brought back."),
    "taken_from_file": _("It was different here; the file's version was taken, the former one is in its history."),
    "circle": _("It is in a circle of memories that replace one another; it comes in without being replaced."),
    "imported": _("It was imported before."),
    "same_file": _("Compared with line %(line)s of the same file."),
    "came_late": _("It is older than what is known now: kept as history."),
    "no_date": _("Its date can't be read; it counts as said today."),
    "guessed_encoding": _("Its characters can't be read for certain."),
    "line_too_long": _("The line is too long."),
    "not_utf8": _("The line is not UTF-8 text."),
    "not_json": _("This is no valid JSON."),
    "not_an_object": _("The line is no JSON object."),
    "unknown_record": _("It doesn't say what it is."),
    "no_uid": _("It has no valid id (%(column)s)."),
    "wrong_type": _("%(column)s has a value of the wrong kind."),
    "too_long": _("%(column)s is longer than %(most)s characters."),
    "too_deep": _("%(column)s is nested too deep."),
    "unknown_choice": _("%(column)s can't be “%(value)s”."),
    "type_of_staff": _("There is no type “%(type)s” here, and staff alone add one."),
    "type_word": _("Its type “%(type)s” has the key or the name of another one here."),
    "bad_date": _("%(column)s is no date that can be read."),
    "empty": _("%(column)s says nothing."),
    "binary": _("%(column)s holds no text."),
    "refused": _("%(column)s can't be kept."),
    "same_uid": _("Line %(line)s has the same id."),
    "no_memory": _("Its memory is not in the file."),
    "no_agent": _("It names no agent that is known; choose one for all."),
    "shared_agent": _("It is shared by all users of an agent that is not yours."),
    "unknown_person": _("Nobody here is called “%(name)s”."),
    "too_many_new": _("The file would make too many new agents or types."),
    "document": _("A passage of a document, not a memory."),
    "damaged": _("The database is damaged here, or the value is too large."),
}
ERRORS = {
    "empty_file": _("The file is empty."),
    "unknown_format": _("Nothing in it looks like memories. Choose the format if you know it."),
    "utf16": _("The file is UTF-16. Save it as UTF-8 and try again."),
    "packed": _("The file is packed. Unpack it and upload what is in it."),
    "mostly_bad": _(
        "Thousands of lines can't be read, and hardly any can. Is it the right file, and the right format?"
    ),
    "newer_version": _("A newer Xiajiao wrote this file. Upgrade this one first."),
    "not_a_database": _("This is no SQLite database."),
    "damaged": _("The database is damaged and can't be read."),
    "no_table": _("The database has no table with memories that is known."),
    "wrong_columns": _("The table of the database has other columns than this format."),
    "only_in_wal": _(
        "The database keeps its rows in a file beside it (-wal). Close the program that uses it, then copy it again."
    ),
    "file_gone": _("The file is no longer here. Upload it again."),
    "crashed": _("It was tried several times and ended each time. The log of the worker says why."),
    "no_room": _("It could not be written: is the disk full?"),
}


def explain_line(reason: str, details: Mapping[str, Any]) -> str:
    """Why, of a line; nothing where that is plain."""
    if reason not in REASONS:
        return ""
    try:
        sentence = str(REASONS[reason]) % dict(details)
    except (KeyError, ValueError):
        return str(REASONS[reason])
    if reason in {"newer_here", "newer_in_file"} and details.get("columns"):
        differing = gettext("Different: %(columns)s.") % {"columns": ", ".join(details["columns"])}
        return f"{sentence} {differing}"
    return sentence


def explain_error(code: str) -> str:
    return str(ERRORS.get(code, code))


def name_format(format: str) -> str:
    return str(FORMATS.get(format, format))


def name_outcome(outcome: str) -> str:
    return str(OUTCOMES[outcome])

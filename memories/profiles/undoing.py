"""Taking one change of a profile file back, and nothing else that was written since."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Q

from memories.alignment import Stretch, align
from memories.models import MemoryRevision, ProfileFile, ProfileRevision
from memories.profiles.editing import ProfileChange, change_file, make_file_key
from memories.profiles.sections import split_lines
from xiajiao.models import User

Action = ProfileRevision.Action


class OverlapError(Exception):
    """The file says something else by now where the change was made."""


@dataclass(frozen=True)
class NotedChange:
    """`undoing`: the change that took it back, as long as that stands itself."""

    revision: ProfileRevision
    undoing: ProfileRevision | None = None


def take_back(before: str, after: str, current: str) -> str:
    """`current` without what made `after` of `before`; lines that stand there again by now are not put back once more.

    Raises OverlapError where other lines changed there since.
    """
    old, new, now = split_lines(before), split_lines(after), split_lines(current)
    changes, since = align(new, old), align(new, now)
    if changes is None or since is None:
        raise OverlapError
    lines = list(now)
    for change in reversed([each for each in changes if not each.is_same]):
        start, back = find_place(change, since, is_empty=not new), old[change.new_start : change.new_end]
        if change.start < change.end or not stands_again(back, change.start, since, now):
            lines[start : start + change.end - change.start] = back
    return "".join(end_lines(lines))


def find_place(change: Stretch, since: Sequence[Stretch], is_empty: bool) -> int:
    """Of its first line in the text as it is now. Raises OverlapError."""
    if is_empty:
        return 0
    for kept in since:
        if kept.is_same and kept.start <= change.start and change.end <= kept.end:
            return kept.new_start + change.start - kept.start
    raise OverlapError


def stands_again(back: Sequence[str], place: int, since: Sequence[Stretch], now: Sequence[str]) -> bool:
    """Whether the lines were written anew just there; blank ones around them and how they end don't count."""
    wanted = "\n".join(line.strip() for line in back).strip("\n")
    for each in since:
        if not each.is_same and each.start <= place <= each.end:
            written = "\n".join(line.strip() for line in now[each.new_start : each.new_end])
            return bool(wanted) and f"\n{wanted}\n" in f"\n{written}\n"
    return False


def end_lines(lines: Sequence[str]) -> list[str]:
    """A last line may lack its end, and stand within the text now."""
    last = len(lines) - 1
    return [line if at == last or line.endswith("\n") else f"{line}\n" for at, line in enumerate(lines)]


def undo_change(revision: ProfileRevision, user: User) -> ProfileRevision | None:
    """By a person; None where it is so already, and nothing changes. Raises OverlapError, ProfileTooLongError."""
    file = revision.file
    change = ProfileChange(
        Action.RESTORED,
        MemoryRevision.Actor.PERSON,
        user_id=user.pk,
        section=revision.section,
        reason={"undone": revision.version},
    )
    key = make_file_key(file)

    def alter(text: str) -> str:
        return take_back(revision.before, revision.after, text) if leave_out_undone([revision]) else text

    return change_file(key, alter, change)


def find_undoable(user: User) -> Q:
    """Revisions that the person may take back: of files they may change, and what an agent did in their own turn."""
    editable = Q(file__in=ProfileFile.objects.editable_by(user))
    return editable | Q(user=user, actor=MemoryRevision.Actor.AGENT)


def look_at(revision: ProfileRevision) -> NotedChange:
    undone = ProfileRevision.objects.filter(file=revision.file_id, reason__has_key="undone")
    return note_change(revision, leave_out_undone(undone))


def note_change(revision: ProfileRevision, undoings: Collection[ProfileRevision]) -> NotedChange:
    """`undoings`: the changes of its file that took others back, and stand."""
    later = [
        each for each in undoings if each.file_id == revision.file_id and each.reason.get("undone") == revision.version
    ]
    newest = max(later, key=lambda each: each.version, default=None)
    if newest is None or note_change(newest, undoings).undoing is not None:
        return NotedChange(revision)
    return NotedChange(revision, newest)


def list_noted(answer_ids: Iterable[int]) -> dict[int, list[NotedChange]]:
    """What agents did to files in the turns of these answers, in their order."""
    rows = ProfileRevision.objects.filter(answer_id__in=list(answer_ids), actor=MemoryRevision.Actor.AGENT)
    found = list(rows.select_related("file").order_by("pk"))
    if not found:
        return {}
    files = {revision.file_id for revision in found}
    undoings = leave_out_undone(ProfileRevision.objects.filter(file__in=files, reason__has_key="undone"))
    noted: dict[int, list[NotedChange]] = {}
    for revision in found:
        noted.setdefault(revision.answer_id or 0, []).append(note_change(revision, undoings))
    return noted


def leave_out_undone(revisions: Iterable[ProfileRevision]) -> list[ProfileRevision]:
    """Those that stand: neither taken back, nor gone when their file was put back to an earlier version.

    One query, however many they are.
    """
    found = list(revisions)
    turned = Q(reason__has_key="undone") | Q(reason__has_key="restored")
    rows = ProfileRevision.objects.filter(turned, file__in={each.file_id for each in found})
    turns: dict[int, list[ProfileRevision]] = {}
    for row in rows.defer("before", "after").order_by("-version") if found else ():
        turns.setdefault(row.file_id, []).append(row)
    return [each for each in found if is_standing(each, turns.get(each.file_id, ()))]


def is_standing(revision: ProfileRevision, turns: Sequence[ProfileRevision]) -> bool:
    """`turns`: what took changes of its file back or put it back as a whole, the latest first."""
    led: list[ProfileRevision] = []
    lowest: int | None = None
    for turn in turns:
        if lowest is not None and turn.version > lowest:
            continue  # gone itself, when the file was put back
        if turn.version <= revision.version:
            break
        if note_change(turn, led).undoing is None:
            lowest = turn.reason.get("restored", lowest)
        led.append(turn)
    is_led_to = lowest is None or revision.version <= lowest
    return is_led_to and note_change(revision, led).undoing is None

"""Profile files that come from elsewhere: what each would change, and the change, kept as a revision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from django.db.models import Max, Q

from memories.models import Agent, MemoryRevision, ProfileFile, ProfileRevision
from memories.profiles.editing import (
    LONGEST,
    ProfileChange,
    ProfileKey,
    ProfileTooLongError,
    StaleProfileError,
    change_file,
    leave_secrets_out,
    read_file,
)
from memories.profiles.layout import FileFaultError, Place, key_at, read_path, read_text

NEW, CHANGED, SAME, REFUSED = "new", "changed", "same", "refused"


@dataclass(frozen=True)
class Brought:
    """A file below a folder, as it came. `fault`: why it can't be read, with what the system said as `detail`."""

    path: str
    content: bytes = b""
    fault: str = ""
    detail: str = ""


@dataclass(frozen=True)
class Outcome:
    """What became of it, or would. `verdict` is one of new, changed, same, refused, the last with a `fault`;
    `length` is characters, `left_out` kinds of secrets."""

    path: str
    verdict: str
    fault: str = ""
    detail: str = ""
    length: int = 0
    left_out: Sequence[str] = ()


@dataclass(frozen=True)
class Bringing:
    """Into whose files, and how. `seen`: the newest revision that the person knows of; what was changed after it is
    refused. None: whatever stands there. `is_dry`: nothing is written."""

    agent: Agent
    user_id: int
    actor: str = MemoryRevision.Actor.IMPORT
    seen: int | None = None
    is_dry: bool = False
    taken: Counter[str] = field(default_factory=Counter)

    @property
    def may_write_soul(self) -> bool:
        return self.agent.owner_id == self.user_id


def find_newest(agent: Agent, user_id: int) -> int:
    """Key of the newest revision of the files that the person sees; 0: there is none."""
    own = Q(file__user=user_id) | Q(file__user__isnull=True)
    rows = ProfileRevision.objects.filter(own, file__agent=agent)
    return rows.aggregate(newest=Max("pk"))["newest"] or 0


def bring(bringing: Bringing, files: Iterable[Brought]) -> Iterator[Outcome]:
    """Each by itself: one that can't be taken loses no other."""
    for brought in files:
        yield bring_one(bringing, brought)


def bring_one(bringing: Bringing, brought: Brought) -> Outcome:
    place = read_path(brought.path)
    fault = find_fault(bringing, brought, place)
    if fault or place is None:
        return Outcome(brought.path, REFUSED, fault, brought.detail)
    bringing.taken[brought.path] += 1
    try:
        return put(bringing, key_at(place, bringing.agent, bringing.user_id), brought)
    except FileFaultError as error:
        return Outcome(brought.path, REFUSED, error.code)
    except StaleProfileError:
        return Outcome(brought.path, REFUSED, "stale")
    except ProfileTooLongError:
        return Outcome(brought.path, REFUSED, "grown")


def find_fault(bringing: Bringing, brought: Brought, place: Place | None) -> str:
    if brought.fault:
        return brought.fault
    if place is None:
        return "name"
    if place.kind == "soul" and not bringing.may_write_soul:
        return "not_yours"
    return "twice" if bringing.taken[brought.path] else ""


def put(bringing: Bringing, key: ProfileKey, brought: Brought) -> Outcome:
    """Raises FileFaultError, StaleProfileError, ProfileTooLongError where marks for its secrets make it too long."""
    standing, text = read_file(key), read_text(brought.content)
    if text == standing.text:
        return Outcome(brought.path, SAME, length=len(text))
    kept, kinds = leave_secrets_out(text, bringing.agent)
    if len(kept) > LONGEST:
        raise ProfileTooLongError
    verdict = SAME if kept == standing.text else CHANGED if standing.version else NEW
    if verdict != SAME and is_newer(standing, bringing.seen):
        raise StaleProfileError(standing)
    if not bringing.is_dry:
        action = ProfileRevision.Action.IMPORTED
        change = ProfileChange(action, bringing.actor, user_id=bringing.user_id, left_out=kinds)
        change_file(key, lambda _text: kept, change, standing.version)
    return Outcome(brought.path, verdict, length=len(kept), left_out=tuple(kinds))


def is_newer(standing: ProfileFile, seen: int | None) -> bool:
    if seen is None or standing.pk is None:
        return False
    return standing.revisions.filter(pk__gt=seen).exists()

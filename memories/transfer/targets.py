"""Into whose memory, and of which agent, an entry goes; agents and types that are missing are made.

A plain person's import writes to their own memory alone, whatever the file says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4, uuid5

from django.db.models import Q
from django.utils import translation

from memories.languages import as_agent_language
from memories.models import Agent, Import, MemoryRevision, MemoryType, ProfileRevision
from memories.profiles.editing import ProfileChange
from memories.profiles.souls import give_soul, put_soul
from memories.starting import make_agent
from memories.transfer.entries import EntryError, Record
from memories.transfer.records import read_agent, read_agent_soul, read_new_type, read_type, read_uid
from xiajiao.models import User

MOST_NEW = {"agents": 200, "types": 50}
DATES = ("created_at", "updated_at")


def uid_for(uid: UUID, person_id: int) -> UUID:
    """Of a copy for this person, where the uid itself is taken by something that is not theirs."""
    return uuid5(uid, str(person_id))


def uid_of_copy(uid: UUID, person_id: int | None, agent_id: int | None) -> UUID:
    """The same for a memory: of one that everybody is told, each agent has a copy of its own."""
    return uuid5(uid, f"shared {agent_id}") if person_id is None else uid_for(uid, person_id)


@dataclass(frozen=True)
class Target:
    """`agent` is None where it is to be made: then `made` says under which name."""

    agent: Agent | None
    person_id: int | None
    made: str = ""

    @property
    def belongs_to(self) -> tuple[int | None, int | None]:
        """Person and agent."""
        return self.person_id, self.agent.pk if self.agent else None

    @property
    def place(self) -> tuple[int | str, int | None]:
        """Names one agent's memories of one person, those of an agent to come too."""
        return (self.agent.pk if self.agent else self.made), self.person_id


class Targets:
    """Of one import. `may_make`: whether it is written; a dry run only notes what would be made."""

    def __init__(self, job: Import, may_make: bool) -> None:
        self.job = job
        self.importer: User = job.user
        self.may_make = may_make
        self.agents: dict[str, Agent | None] = {}
        self.types: dict[str, int] = dict(MemoryType.objects.values_list("key", "pk"))
        self.people: dict[str, int | None] = {}
        self.offered: dict[str, Record] = {}
        self.made: dict[str, list[str]] = {"agents": [], "types": [], **job.makes}

    def learn(self, record: Record) -> None:
        """An agent or a type that memories further on may need. Raises EntryError where it can't be one."""
        if record.kind == "agent":
            self.offered[f"agent {read_agent(record.values)['uid']}"] = record
        elif record.kind == "type":
            self.offered[f"type {read_type(record.values)['key']}"] = record

    def of_record(self, values: dict[str, Any]) -> Target:
        """Of a memory in our own format. Raises EntryError."""
        name = values.get("user")
        if name is not None and not isinstance(name, str):
            raise EntryError("wrong_type", column="user")
        person_id = None if name is None else self.find_person(name)
        agent = self.job.agent or self.find_agent(read_uid(values, "agent"))
        owner_id = agent.owner_id if agent else self.importer.pk
        if person_id is None and not self.importer.is_staff and owner_id != self.importer.pk:
            raise EntryError("shared_agent")
        made = "" if agent else f"agent {values['agent']}"
        return Target(agent, person_id, made)

    def of_names(self, agent: str, person: str) -> Target:
        """Of another system's memory. Raises EntryError."""
        person_id = self.find_person(person)
        if self.job.agent is not None:
            return Target(self.job.agent, person_id)
        if not agent:
            raise EntryError("no_agent")
        found = self.find_named_agent(agent, person_id)
        return Target(found, person_id, "" if found else agent)

    def find_person(self, name: str) -> int:
        """Raises EntryError where the file decides and names nobody."""
        if not self.importer.is_staff:
            return self.importer.pk
        if self.job.person_id is not None:
            return self.job.person_id
        if name not in self.people:
            self.people[name] = User.objects.filter(username=name).values_list("pk", flat=True).first()
        found = self.people[name]
        if found is None:
            raise EntryError("unknown_person", name=name[:60])
        return found

    def find_agent(self, uid: UUID) -> Agent | None:
        """By uid; made from the file's own line where it is missing. Raises EntryError."""
        key = str(uid)
        if key not in self.agents:
            copy = uid_for(uid, self.importer.pk)
            usable = Agent.objects.all() if self.importer.is_staff else Agent.objects.for_user(self.importer)
            found = usable.filter(uid=uid).first() or usable.filter(uid=copy, owner=self.importer).first()
            if found is None and f"agent {uid}" not in self.offered:
                raise EntryError("no_agent")
            self.agents[key] = found or self.make_agent(uid, self.offered[f"agent {uid}"])
        return self.agents[key]

    def make_agent(self, uid: UUID, record: Record) -> Agent | None:
        columns, soul = read_agent(record.values), read_agent_soul(record.values)
        self.note("agents", columns["name"])
        if not self.may_make:
            return None
        wished = (uid, uid_for(uid, self.importer.pk))
        taken = Agent.objects.filter(uid__in=wished).values_list("uid", flat=True)
        columns["uid"] = next((each for each in wished if each not in set(taken)), uuid4())
        dates = {name: columns.pop(name) for name in DATES if columns.get(name)}
        owner = self.find_owner(record.values.get("owner"))
        # Somebody else's agent, which they shared, is not shared by whoever has a file of it.
        columns["is_shared"] &= record.values.get("owner") == owner.get_username()
        agent = Agent.objects.create(owner=owner, **columns)
        Agent.objects.filter(pk=agent.pk).update(**dates)
        if soul is None:
            give_soul(agent)
        else:
            put_soul(agent, soul, ProfileChange(ProfileRevision.Action.IMPORTED, MemoryRevision.Actor.IMPORT))
        return agent

    def make_offered(self) -> None:
        """The agents of the file that no memory has asked for; unless all goes into one."""
        if self.job.agent is not None:
            return
        try:
            for key in [key for key in self.offered if key.startswith("agent ")]:
                self.find_agent(UUID(key.removeprefix("agent ")))
        except EntryError:
            return

    def find_owner(self, name: Any) -> User:
        """The person who imports; staff give an agent back to whom it belonged, where that person is here."""
        if self.importer.is_staff and self.job.person_id is None and isinstance(name, str):
            return User.objects.filter(username=name).first() or self.importer
        if self.importer.is_staff and self.job.person is not None:
            return self.job.person
        return self.importer

    def find_named_agent(self, name: str, person_id: int) -> Agent | None:
        key = f"{person_id} {name}"
        if key not in self.agents:
            person = User.objects.get(pk=person_id)
            rows = Agent.objects.for_user(person).filter(Q(name__iexact=name) | Q(name=name))
            own_first = sorted(rows, key=lambda agent: (agent.owner_id != person_id, agent.is_archived, agent.pk))
            self.agents[key] = own_first[0] if own_first else self.make_named_agent(name, person)
        return self.agents[key]

    def make_named_agent(self, name: str, owner: User) -> Agent | None:
        self.note("agents", name)
        if not self.may_make:
            return None
        language = as_agent_language(owner.language or translation.get_language() or "")
        return make_agent(owner, name, language)

    def find_type(self, key: Any) -> int | None:
        """None where a dry run would make it. Raises EntryError where there is none and the file has none.

        Types are everybody's: staff alone bring new ones.
        """
        if not isinstance(key, str):
            raise EntryError("wrong_type", column="type")
        if key in self.types:
            return self.types[key]
        record = self.offered.get(f"type {key}")
        if record is None:
            raise EntryError("unknown_choice", column="type", value=key[:60])
        if not self.importer.is_staff:
            raise EntryError("type_of_staff", type=key[:60])
        columns = read_new_type(record.values)
        self.note("types", key)
        if not self.may_make:
            return None
        self.types[key] = MemoryType.objects.get_or_create(key=key, defaults=columns)[0].pk
        return self.types[key]

    def note(self, what: str, name: str) -> None:
        """Raises EntryError where a file would make more than any person needs."""
        if name in self.made[what]:
            return
        if len(self.made[what]) >= MOST_NEW[what]:
            raise EntryError("too_many_new")
        self.made[what].append(name)

"""What would go where a person has a topic forgotten, and what of it they ticked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from chat.forgetting.mentions import MOST, Mention, find_mentions
from chat.forgetting.proposing import read_topic
from chat.models import Forgetting
from memories.models import Memory, ProfileFile
from memories.profiles.places import find_sayings
from memories.topics import NEAR, Related, Subject, find_subject, read
from xiajiao.models import User
from xiajiao.places import Forgotten, Kind

MOST_FILES = 20


@dataclass(frozen=True)
class FileMention:
    """A profile file, and its sentences that say it."""

    file: ProfileFile
    sentences: Sequence[str]


@dataclass(frozen=True)
class Preview:
    """`chosen`: memories that are ticked at first, those that hold the words or that an agent named. `files`: what
    agents' files say of it, at most `MOST_FILES` of `file_count`; they go and stay together."""

    topic: str
    related: Sequence[Related]
    chosen: Collection[int]
    mentions: Sequence[Mention]
    more: int = 0
    more_mentions: int = 0
    agent_id: int | None = None
    files: Sequence[FileMention] = ()
    file_count: int = 0

    @property
    def is_empty(self) -> bool:
        return not self.related and not self.mentions and not self.files

    @property
    def more_files(self) -> int:
        return self.file_count - len(self.files)


@dataclass(frozen=True)
class Choice:
    """What the person ticked; `left`: so many messages that say it and were not. `spares_files`: files say it, and are
    not ticked; where none says it by now, their history is gone through all the same."""

    memory_ids: Sequence[int]
    message_ids: Sequence[int]
    left: int = 0
    has_files: bool = False
    spares_files: bool = False

    @property
    def is_empty(self) -> bool:
        return not self.memory_ids and not self.message_ids and not self.has_files


def preview_topic(user: User, topic: str, agent_id: int | None = None) -> Preview:
    subject = find_subject(user, topic, agent_id)
    return show(user, topic, subject, set(subject.exact_ids), agent_id)


def preview_proposal(forgetting: Forgetting) -> Preview:
    """What an agent proposed, and what else is about it with the same agent."""
    topic = read_topic(forgetting)
    answer = forgetting.answer
    agent_id = answer.conversation.agent_id if answer else forgetting.agent_number
    subject = find_subject(forgetting.user, topic, agent_id)
    known = {each.memory.pk for each in subject.related}
    named = [pk for pk in forgetting.memory_ids if pk not in known]
    others = [Related(memory, NEAR) for memory in read(named)]
    whole = Subject([*others, *subject.related], subject.exact_ids)
    return show(forgetting.user, topic, whole, {*forgetting.memory_ids, *subject.exact_ids}, agent_id)


def show(user: User, topic: str, subject: Subject, chosen: Collection[int], agent_id: int | None) -> Preview:
    mentions = find_mentions([each.memory for each in subject.related], user.pk, topic)
    more = max(0, len(mentions) - MOST)
    told = Forgotten(0, agent_id or 0, user.pk, (topic,), kind=Kind.TOPIC)
    files = [FileMention(file, sentences) for file, sentences in find_sayings(told)] if topic else []
    shown = files[:MOST_FILES]
    return Preview(topic, subject.related, chosen, mentions[:MOST], subject.more, more, agent_id, shown, len(files))


def choose(user: User, preview: Preview, ticked: Callable[[str], Collection[str]]) -> Choice:
    """`ticked` reads the values of the form's boxes of that name: `memory`, `message`, `all_memories`, `all_messages`,
    `files`."""
    memory_ids = read_numbers(ticked("memory"))
    if ticked("all_memories"):
        memory_ids |= set(find_subject(user, preview.topic, preview.agent_id).exact_ids)
    memories = list(Memory.objects.editable_by(user).select_related("agent").filter(pk__in=memory_ids))
    said = {mention.message.pk for mention in find_mentions(memories, user.pk, preview.topic)}
    offered = {mention.message.pk for mention in preview.mentions} | said
    message_ids = said if ticked("all_messages") else read_numbers(ticked("message")) & offered
    chosen = sorted(memory.pk for memory in memories)
    has_files = bool(preview.files and ticked("files"))
    spares_files = bool(preview.files) and not has_files
    return Choice(chosen, sorted(message_ids), len(said - message_ids), has_files, spares_files)


def read_numbers(values: Collection[str]) -> set[int]:
    return {int(value) for value in values if value.isascii() and value.isdecimal() and len(value) < 19}

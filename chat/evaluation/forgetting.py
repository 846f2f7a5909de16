"""Plant facts by every door, forget them, look for what is left of them, and play the old conversations again."""

from __future__ import annotations

import json
from collections.abc import Sequence

from chat.evaluation.facts import Fact, make_facts
from chat.evaluation.household import Installation, move_in
from chat.evaluation.learning import extract_all_again
from chat.evaluation.planting import OldCall, plant, record_calls
from chat.evaluation.residues import search_files, search_tables
from chat.forgetting.mentions import find_mentions
from chat.forgetting.previews import choose, preview_topic
from chat.forgetting.running import Topic, begin, claim
from chat.forgetting.running import run as carry_on
from chat.models import ExtractionJob, Forgetting, Message
from chat.toolbox import run_call
from memories.gate import Draft, Origin, write
from memories.indexing import find_vectors
from memories.models import Memory, MemoryRevision, ProfileFile
from memories.places import find_wordings
from memories.profiles.tools import PROFILE_TOOLS
from memories.tombstones import ForgottenError, tidy_tombstones
from memories.tools import MEMORY_TOOLS
from xiajiao.evaluation.registry import Evaluation, Options, Report, register
from xiajiao.evaluation.scratch import own_broker
from xiajiao.llm.base import RequestedCall
from xiajiao.places import all_places
from xiajiao.tools import Scope

FACTS = 50
# At first forgotten without their messages, in order to see that exactly those remain.
UNTICKED = 6
MESSAGES = ("chat_message.content", "chat_conversation.title", "xiajiao_indexedtext.", "xiajiao_fulltext_")
SEEN = 48  # bytes of a vector by which it is known again


def evaluate_forgetting(count: int = FACTS) -> Report:
    """Writes into the database that is set up, which should be an empty one."""
    facts = make_facts(count)
    here = move_in()
    plant(here, facts)
    calls, memories = record_calls(here), find_planted(here, facts)
    traces = [trace for fact in facts for trace in fact.traces]
    found = sum(is_known(here, fact) for fact in facts)
    planted = measure(traces)
    vectors = [vector.tobytes()[:SEEN] for memory in memories for vector in find_vectors(memory)]
    unticked = forget_unticked(here, facts[:UNTICKED])
    messages = forget_all(here, facts)
    tidy_tombstones(is_thorough=True)
    left = measure([*traces, *vectors])
    return {
        "facts": len(facts),
        "doors": {door: len(through) for door, through in here.planted.items()},
        "memories": len(memories),
        "facts_planted": found,
        "vectors": len(vectors),
        "unticked": unticked,
        "messages_removed": messages,
        "places": [place.key for place in all_places()],
        "planted": planted,
        "residues": left,
        "residue_count": sum(left["tables"].values()) + sum(left["files"].values()),
        "replayed": len(calls) + len(facts),
        "came_back": replay(here, facts, calls) + extract_again(here, facts),
        "extracted_again": extract_all_again(here),
        "extracted_back": count_known(here, facts),
        "said_anew": say_anew(here, facts[0]),
    }


def find_planted(here: Installation, facts: Sequence[Fact]) -> list[Memory]:
    rows = Memory.objects.filter(user=here.user).select_related("agent").order_by("pk")
    return [memory for memory in rows if any(tells(memory, fact) for fact in facts)]


def is_known(here: Installation, fact: Fact) -> bool:
    """In a memory, in one of the files, or in what an extraction left to be looked at."""
    files = ProfileFile.objects.filter(user=here.user, text__contains=fact.marker)
    jobs = ExtractionJob.objects.filter(conversation__user=here.user, raw_reply__contains=json.dumps(fact.marker)[1:-1])
    return bool(find_planted(here, [fact])) or files.exists() or jobs.exists()


def count_known(here: Installation, facts: Sequence[Fact]) -> int:
    return sum(is_known(here, fact) for fact in facts)


def tells(memory: Memory, fact: Fact) -> bool:
    texts = [*find_wordings(memory), memory.title, memory.description, memory.quote, str(memory.metadata)]
    return any(fact.marker in text for text in texts)


def measure(traces: Sequence[bytes]) -> Report:
    tables, table_count = search_tables(traces)
    files, file_count = search_files(traces)
    return {"tables": tables, "files": files, "tables_searched": table_count, "files_searched": file_count}


def forget_unticked(here: Installation, facts: Sequence[Fact]) -> Report:
    """The memories alone: how many messages that changed, and what holds traces beside messages, titles and their
    index."""
    before = read_messages(here)
    for fact in facts:
        forget_topic(here, fact, messages=[])
    tables, _count = search_tables([trace for fact in facts for trace in fact.traces])
    elsewhere = {place: count for place, count in tables.items() if not place.startswith(MESSAGES)}
    changed = sum(text != before[pk] for pk, text in read_messages(here).items())
    return {"facts": len(facts), "messages": len(before), "messages_changed": changed, "elsewhere": elsewhere}


def read_messages(here: Installation) -> dict[int, str]:
    return dict(Message.objects.filter(conversation__user=here.user).values_list("pk", "content"))


def forget_all(here: Installation, facts: Sequence[Fact]) -> int:
    """By what they are about and one memory at a time, in turn, with all messages ticked; how many messages went."""
    count = 0
    for number, fact in enumerate(facts):
        is_topic = number < UNTICKED or number // 2 % 2
        count += forget_topic(here, fact) if is_topic else forget_one_by_one(here, fact)
    return count


def forget_topic(here: Installation, fact: Fact, messages: Sequence[str] = ("all_messages",)) -> int:
    preview = preview_topic(here.user, fact.marker)
    ticked = {"memory": [str(pk) for pk in preview.chosen], **{name: ["1"] for name in (*messages, "files")}}
    choice = choose(here.user, preview, lambda name: ticked.get(name, []))
    return carry_out(begin(here.user, choice.memory_ids, choice.message_ids, choice.left, Topic(preview.topic)))


def forget_one_by_one(here: Installation, fact: Fact) -> int:
    if not find_planted(here, [fact]):
        # Merged with another fact, and gone with that; its messages are still there.
        return forget_topic(here, fact)
    count = 0
    while memories := find_planted(here, [fact]):
        mentions = find_mentions(memories[:1], here.user.pk)
        count += carry_out(begin(here.user, [memories[0].pk], [mention.message.pk for mention in mentions]))
    return count


def carry_out(forgetting: Forgetting) -> int:
    """How many messages went."""
    if claimed := claim(forgetting.pk):
        carry_on(claimed)
    return int(Forgetting.objects.get(pk=forgetting.pk).removed["messages"])


def replay(here: Installation, facts: Sequence[Fact], calls: Sequence[OldCall]) -> int:
    """The calls as they were made, in the turns in which they were made; how many facts that brought back."""
    for call in calls:
        scope = Scope(
            here.agent.pk, here.user.pk, call.conversation_id, call.answer_id, call.message_id, heard=call.heard
        )
        run_call(scope, [*MEMORY_TOOLS, *PROFILE_TOOLS], RequestedCall("replayed", call.name, call.arguments))
    return count_known(here, facts)


def extract_again(here: Installation, facts: Sequence[Fact]) -> int:
    """What reads old messages later and words them in its own way; how many facts that brought back."""
    messages = list(Message.objects.filter(conversation__user=here.user).order_by("pk").values_list("pk", flat=True))
    origin = Origin(MemoryRevision.Actor.EXTRACTION, Memory.Source.EXTRACTION, None, None, messages[:3])
    for fact in facts:
        for content in (fact.kept, fact.said, f"{fact.kept}！"):
            try:
                write(here.agent, here.user.pk, Draft(content), origin)
            except ForgottenError:
                continue
    return count_known(here, facts)


def say_anew(here: Installation, fact: Fact) -> int:
    """What the person says in a new message is remembered again."""
    here.say(fact.said)
    return len(find_planted(here, [fact]))


def run(options: Options) -> Report:
    with own_broker():
        return evaluate_forgetting()


def write_report(report: Report) -> str:
    left, unticked = report["residues"], report["unticked"]
    lines = [
        f"planted: {report['facts_planted']} of {report['facts']} facts by {len(report['doors'])} doors,"
        f" {report['memories']} memories",
        f"forgotten: with {report['messages_removed']} messages, from {len(report['places'])} kinds of places",
        f"without their messages: {unticked['facts']} facts, {unticked['messages_changed']} of {unticked['messages']}"
        f" messages changed, {sum(unticked['elsewhere'].values())} residues elsewhere",
        f"searched: {left['tables_searched']} tables, {left['files_searched']} files",
        f"residues: {report['residue_count']}",
        *(f"  {place}: {count}" for place, count in {**left["tables"], **left["files"]}.items()),
        f"came back by {report['replayed']} replays: {report['came_back']},"
        f" by {report['extracted_again']} extractions: {report['extracted_back']}",
        f"remembered when said anew: {report['said_anew']}",
    ]
    return "\n".join(lines)


def is_good(report: Report) -> bool:
    is_planted = report["facts_planted"] == report["facts"]
    are_messages_kept = not report["unticked"]["messages_changed"] and not report["unticked"]["elsewhere"]
    return (
        is_planted
        and are_messages_kept
        and not report["residue_count"]
        and not report["came_back"]
        and not report["extracted_back"]
        and bool(report["said_anew"])
    )


register(Evaluation("forget", "whether anything is left of what was forgotten", run, write_report, is_good))

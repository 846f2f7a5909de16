"""The memory tools that a model may call; they act for the scope's person and agent alone."""

# The parameters are the model's, and their number is what it needs.
# ruff: noqa: PLR0913

from __future__ import annotations

from typing import Any

from django.db.models import Q

from memories.acting import origin_of
from memories.approval.asking import ask_to_delete, ask_to_edit, ask_to_remember, make_offer
from memories.approval.telling import say_asked
from memories.arguments import list_types, read_count, read_id, read_kind, read_metadata, read_tags
from memories.changes import StaleError, delete, edit
from memories.creating import find_type
from memories.drafts import Draft, DraftError
from memories.gate import write
from memories.models import Agent, Memory, MemoryRevision
from memories.models.memories import MemoryQuerySet
from memories.phrasing import in_third_person
from memories.quoting import find_quote
from memories.redaction import redact_fields
from memories.results import describe, say_decision, say_left_out
from memories.search import Query, search_memories, visible
from memories.stats import as_lines, count_memories
from memories.tombstones import check_edit
from memories.topics import find_subject, read_topic
from xiajiao.embeddings.deadline import embed_in_time
from xiajiao.models import User
from xiajiao.tools import Effect, Proposal, Scope, ToolError, tool

ANY = 10**9
# Of what an agent proposes to forget, so many are told to it; the person sees all.
SHOWN = 20


@tool("memory_save")
def memory_write(
    scope: Scope,
    content: str,
    category: str = "",
    type: str = "",
    title: str = "",
    tags: list[str] | str = "",
    metadata: dict[str, Any] | str = "",
) -> str:
    """Keep one fact, event or way of doing things for later conversations.

    content: one to three sentences that stand alone, in the third person and in the user's language.
    category: semantic (facts and knowledge), episodic (what happened) or procedural (how the user wants things done).
    type: what it is about, a key of memory_list_types (user, project, feedback, reference, …).
    What is known already is recognised: write without searching first.
    """
    category, chosen = read_kind(category, type)
    draft = Draft(
        content=content,
        category=category or (chosen.default_category if chosen else Memory.Category.SEMANTIC),
        type_key=chosen.key if chosen else "feedback" if category == Memory.Category.PROCEDURAL else "user",
        title=title,
        tags=read_tags(tags or []),
        metadata=read_metadata(metadata or {}),
        quote=find_quote(content, scope.heard),
    )
    agent = Agent.objects.get(pk=scope.agent_id)
    try:
        if agent.asks_before_writing:
            offer = make_offer(agent, scope.user_id, draft, origin_of(scope))
            return say_asked(ask_to_remember(offer), offer.draft.about_secrets.get("left_out", ()))
        decision = write(agent, scope.user_id, draft, origin_of(scope))
    except DraftError as error:
        raise ToolError(str(error)) from None
    scope.effects.append(Effect(decision.action, decision.memory.pk, decision.memory.content))
    return say_decision(decision)


@tool("memory_recall")
def memory_search(
    scope: Scope,
    query: str = "",
    category: str = "",
    type: str = "",
    top_k: int | str = 10,
    id: int | str = "",
    page: int | str = 1,
) -> str:
    """Find what is remembered of this user, by meaning and by words.

    Without a query it lists everything, newest first; page goes on. category and type narrow it down.
    id: shows one memory in full, exactly that one.
    """
    agent = Agent.objects.get(pk=scope.agent_id)
    if str(id).strip():
        return describe(find_memory(scope, id), in_full=True)
    category, chosen = read_kind(category, type)
    only = Q(category=category) if category else Q()
    only &= Q(type__key=chosen.key) if chosen else Q()
    size = read_count(top_k, "top_k")
    if not query.strip():
        return list_memories(visible(agent, scope.user_id).active().filter(only), size, read_count(page, "page", ANY))
    query = in_third_person(query)
    vectors = embed_in_time([query]).vectors
    asked = Query(query, vectors[0] if vectors else None, is_explicit=True)
    found = search_memories(agent, scope.user_id, asked, size, only)
    if not found:
        return "Nothing that fits is remembered. An empty query lists everything."
    return "\n".join(describe(each.memory, each.score) for each in found)


@tool()
def memory_update(
    scope: Scope,
    id: int | str,
    content: str = "",
    category: str = "",
    type: str = "",
    title: str = "",
    tags: list[str] | str = "",
    metadata: dict[str, Any] | str = "",
) -> str:
    """Correct a memory; what is not given stays. The former text is kept in its history.

    id: its number, as memory_search shows it (12 or M12).
    """
    memory = find_own(scope, id)
    category, chosen = read_kind(category, type)
    given: dict[str, Any] = {"content": content, "category": category, "title": title}
    given |= {"tags": read_tags(tags or []), "metadata": read_metadata(metadata or {})}
    columns = {name: value for name, value in given.items() if value}
    if not columns and chosen is None:
        raise ToolError("memory_update needs something to change: content, category, type, title, tags or metadata.")
    try:
        if chosen is not None:
            columns["type"] = find_type(chosen.key)
        redacted = redact_fields(columns, memory.agent, origin_of(scope))
        if content:
            check_edit(memory, columns["content"], origin_of(scope))
        if memory.agent.asks_before_writing:
            return say_asked(ask_to_edit(memory, redacted.fields, origin_of(scope)), redacted.left_out)
        memory = edit(memory, columns, origin_of(scope), memory.version)
    except DraftError as error:
        raise ToolError(str(error)) from None
    except StaleError as error:
        raise ToolError(f"It has just changed; it says now: {describe(error.current, in_full=True)}") from None
    scope.effects.append(Effect(MemoryRevision.Action.EDITED, memory.pk, memory.content))
    return "\n".join([f"Updated: {describe(memory)}", *say_left_out(redacted.left_out)])


@tool()
def memory_delete(scope: Scope, id: int | str) -> str:
    """Forget a memory, when the user asks for it. The user can bring it back for a while.

    id: its number, as memory_search shows it (12 or M12).
    """
    memory = find_own(scope, id, include_deleted=True)
    if memory.deleted_at is not None:
        return f"[M{memory.pk}] is deleted already."
    if memory.agent.asks_before_writing:
        return say_asked(ask_to_delete(memory, origin_of(scope)))
    memory = delete(memory, origin_of(scope))
    scope.effects.append(Effect(MemoryRevision.Action.DELETED, memory.pk, memory.content))
    return f"Deleted: {describe(memory)}"


@tool()
def memory_forget(scope: Scope, about: str, ids: list[str] | str = "") -> str:
    """Propose to forget everything about something for good, when the user asks for that.

    The user sees the list under your answer and confirms it there; nothing goes before that.
    about: what it is about, in the user's own words, as short as it can be: "Milo".
    ids: numbers of further memories that belong to it, as memory_search shows them.
    """
    named = [find_own(scope, number) for number in read_tags(ids)]
    found = find_subject(User.objects.get(pk=scope.user_id), read_topic(about), scope.agent_id)
    memories = {memory.pk: memory for memory in [*named, *(each.memory for each in found.related if each.is_exact)]}
    if not memories:
        raise ToolError("No memory holds these words. Look with memory_search, then give the numbers as ids.")
    scope.proposals.append(Proposal(read_topic(about), tuple(memories)))
    shown = [describe(memory) for memory in list(memories.values())[:SHOWN]]
    return "\n".join([f"The user is asked to confirm that {len(memories)} memories go for good:", *shown])


@tool()
def memory_list_types(scope: Scope) -> str:
    """List what a memory may be about, for the argument `type` of memory_write."""
    return "\n".join(map(str, list_types()))


@tool()
def memory_stats(scope: Scope) -> str:
    """How many memories of this user there are, by category and by type."""
    rows = visible(Agent.objects.get(pk=scope.agent_id), scope.user_id).active()
    return "\n".join(as_lines(count_memories([rows])))


MEMORY_TOOLS = [
    memory_write,
    memory_search,
    memory_update,
    memory_delete,
    memory_forget,
    memory_list_types,
    memory_stats,
]


def find_memory(scope: Scope, id: Any, include_deleted: bool = False) -> Memory:
    """Raises ToolError for what is not this person's: another's memory is as good as none."""
    number = read_id(id)
    rows: MemoryQuerySet = visible(Agent.objects.get(pk=scope.agent_id), scope.user_id)
    rows = rows if include_deleted else rows.kept()
    memory = rows.select_related("agent", "type").filter(pk=number).first()
    if memory is None:
        raise ToolError(f"There is no memory {number}. memory_search shows the numbers of those that exist.")
    return memory


def find_own(scope: Scope, id: Any, include_deleted: bool = False) -> Memory:
    memory = find_memory(scope, id, include_deleted)
    if memory.user_id is None:
        raise ToolError(f"Memory {memory.pk} is shared by all users of this agent; only its owner changes it, by hand.")
    return memory


def list_memories(rows: MemoryQuerySet, size: int, page: int) -> str:
    total = rows.count()
    if not total:
        return "Nothing is remembered yet."
    pages = -(-total // size)
    if page > pages:
        raise ToolError(f"There are {pages} pages.")
    shown = rows.select_related("type").order_by("-updated_at", "-pk")[(page - 1) * size : page * size]
    lines = [describe(memory) for memory in shown]
    if page < pages:
        lines.append(f"Page {page} of {pages}, {total} memories in all; page={page + 1} goes on.")
    return "\n".join(lines)

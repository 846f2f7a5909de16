"""`forget`: a preview, and with `--yes` the receipt."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandError

from memories.forgetting import Proposal, Receipt, get_forgetter
from memories.terminal.choosing import find_agent, read_number
from memories.terminal.looking import describe, write_line
from xiajiao.terminal import find_user


def forget(options: dict[str, Any]) -> Iterator[str]:
    """By words or by numbers, of what is this person's. Raises CommandError."""
    forgetter = get_forgetter()
    if forgetter is None:
        raise CommandError("Nothing here knows how to forget.")
    user = find_user(options["user"])
    agent_id = find_agent(options["agent"]).pk if options["agent"] else None
    numbers = [number for word in options["words"] if (number := read_number(word)) is not None]
    topic = "" if len(numbers) == len(options["words"]) else " ".join(options["words"])
    proposal = forgetter.propose(user, topic, [] if topic else numbers, agent_id)
    chosen = narrow(proposal, options)
    if not options["yes"]:
        yield from preview(chosen, options)
        return
    receipt = forgetter.forget(user, chosen, options["messages"])
    yield from write_receipt(receipt, options)


def narrow(proposal: Proposal, options: dict[str, Any]) -> Proposal:
    memories = [
        memory
        for memory in proposal.memories
        if options["category"] in {None, memory.category} and options["type"] in {None, memory.type.key}
    ]
    return Proposal(memories, proposal.message_ids, proposal.topic)


def preview(proposal: Proposal, options: dict[str, Any]) -> Iterator[str]:
    if options["json"]:
        memories = [describe(memory) for memory in proposal.memories]
        told = {"forgotten": False, "memories": memories, "messages": sorted(proposal.message_ids)}
        yield json.dumps(told, ensure_ascii=False)
        return
    yield from map(write_line, proposal.memories)
    yield f"{len(proposal.memories)} memories would be forgotten for good; {len(proposal.message_ids)} messages say it."
    yield "Nothing has been removed; --yes does, with --messages the texts of these messages too."


def write_receipt(receipt: Receipt, options: dict[str, Any]) -> Iterator[str]:
    if options["json"]:
        yield json.dumps({"forgotten": True, **vars(receipt)}, ensure_ascii=False, default=list)
        return
    yield from (f"{name}: {count}" for name, count in receipt.removed.items())
    if receipt.empty:
        yield f"Nothing was found in: {', '.join(receipt.empty)}."
    if receipt.messages_left:
        yield f"{receipt.messages_left} messages that say it stay as they are."
    yield f"Backups can't be reached from here ({receipt.backups} in the data folder), nor what was downloaded."

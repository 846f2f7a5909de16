"""A process of test_writers.py: writes the drafts of stdin (JSON) through the gate, one after another.

It says "ready" when its embedder is loaded and starts at the next line, so that all writers begin together.
"""

import json
import sys

from memories.gate import Draft, Origin, write
from memories.indexing import embed
from memories.models import Agent


def main(agent_id: str, user_id: str, number: str) -> None:
    agent = Agent.objects.get(pk=agent_id)
    embed("warm")
    print("ready", flush=True)
    contents = json.loads(sys.stdin.readline())
    for place, content in enumerate(contents):
        message_id = int(number) * 1000 + place
        origin = Origin("agent", "tool", int(user_id), message_ids=[message_id])
        decision = write(agent, int(user_id), Draft(content), origin)
        print(json.dumps([decision.action, decision.memory.pk, content]), flush=True)

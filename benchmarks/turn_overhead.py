"""The time that Xiajiao itself adds before the first token, beside the bare SDK against the same server.

    python -m benchmarks.turn_overhead [--turns 40] [--memories 5000] [--wait 0.0]

Measured in turns, so that both meet the same machine: the bare SDK; the turn alone, in this process; and the whole
way of a page, from sending the form until the first word stands in its stream. `--wait` is the model's own time.
"""

from __future__ import annotations

import argparse
import cProfile
import http.client
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from benchmarks.installation import Installation, percentile

QUESTIONS = ["What do I like to drink?", "我住在哪里？", "Which hobbies did I begin in Kyoto?", "我喜欢什么编程语言？"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=40)
    parser.add_argument("--memories", type=int, default=5_000)
    parser.add_argument("--wait", type=float, default=0.0, help="seconds that the model thinks before its first token")
    parser.add_argument("--profile", action="store_true", help="where the turn's own time goes")
    options = parser.parse_args()
    with Installation("--says", "One two three.", "--wait", str(options.wait)) as installation:
        from benchmarks.people import make_people

        cookie = make_people(1, options.memories)[0]
        ways: dict[str, Callable[[str], float]] = {
            "bare SDK": lambda question: time_sdk(installation.base_url, question),
            "the turn": time_turn,
            "the page": lambda question: time_page(installation.port, cookie, question),
        }
        for way in ways.values():
            way("Warm up, what do I like?")
        times: dict[str, list[float]] = {name: [] for name in ways}
        for number in range(options.turns):
            for name, way in ways.items():
                # Each question is new: a cached query vector would flatter.
                times[name].append(way(f"{QUESTIONS[number % len(QUESTIONS)]} ({name}, {number})"))
        report(times)
        if options.profile:
            cProfile.runctx("time_turn('And what else do I like?')", globals(), {}, sort="cumulative")


def time_sdk(base_url: str, question: str) -> float:
    from openai import OpenAI

    client = sdk_clients.setdefault(base_url, OpenAI(base_url=base_url, api_key="sk-bench", max_retries=0))
    began = time.perf_counter()
    asked = [{"role": "user", "content": question}]
    stream = client.chat.completions.create(model="stub-model", messages=asked, stream=True)
    for chunk in stream:
        if chunk.choices and chunk.choices[0].delta.content:
            took = time.perf_counter() - began
            break
    stream.close()
    return took


sdk_clients: dict[str, Any] = {}


def time_turn(question: str) -> float:
    from chat.models import Message
    from chat.sending import start_conversation
    from chat.turns import run_turn
    from memories.models import Agent
    from xiajiao.llm.base import TextDelta

    agent = Agent.objects.get()
    sent = start_conversation(agent.owner, agent, question)
    related = ("conversation__agent__provider", "conversation__user", "parent")
    answer = Message.objects.select_related(*related).get(pk=sent.answer.pk)
    began, took = time.perf_counter(), 0.0
    for event in run_turn(answer):
        if isinstance(event, TextDelta) and not took:
            took = time.perf_counter() - began
    return took


def time_page(port: int, cookie: str, question: str) -> float:
    from chat.models import Message

    connection = http.client.HTTPConnection("127.0.0.1", port)
    headers = {"Cookie": cookie, "X-CSRFToken": "a" * 32, "HX-Request": "true", "Host": "localhost"}
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    form = urlencode({"agent": 1, "text": question})
    began = time.perf_counter()
    connection.request("POST", "/conversations/new/", form, headers | kind)
    connection.getresponse().read()
    answer = Message.objects.order_by("pk").last()
    assert answer is not None
    connection.request("GET", f"/messages/{answer.pk}/stream/", headers=headers)
    for line in connection.getresponse():
        if b"One" in line:
            took = time.perf_counter() - began
            break
    connection.close()
    return took


def report(times: dict[str, list[float]]) -> None:
    bare = percentile(times["bare SDK"], 0.5)
    for name, values in times.items():
        middle, high = percentile(values, 0.5), percentile(values, 0.95)
        line = f"{name:10} first token after {1000 * middle:7.1f} ms (p50) {1000 * high:7.1f} ms (p95)"
        print(f"{line}  +{1000 * (middle - bare):6.1f} ms  × {middle / bare:5.1f}")


if __name__ == "__main__":
    main()

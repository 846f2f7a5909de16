"""Many conversations streaming at once: does every token arrive, in order, with none queued and no recall degraded?

    python -m benchmarks.streams [--conversations 50] [--rate 20] [--seconds 30]

The model, the broker, the web server and this client are processes of their own on one machine. The client follows
each answer as a page does, and at the end compares what the pages showed with what the model said.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from benchmarks.installation import Installation, percentile

TOPICS = ["travel", "cooking", "databases", "gardens", "music", "taxes", "running", "painting"]


@dataclass
class Follower:
    """One person at one page."""

    number: int
    cookie: str
    answer_id: int = 0
    sent_at: float = 0.0
    events: list[tuple[float, str]] = field(default_factory=list)
    has_closed: bool = False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--conversations", type=int, default=50)
    parser.add_argument("--rate", type=float, default=20.0, help="tokens a second in each")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--memories", type=int, default=20, help="of each agent")
    parser.add_argument("--cold", action="store_true", help="the server has answered nobody before")
    options = parser.parse_args()
    words = [f"w{number}" for number in range(int(options.rate * options.seconds))]
    text = " ".join(f"{word}\n\n" if number % 60 == 59 else word for number, word in enumerate(words))
    with Installation("--says", text, "--rate", str(options.rate)) as installation:
        from benchmarks.people import make_people

        people = options.conversations + (not options.cold)
        cookies = make_people(people, options.memories)
        followers = [Follower(number, cookie) for number, cookie in enumerate(cookies)]
        if not options.cold:
            asyncio.run(follow(installation.port, followers.pop(), until_words=True))
        web = installation.processes[-1].pid
        before = cpu_seconds(web)
        began = time.monotonic()
        asyncio.run(follow_all(installation.port, followers))
        took = time.monotonic() - began
        report(followers, words, took, cpu_seconds(web) - before)


async def follow_all(port: int, followers: list[Follower]) -> None:
    await asyncio.gather(*(follow(port, follower) for follower in followers))


async def follow(port: int, follower: Follower, until_words: bool = False) -> None:
    body = f"agent={follower.number + 1}&text=Tell+me+about+{TOPICS[follower.number % 8]}+number+{follower.number}"
    follower.sent_at = time.monotonic()
    await ask(port, "POST /conversations/new/ HTTP/1.1", follower.cookie, body)
    follower.answer_id = await asyncio.to_thread(find_answer, follower.number)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request(f"GET /messages/{follower.answer_id}/stream/ HTTP/1.1", follower.cookie))
    data: list[str] = []
    async for line in reader:
        text = line.decode().rstrip("\r\n")
        if text.startswith("event: turn-finished"):
            follower.has_closed = True
            break
        if text.startswith("data: "):
            data.append(text[6:])
        elif not text and data:
            follower.events.append((time.monotonic(), "\n".join(data)))
            if until_words and "w3" in data[0]:
                break
            data = []
    writer.close()


def find_answer(number: int) -> int:
    from django.db import connection

    from chat.models import Message

    try:
        return Message.objects.get(conversation__user__username=f"person{number}", role=Message.Role.ASSISTANT).pk
    finally:
        connection.close()


async def ask(port: int, line: str, cookie: str, body: str) -> str:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request(line, cookie, body))
    answer = (await reader.read()).decode()
    writer.close()
    return answer


def request(line: str, cookie: str, body: str = "") -> bytes:
    headers = [line, "Host: localhost", f"Cookie: {cookie}", "HX-Request: true", "X-CSRFToken: " + "a" * 32]
    headers += ["Connection: close", f"Content-Length: {len(body)}"]
    headers += ["Content-Type: application/x-www-form-urlencoded", "", body]
    return "\r\n".join(headers).encode()


def report(followers: list[Follower], words: list[str], took: float, cpu: float) -> None:
    from chat.models import Message

    answers = Message.objects.in_bulk([follower.answer_id for follower in followers])
    shown = [read_page(follower, words) for follower in followers]
    saved = sum(answer.content.split() == words for answer in answers.values())
    firsts = [page.first for page in shown]
    gaps = [gap for page in shown for gap in page.gaps]
    rows: dict[str, Any] = {
        "conversations": len(followers),
        "tokens each": len(words),
        "pages that showed all": sum(page.is_complete for page in shown),
        "answers saved whole": saved,
        "updates out of order": sum(page.disordered for page in shown),
        "waited for a thread": waited(list(answers.values())),
        "recall degraded": sum(bool(answer.recall_degraded) for answer in answers.values()),
        "statuses": sorted({str(answer.status) for answer in answers.values()}),
        "seconds": round(took, 1),
        "first words after (p50, max), s": show(percentile(firsts, 0.5), max(firsts)),
        "between updates (p50, p99, max), s": show(percentile(gaps, 0.5), percentile(gaps, 0.99), max(gaps)),
        "CPU of the web server": f"{cpu:.1f} s, {100 * cpu / took:.0f} % of a core",
    }
    for name, value in rows.items():
        print(f"{name:36} {value}")


@dataclass(frozen=True)
class Shown:
    """What one page showed; times in seconds."""

    first: float
    gaps: list[float]
    disordered: int
    is_complete: bool


def read_page(follower: Follower, words: list[str]) -> Shown:
    from tests.chat.pages import Page, read_count

    page, times, disordered = Page(), [], 0
    for at, data in follower.events:
        page.swap(data)
        disordered += page.words != words[: len(page.words)]
        if page.words:
            times.append(at)
    gaps = [later - earlier for earlier, later in pairwise(times)]
    is_complete = follower.has_closed and read_count(page.finished) == words
    return Shown(times[0] - follower.sent_at, gaps, disordered, is_complete)


def show(*values: float) -> str:
    return "  ".join(f"{value:.2f}" for value in values)


def waited(answers: list[Any]) -> int:
    """Answers that did not start within the second after they were committed."""
    return sum((answer.started_at - answer.created_at).total_seconds() > 1 for answer in answers)


def cpu_seconds(pid: int) -> float:
    import psutil

    times = psutil.Process(pid).cpu_times()
    return times.user + times.system


if __name__ == "__main__":
    main()

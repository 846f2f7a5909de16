"""The rounds of benchmarks/panel.py; Django is set up before this is imported."""

from __future__ import annotations

import argparse
import http.client
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any
from urllib.parse import urlencode

from django.db import connection
from django.utils import timezone

from benchmarks.installation import Installation
from benchmarks.panel import KEYWORDS, Question, list_questions
from benchmarks.people import sign_in
from memories.browsing import browse
from memories.cards import make_cards
from memories.counting import count_found
from memories.filtering import list_scopes, narrow, read_filter
from memories.models import Agent, MemoryType
from memories.paging import Place, read_paging
from xiajiao.models import User

NAIVE = "benchmark_naive"


@dataclass(frozen=True)
class Visitor:
    """Somebody signed in, with one connection to the server."""

    client: http.client.HTTPConnection
    cookie: str
    user: User

    def fetch(self, values: dict[str, str]) -> None:
        headers = {"Cookie": self.cookie, "Host": "localhost"}
        self.client.request("GET", f"/memories/?{urlencode(values)}", headers=headers)
        response = self.client.getresponse()
        page = response.read()
        assert response.status == 200, (response.status, values)
        assert b"memory-results" in page


def fill(installation: Installation, options: argparse.Namespace) -> None:
    """Once for a folder, with a copy of the table that has no index at all."""
    if not User.objects.filter(username="demo").exists():
        installation.manage(
            *("make_demo", "--memories", str(options.memories), "--agents", str(options.agents)),
            *("--vectors", options.vectors, "--until", "2026-11-30", "--yes"),
        )
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TABLE IF EXISTS {NAIVE}")
        cursor.execute(f"CREATE TABLE {NAIVE} AS SELECT * FROM memories_memory")


def measure(port: int, rounds: int) -> list[dict[str, Any]]:
    demo = User.objects.get(username="demo")
    staff, _is_new = User.objects.get_or_create(username="bench-staff", defaults={"is_staff": True})
    now = timezone.now().strftime("%Y-%m-%d %H:%M:%S")
    types = dict(MemoryType.objects.values_list("key", "pk"))
    questions = list_questions(now, Agent.objects.filter(owner=demo).order_by("pk")[3].pk, types)
    lines = []
    for who, user, person in (("own", demo, ""), ("all", staff, "all")):
        visitor = Visitor(http.client.HTTPConnection("127.0.0.1", port), sign_in(user), user)
        for question in questions:
            values = question.values | ({"person": person} if person else {})
            values |= find_place(user, question, values)
            times = [ask(visitor, question, values, number) for number in range(-2, rounds)][2:]
            figures = {name: 1000 * median(each[name] for each in times) for name in ("page", "ours", "naive")}
            lines.append({"who": who, "name": question.name} | figures)
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TABLE {NAIVE}")
    return lines


def find_place(user: User, question: Question, values: dict[str, str]) -> dict[str, str]:
    """Behind which row the page begins; asked for once, and not measured."""
    if not question.skipped:
        return {}
    wanted, order = read_filter(values, user), read_paging(values).order
    sign = "-" if order.is_descending else ""
    rows = narrow(list_scopes(user, wanted)[0], wanted).order_by(f"{sign}{order.column}", f"{sign}pk")
    [row] = rows[question.skipped - 1 : question.skipped]
    return {"after": str(Place(getattr(row, order.column), row.pk))}


def ask(visitor: Visitor, question: Question, values: dict[str, str], number: int) -> dict[str, float]:
    """Seconds of each way; in turns, so that all meet the same machine."""
    ways: dict[str, Callable[[dict[str, str]], object]] = {
        "page": visitor.fetch,
        "ours": lambda asked: look(visitor.user, asked),
        "naive": lambda asked: look_naively(visitor.user, question, asked),
    }
    times = {}
    for place, (name, way) in enumerate(ways.items()):
        asked = values
        if "q" in values:
            asked = values | {"q": f"{KEYWORDS[number % len(KEYWORDS)]} {number}{place}"}
        began = time.perf_counter()
        way(asked)
        times[name] = time.perf_counter() - began
    return times


def look(user: User, values: dict[str, str]) -> None:
    wanted, paging = read_filter(values, user), read_paging(values)
    page, cards = browse(user, wanted, paging), make_cards(user, wanted)
    count_found(user, wanted, page, cards)


def look_naively(user: User, question: Question, values: dict[str, str]) -> None:
    """One page, the number of all that match, and the cards."""
    whose = "TRUE" if values.get("person") else f"(user_id = {user.pk} OR user_id IS NULL)"
    where = f"deleted_at IS NULL AND {whose} AND {question.naive}"
    words: list[str] = []
    for word in values.get("q", "").split()[:-1]:
        where += " AND (content LIKE %s OR title LIKE %s)"
        words += [f"%{word}%"] * 2
    statements = [
        f"SELECT * FROM {NAIVE} WHERE {where} ORDER BY {question.order} LIMIT 50 OFFSET {question.skipped}",
        f"SELECT COUNT(*) FROM {NAIVE} WHERE {where}",
    ]
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement, words)
            cursor.fetchall()
        cursor.execute(
            f"SELECT agent_id, category, COUNT(*) FROM {NAIVE} WHERE deleted_at IS NULL AND {whose} AND enabled"
            " GROUP BY agent_id, category"
        )
        cursor.fetchall()

"""Eight processes write memories of one person at once, as web, workers and other programs do."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.db import connection

from memories.models import Agent, Memory, MemoryRevision
from memories.tallying import find_drifted
from tests.factories import make_agent
from xiajiao import fulltext
from xiajiao.vectorstores import get_store

pytestmark = pytest.mark.django_db(transaction=True)

PROCESSES = 8
ROOT = Path(__file__).parents[2]
WRITER = "import django, sys; django.setup(); from tests.memories.writer import main; main(*sys.argv[1:])"
# Everybody writes these, in an order of their own.
IDENTICAL = ["用户对花生过敏", "用户公司用 AWS", "The user's sister lives in Berlin", "回复要简洁"]
# Everybody writes one wording of each.
PARAPHRASES = [("用户喜欢 Python", "用户偏好 Python 语言"), ("The user likes dumplings", "The user loves dumplings")]


def distinct(process: int) -> list[str]:
    names = ["Alice", "Bob", "Carol", "David", "Erin", "Frank", "Grace", "Heidi"]
    return [
        f"用户的同事{names[process]}的工号是 {process}{process}7{process}9",
        f"The user's friend {names[process]} was born in {1970 + process}",
        f"机房第 {process + 1} 排的机柜温度是 {20 + process} 度",
    ]


def database_url() -> str:
    """Of the test's own database, for another process."""
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()


def run_writers(agent: Agent, shares: list[list[str]]) -> list[tuple[str, int, str]]:
    environment = os.environ | {"DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "xiajiao.settings"}
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(agent.pk), str(agent.owner_id), str(number)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        for number in range(len(shares))
    ]
    for writer in writers:
        assert writer.stdout is not None
        if writer.stdout.readline() != "ready\n":
            pytest.fail(writer.communicate()[1])
    for writer, share in zip(writers, shares, strict=True):
        assert writer.stdin is not None
        writer.stdin.write(json.dumps(share) + "\n")
        writer.stdin.flush()
    ends = [writer.communicate() for writer in writers]
    assert [error for _output, error in ends if "Error" in error] == []
    assert {writer.returncode for writer in writers} == {0}
    return [tuple(json.loads(line)) for output, _error in ends for line in output.splitlines()]


def test_eight_writers_at_once_make_no_twins_and_lose_nothing() -> None:
    agent, order = make_agent(), random.Random(7)
    shares = []
    for process in range(PROCESSES):
        share = [*IDENTICAL, *(pair[process % 2] for pair in PARAPHRASES), *distinct(process)]
        order.shuffle(share)
        shares.append(share)
    decisions = run_writers(agent, shares)

    assert len(decisions) == sum(map(len, shares))
    active = list(Memory.objects.active().values_list("content", flat=True))
    assert sorted(active) == sorted(set(active))
    assert {content for content in active if content in IDENTICAL} == set(IDENTICAL)
    assert [sum(content in pair for content in active) for pair in PARAPHRASES] == [1, 1]
    assert set(active) >= {fact for process in range(PROCESSES) for fact in distinct(process)}
    assert len(active) == len(IDENTICAL) + len(PARAPHRASES) + 3 * PROCESSES
    assert set(Memory.objects.filter(content__in=IDENTICAL).values_list("proof_count", flat=True)) == {PROCESSES}


def test_after_eight_writers_rows_indexes_and_revisions_agree() -> None:
    agent = make_agent()
    decisions = run_writers(agent, [[*IDENTICAL, *distinct(process)] for process in range(PROCESSES)])
    namespace = f"memories:{agent.pk}:{agent.owner_id}"
    rows = Memory.objects.all()

    assert not rows.filter(embedded_with="").exists()
    assert get_store().count(f"{namespace}@e5-384") == rows.count()
    assert all(fulltext.search([namespace], row.content, 1)[0].key == str(row.pk) for row in rows)
    # Each word that was said is still there: as a content, or as what a revision was offered.
    kept = set(rows.values_list("content", flat=True)) | set(MemoryRevision.objects.values_list("offered", flat=True))
    assert kept >= {content for _action, _pk, content in decisions}
    assert MemoryRevision.objects.count() == len(decisions)
    assert find_drifted() == []

"""The list of memories with 100,000 of them: what the server takes for a page, beside the same done naively.

    python -m benchmarks.panel --folder DIR [--memories 100000] [--rounds 15] [--vectors random] [--json]

The folder is filled by `make_demo` once and kept for the next run. `page` is the whole answer of the real server to a
real HTTP request (uvicorn, one connection, signed in; middleware, queries, template), as a person with some half of all
memories ("own") and as staff that look through everybody's ("all"). `ours` and `naive` are the queries of that page
alone, in this process, in turns: the naive ones ask a copy of the table without indexes, count all that match, count
for the cards, and skip what stands before the page by OFFSET. A keyword is another one in each round, so that no
vector of a query comes from the cache; the naive search is LIKE over all texts and knows no meaning.
"""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import dataclass
from typing import Any

DEEP = 400 * 50  # rows, of fifty on a page
KEYWORDS = [
    "green tea",
    "灯塔 登录页",
    "who fixed the search index",
    "喜欢吃什么",
    "Kubernetes in Lantern",
    "周报 风格",
]


@dataclass(frozen=True)
class Question:
    """One page. `naive`: its condition for the table without indexes; `order` likewise; `skipped` rows before it."""

    name: str
    values: dict[str, str]
    naive: str = "TRUE"
    order: str = "updated_at DESC, id DESC"
    skipped: int = 0


def list_questions(now: str, agent: int, types: dict[str, int]) -> list[Question]:
    """Over active memories, but for those of a state; `types` are ids by key."""
    active = f"enabled AND (valid_from IS NULL OR valid_from <= '{now}') AND (valid_to IS NULL OR valid_to > '{now}')"

    def tagged(tag: str) -> str:
        return f"{active} AND CAST(tags AS TEXT) LIKE '%\"{tag}\"%'"

    days = "created_at >= '2024-06-01' AND created_at < '2024-06-15'"
    return [
        Question("first page", {}, active),
        Question("next page, deep", {}, active, skipped=DEEP),
        Question("agent", {"agent": str(agent)}, f"{active} AND agent_id = {agent}"),
        Question("category", {"category": "procedural"}, f"{active} AND category = 'procedural'"),
        Question("type", {"type": "feedback"}, f"{active} AND type_id = {types['feedback']}"),
        Question("type, rare", {"type": "demo-promise"}, f"{active} AND type_id = {types['demo-promise']}"),
        Question("source", {"source": "api"}, f"{active} AND source = 'api'"),
        Question("replaced or over", {"state": "superseded"}, f"valid_to <= '{now}'"),
        Question("switched off, rare", {"state": "disabled"}, "NOT enabled"),
        Question("tag", {"tag": "food"}, tagged("food")),
        Question("tag, rare", {"tag": "kumquat"}, tagged("kumquat")),
        Question("days far back", {"created_from": "2024-06-01", "created_to": "2024-06-14"}, f"{active} AND {days}"),
        Question(
            "category, type and tag",
            {"category": "semantic", "type": "project", "tag": "team"},
            f"{tagged('team')} AND category = 'semantic' AND type_id = {types['project']}",
        ),
        Question("by title", {"sort": "title"}, active, "title_key, id"),
        Question("by title, deep", {"sort": "title"}, active, "title_key, id", DEEP),
        Question("by importance", {"sort": "-importance"}, active, "importance DESC, id DESC"),
        Question("by times recalled", {"sort": "-recalls"}, active, "recall_count DESC, id DESC"),
        Question("by last recalled", {"sort": "-recalled"}, active, "last_recalled_at IS NULL, last_recalled_at DESC"),
        Question(
            "by created, rare type",
            {"sort": "created", "type": "demo-promise"},
            f"{active} AND type_id = {types['demo-promise']}",
            "created_at, id",
        ),
        Question("keyword", {"q": ""}, active),
        Question("keyword, category", {"q": "", "category": "episodic"}, f"{active} AND category = 'episodic'"),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", required=True, help="kept from one run to the next")
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--agents", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--vectors", choices=["random", "real", "none"], default="random")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    os.environ["XJ_BENCH_FOLDER"] = options.folder
    from benchmarks.installation import Installation

    with Installation("--says", "One.") as installation:
        from benchmarks.panel_rounds import fill, measure

        fill(installation, options)
        report(measure(installation.port, options.rounds), options)


def report(lines: list[dict[str, Any]], options: argparse.Namespace) -> None:
    if options.json:
        print(json.dumps(lines, indent=2))
        return
    print(f"{options.memories:,} memories, {options.agents} agents, medians of {options.rounds}, milliseconds")
    print(f"{'':4} {'':24} {'page':>7} {'ours':>7} {'naive':>8} {'naive/ours':>10}")
    for line in lines:
        ratio = line["naive"] / line["ours"]
        figures = f"{line['page']:7.1f} {line['ours']:7.1f} {line['naive']:8.1f} {ratio:9.1f}×"
        print(f"{line['who']:4} {line['name']:24} {figures}")
    print(f"slowest page: {max(line['page'] for line in lines):.1f}")


if __name__ == "__main__":
    main()

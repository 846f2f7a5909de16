"""`manage.py evaluate retrieval`: documents through the real pipeline, questions through the search of the chat."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.core.management.base import CommandError

from knowledge.adding import Offer, Wish, add_document
from knowledge.embedding import embed_one
from knowledge.evaluation.measuring import DENSE, DEPTHS, HYBRID, LEXICAL, measure
from knowledge.evaluation.sets import QuestionSet, read_sets
from knowledge.indexing import index
from knowledge.models import Chunk, Document, KnowledgeBase, SemanticIndex
from xiajiao.embeddings import get_embedder
from xiajiao.evaluation.registry import Evaluation, Options, Report, register
from xiajiao.evaluation.scratch import own_broker
from xiajiao.models import User
from xiajiao.terminal import write_table

SIDES = (DENSE, LEXICAL, HYBRID)
JUDGED = "recall@5"
ERASE = "\r\033[K"
Tell = Callable[[str], None]


def add_arguments(parser: ArgumentParser) -> None:
    what = "folder with sets of questions: *.json like SQuAD's or LoCoMo's, ret_*.txt with `passage|question`"
    parser.add_argument("--data", type=Path, nargs="+", required=True, help=what)
    parser.add_argument("--every", type=int, default=1, help="ask each n-th question alone")


def run(options: Options) -> Report:
    """Raises CommandError."""
    sets = read_all(options["data"])
    with own_broker():
        report = evaluate_retrieval(sets, options["every"], show)
        show("")
        return report


def read_all(folders: list[Path]) -> list[QuestionSet]:
    missing = [str(folder) for folder in folders if not folder.is_dir()]
    if missing:
        raise CommandError(f"There is no folder {', '.join(missing)}.")
    try:
        sets = [found for folder in folders for found in read_sets(folder)]
    except ValueError as error:
        raise CommandError(str(error)) from None
    if not sets:
        raise CommandError(f"There are no questions in {', '.join(map(str, folders))}.")
    return sets


def evaluate_retrieval(sets: list[QuestionSet], every: int = 1, tell: Tell = lambda text: None) -> Report:
    """Writes into the database that is set up, which should be an empty one."""
    owner, _is_new = User.objects.get_or_create(username="evaluation", defaults={"is_active": False})
    report: Report = {"embedder": get_embedder().full_name, "sets": {}}
    for found in sets:
        base = KnowledgeBase.objects.create(name=found.name, owner=owner)
        fill(base, found.documents, tell)
        for name, questions in found.questions.items():
            asked = questions[:: max(every, 1)]
            tell(f"{name}: {len(asked)} questions")
            tallies = measure(base, asked)
            figures: dict[str, Any] = {side: tally.rates() for side, tally in tallies.items()}
            counts = {"questions": len(asked), **count(base)}
            report["sets"][name] = counts | figures | {"is_hybrid_best": is_hybrid_best(figures)}
    return report


def fill(base: KnowledgeBase, documents: Mapping[str, str], tell: Tell) -> None:
    """Each text as a file, indexed and embedded as a worker would."""
    with TemporaryDirectory(prefix="xiajiao-evaluate-") as folder:
        for number, (name, text) in enumerate(documents.items(), 1):
            path = Path(folder, "text")
            path.write_text(text, encoding="utf-8")
            added = add_document(base, Offer(path, name, name, base.owner, is_moved=True), Wish(keeps_twins=True))
            index(added.document)
            tell(f"{base.name}: {number} of {len(documents)} documents read")
    unready = base.documents.exclude(state=Document.State.READY).values_list("doc_id", flat=True)
    if unready:
        raise CommandError(f"Not indexed: {', '.join(unready[:5])}.")
    embed_all(base, tell)


def embed_all(base: KnowledgeBase, tell: Tell) -> None:
    rows = SemanticIndex.objects.filter(document__base=base)
    chunks = Chunk.objects.filter(document__base=base)
    total = chunks.count()
    for job in rows.order_by("pk"):
        embed_one(job, time.monotonic() + 10**6)
        tell(f"{base.name}: {chunks.exclude(embedded_with='').count()} of {total} chunks embedded")
    failed = rows.exclude(state=SemanticIndex.State.READY).first()
    if failed is not None:
        raise CommandError(f"Not embedded: {failed.error or failed.state}.")


def count(base: KnowledgeBase) -> dict[str, int]:
    return {"documents": base.documents.count(), "chunks": Chunk.objects.filter(document__base=base).count()}


def is_hybrid_best(figures: Mapping[str, Mapping[str, float]]) -> bool:
    """No worse than the better of both sides alone."""
    return figures[HYBRID][JUDGED] >= max(figures[DENSE][JUDGED], figures[LEXICAL][JUDGED])


def is_good(report: Report) -> bool:
    return all(found["is_hybrid_best"] for found in report["sets"].values())


def write_report(report: Report) -> str:
    heads = ["set", "by", *(f"recall@{depth}" for depth in DEPTHS), "MRR"]
    lines = [f"embedder: {report['embedder']}; the best {max(DEPTHS)} of each search count"]
    for name, found in report["sets"].items():
        lines.append(f"\n{name}: {found['questions']} questions to {found['documents']} documents in {found['chunks']}")
        lines[-1] += " chunks"
        rows = [[side, *(f"{found[side][head]:.3f}" for head in [*heads[2:-1], "mrr"])] for side in SIDES]
        lines += write_table(heads[1:], rows)
        verdict = "no worse than the better of both alone" if found["is_hybrid_best"] else "WORSE THAN ONE SIDE ALONE"
        lines.append(f"hybrid {JUDGED}: {verdict}")
    return "\n".join(lines)


def show(text: str) -> None:
    """What goes on, on the last line of a terminal."""
    if sys.stderr.isatty():
        sys.stderr.write(f"{ERASE}{text}")
        sys.stderr.flush()


register(
    Evaluation(
        "retrieval", "whether searches of documents find what they should", run, write_report, is_good, add_arguments
    )
)

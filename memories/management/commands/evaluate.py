import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memories.evaluation.diaries import read_diaries, replay_diaries
from memories.evaluation.fitting import fit
from memories.evaluation.pairs import LabelledPair, read_pairs, replay_pairs
from memories.models import Agent
from xiajiao.embeddings import EmbeddingError, get_embedder
from xiajiao.evaluation.registry import EVALUATIONS, Evaluation
from xiajiao.evaluation.scratch import is_scratch, run_in_scratch
from xiajiao.models import User

RATES = ("false_merge", "false_supersede", "duplicate", "contradiction")


class Command(BaseCommand):
    help = "Measure what is kept, found and forgotten, on texts whose truth is known, in a database of its own."

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_subparsers(dest="what", required=True)
        gate = what.add_parser("gate", help="what the write gate merges, supersedes and keeps")
        gate.add_argument("--pairs", type=Path, required=True, help="folder of *.txt with lines `label|text|text`")
        gate.add_argument("--memdaily", type=Path, help="folder of *.json with people's messages and questions")
        gate.add_argument("--json", action="store_true", help="print JSON")
        for evaluation in EVALUATIONS.values():
            parsed = what.add_parser(evaluation.name, help=evaluation.help)
            parsed.add_argument("--json", action="store_true", help="print JSON")
            evaluation.add_arguments(parsed)
        fit = what.add_parser("fit", help="the judge's figures for the embedder of this installation")
        fit.add_argument("--pairs", type=Path, required=True, help="folder of *.txt with lines `label|text|text`")

    def handle(self, **options: Any) -> None:
        if options["what"] == "fit":
            self.stdout.write(json.dumps(fit_figures(options["pairs"]), indent=2))
            return
        if not is_scratch():
            code = run_in_scratch(sys.argv[1:])
            if code:
                raise CommandError("The evaluation failed; the lines above say why.", returncode=code)
            return
        if options["what"] in EVALUATIONS:
            self.measure(EVALUATIONS[options["what"]], options)
            return
        report = evaluate_gate(options["pairs"], options["memdaily"])
        self.stdout.write(json.dumps(report, ensure_ascii=False, indent=2) if options["json"] else write_table(report))

    def measure(self, evaluation: Evaluation, options: dict[str, Any]) -> None:
        report = evaluation.run(options)
        told = json.dumps(report, ensure_ascii=False, indent=2) if options["json"] else evaluation.write(report)
        self.stdout.write(told)
        if not evaluation.is_good(report):
            raise CommandError("That is not as it should be.")


def evaluate_gate(pairs: Path, memdaily: Path | None) -> dict[str, Any]:
    """Rates by language and for all together, counts beside them. Writes into the database that is set up."""
    labelled = read_labelled(pairs)
    owner = User.objects.create(username="evaluation", is_active=False)
    agent = Agent.objects.create(owner=owner, name="Evaluation")
    report: dict[str, Any] = {"embedder": get_embedder().name}
    report |= {language: tally.rates() for language, tally in replay_pairs(agent, labelled).items()}
    if memdaily is not None:
        report["all"] |= replay_diaries(agent, read_diaries(memdaily)).rates()
    return report


def fit_figures(pairs: Path) -> dict[str, Any]:
    labelled = read_labelled(pairs)
    try:
        return asdict(fit(labelled, get_embedder()))
    except (ValueError, EmbeddingError) as error:
        raise CommandError(str(error)) from None


def read_labelled(folder: Path) -> list[LabelledPair]:
    try:
        labelled = read_pairs(folder)
    except ValueError as error:
        raise CommandError(str(error)) from None
    if not labelled:
        raise CommandError(f"{folder} holds no *.txt with pairs.")
    return labelled


def write_table(report: dict[str, Any]) -> str:
    lines = [f"embedder: {report['embedder']}", f"{'':6}" + "".join(f"{name:>24}" for name in RATES)]
    languages = [name for name in report if name != "embedder"]
    for language in languages:
        rates = report[language]
        cells = [f"{rates[f'{name}_count']}/{rates[f'{name}_of']}" for name in RATES]
        shares = [share for key, share in rates.items() if not key.endswith(("_count", "_of"))]
        texts = [f"{cell} {describe(share)}" for cell, share in zip(cells, shares, strict=False)]
        lines.append(f"{language:6}" + "".join(f"{text:>24}" for text in texts))
    rates = report["all"]
    if "evidence_of" in rates:
        for name in ("evidence_inactive", "evidence_lost"):
            lines.append(f"{name}: {rates[f'{name}_count']}/{rates['evidence_of']} {describe(rates[name])}")
    return "\n".join(lines)


def describe(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"

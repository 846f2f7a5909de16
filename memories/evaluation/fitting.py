"""The figures of the judge, from labelled pairs: the logistic model and where an embedder's cosines begin to tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memories.evaluation.pairs import LabelledPair
from memories.judgement.guards import find_vetoes
from memories.judgement.judge import find_closeness
from memories.judgement.pairs import compare_statements
from memories.judgement.reading import read
from memories.judgement.signals import NAMES, measure
from xiajiao.embeddings.base import BaseEmbedder

Floats = NDArray[np.float64]
FOLDS = 10
STEPS = 60
SHRINKAGE = 2.0
# A false merge weighs this much more than a missed duplicate.
CAUTION = 2.0
# Share of the same facts that may lie below the threshold that nominates.
MISSED = 0.02


@dataclass(frozen=True)
class Fit:
    """`bias` and `weights` of the model, and what it would do at each threshold, each pair judged by the others' model.

    `kept`: share of the same facts above it. `merged`: how many others. Both of the pairs that the guards let pass.
    """

    bias: float
    weights: dict[str, float]
    kept: dict[float, float]
    merged: dict[float, int]
    pairs: int
    nominate: dict[str, float]


def fit(pairs: Sequence[LabelledPair], embedder: BaseEmbedder) -> Fit:
    """Pairs against which a guard speaks teach the model nothing and are left out.

    Raises EmbeddingError, and ValueError where what is left holds no pair of the same fact, or none of two facts.
    """
    cosines = measure_cosines(pairs, embedder)
    rows, labels = [], []
    for pair, cosine in zip(pairs, cosines, strict=True):
        compared = compare_statements(read(pair.first), read(pair.second))
        closeness = find_closeness(compared, cosine, embedder.calibration)
        if closeness is not None and not find_vetoes(compared):
            rows.append(measure(compared, closeness).row())
            labels.append(pair.label == "S")
    signals, same = np.array(rows), np.array(labels, dtype=float)
    if len(set(labels)) < 2:
        raise ValueError("There must be pairs of both kinds, S and others, that no guard tells apart.")
    guesses = cross_validate(signals, same)
    bias, weights = solve(signals, same)
    thresholds = [round(0.3 + step / 10, 1) for step in range(6)]
    return Fit(
        bias=round(bias, 2),
        weights={name: round(float(weight), 2) for name, weight in zip(NAMES, weights, strict=True)},
        kept={threshold: round(float((guesses[same == 1] >= threshold).mean()), 3) for threshold in thresholds},
        merged={threshold: int((guesses[same == 0] >= threshold).sum()) for threshold in thresholds},
        pairs=len(pairs),
        nominate=find_thresholds(pairs, cosines),
    )


def measure_cosines(pairs: Sequence[LabelledPair], embedder: BaseEmbedder) -> Floats:
    texts = list(dict.fromkeys(text for pair in pairs for text in (pair.first, pair.second)))
    vectors = dict(zip(texts, embedder.embed_passages(texts), strict=True))
    return np.array([vectors[pair.first] @ vectors[pair.second] for pair in pairs], dtype=float)


def find_thresholds(pairs: Sequence[LabelledPair], cosines: Floats) -> dict[str, float]:
    """Within a language and across: the cosine that all but a few of the same facts reach."""
    same = np.array([pair.label == "S" for pair in pairs])
    across = np.array([pair.language == "x" for pair in pairs])
    groups = {"nominate": same & ~across, "nominate_across": same & across}
    return {name: round(float(np.quantile(cosines[which], MISSED)), 2) for name, which in groups.items() if which.any()}


def cross_validate(signals: Floats, same: Floats) -> Floats:
    order = np.random.default_rng(0).permutation(len(signals))
    guesses = np.zeros(len(signals))
    for fold in range(FOLDS):
        held = order[fold::FOLDS]
        bias, weights = solve(np.delete(signals, held, axis=0), np.delete(same, held))
        guesses[held] = 1 / (1 + np.exp(-(bias + signals[held] @ weights)))
    return guesses


def solve(signals: Floats, same: Floats) -> tuple[float, Floats]:
    """Ridge logistic regression by Newton's method, on standardised signals; the weights are of the raw ones."""
    mean, spread = signals.mean(axis=0), signals.std(axis=0) + 1e-9
    table = np.column_stack([np.ones(len(signals)), (signals - mean) / spread])
    ridge = SHRINKAGE * np.diag([0.0] + [1.0] * signals.shape[1])
    importance = np.where(same == 1, 1.0, CAUTION)
    solution = np.zeros(table.shape[1])
    for _step in range(STEPS):
        guesses = 1 / (1 + np.exp(-table @ solution))
        gradient = table.T @ (importance * (guesses - same)) + ridge @ solution
        curvature = (table.T * (importance * guesses * (1 - guesses))) @ table + ridge
        solution -= np.linalg.solve(curvature, gradient)
    weights = solution[1:] / spread
    return float(solution[0] - weights @ mean), weights

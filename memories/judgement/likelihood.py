"""A logistic model over the signals of a pair against which no guard speaks.

The figures are printed by `manage.py evaluate fit --pairs memories/evaluation/pairs/fit`.
"""

from __future__ import annotations

import math

from memories.judgement.signals import NAMES, Signals

# Over the labelled pairs, each judged by a model fitted to the others: 96 % of the same facts that pass the guards lie
# above it, and 4 pairs of two facts that no guard tells apart.
ENOUGH = 0.5
BIAS = -6.6
WEIGHTS = {
    "coverage": 5.28,
    "closeness": 2.46,
    "second": 6.19,
    "rest_likeness": 2.18,
    "loose_weight": -0.80,
    "across": -0.28,
    "one_sided": 3.02,
    "other_concepts": 0.59,
    "substituted": -4.90,
}


def likelihood_of_same(signals: Signals) -> float:
    """0..1: how likely two statements say the same, given that no guard speaks against it."""
    total = BIAS + sum(WEIGHTS[name] * value for name, value in zip(NAMES, signals.row(), strict=True))
    return 1 / (1 + math.exp(-total))

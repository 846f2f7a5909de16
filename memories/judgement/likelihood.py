"""A logistic model over the signals of a pair against which no guard speaks.

The figures are printed by `manage.py evaluate fit --pairs memories/evaluation/pairs/fit`.
"""

from __future__ import annotations

import math

from memories.judgement.signals import NAMES, Signals

# Over the labelled pairs, each judged by a model fitted to the others: 95 % of the same facts that pass the guards lie
# above it, and 3 pairs of two facts that no guard tells apart.
ENOUGH = 0.55
BIAS = -6.22
WEIGHTS = {
    "coverage": 5.08,
    "closeness": 2.41,
    "second": 5.96,
    "rest_likeness": 2.26,
    "loose_weight": -0.88,
    "across": -0.35,
    "one_sided": 3.04,
    "other_concepts": 0.75,
    "substituted": -4.97,
}


def likelihood_of_same(signals: Signals) -> float:
    """0..1: how likely two statements say the same, given that no guard speaks against it."""
    total = BIAS + sum(WEIGHTS[name] * value for name, value in zip(NAMES, signals.row(), strict=True))
    return 1 / (1 + math.exp(-total))

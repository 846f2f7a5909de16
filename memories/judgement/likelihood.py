"""A logistic model over the signals of a pair against which no guard speaks.

The figures are printed by `manage.py evaluate fit --pairs memories/evaluation/pairs/fit`.
"""

from __future__ import annotations

import math

from memories.judgement.signals import NAMES, Signals

# Over the labelled pairs, each judged by a model fitted to the others: 94 % of the same facts that pass the guards lie
# above it, and 1 or 2 of 818 pairs that say different things.
ENOUGH = 0.65
BIAS = -3.91
WEIGHTS = {
    "coverage": 2.09,
    "closeness": 2.18,
    "second": 5.46,
    "rest_likeness": 2.75,
    "loose_weight": -1.08,
    "across": -0.25,
    "one_sided": 3.11,
    "other_concepts": 0.53,
    "substituted": -4.34,
}


def likelihood_of_same(signals: Signals) -> float:
    """0..1: how likely two statements say the same, given that no guard speaks against it."""
    total = BIAS + sum(WEIGHTS[name] * value for name, value in zip(NAMES, signals.row(), strict=True))
    return 1 / (1 + math.exp(-total))

"""A logistic model over the signals of a pair against which no guard speaks.

The figures are printed by `manage.py evaluate fit --pairs memories/evaluation/pairs/fit`.
"""

from __future__ import annotations

import math

from memories.judgement.signals import NAMES, Signals

# Over the labelled pairs, each judged by a model fitted to the others: 95 % of the same facts that pass the guards lie
# above it, and 7 of 818 pairs that say different things.
ENOUGH = 0.5
BIAS = -4.27
WEIGHTS = dict(zip(NAMES, (2.11, 1.65, 5.15, 3.16, -1.06, 0.12, 2.52, -0.95, 0.46, -3.81), strict=True))


def likelihood_of_same(signals: Signals) -> float:
    total = BIAS + sum(weight * value for weight, value in zip(WEIGHTS.values(), signals.row(), strict=True))
    return 1 / (1 + math.exp(-total))

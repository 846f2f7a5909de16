"""A logistic model over the signals of a pair against which no guard speaks."""

from __future__ import annotations

import math

from memories.judgement.signals import NAMES, Signals

ENOUGH = 0.5
BIAS = -6.0
WEIGHTS = dict(zip(NAMES, (6.0, 1.0, 3.0, 1.5, -1.0, 1.0, 0.5), strict=True))


def likelihood_of_same(signals: Signals) -> float:
    total = BIAS + sum(weight * value for weight, value in zip(WEIGHTS.values(), signals.row(), strict=True))
    return 1 / (1 + math.exp(-total))

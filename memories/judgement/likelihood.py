"""A logistic model over the signals of a pair against which no guard speaks."""

from __future__ import annotations

import math

from memories.judgement.signals import NAMES, Signals

ENOUGH = 0.72
BIAS = -6.72
WEIGHTS = dict(zip(NAMES, (5.89, 2.26, 2.30, 2.96, -0.19, 1.13, 1.21, -0.96, 0.14, -3.06), strict=True))


def likelihood_of_same(signals: Signals) -> float:
    total = BIAS + sum(weight * value for weight, value in zip(WEIGHTS.values(), signals.row(), strict=True))
    return 1 / (1 + math.exp(-total))

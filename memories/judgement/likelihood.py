"""A logistic model over the signals of a pair against which no guard speaks."""

from __future__ import annotations

import math

from memories.judgement.signals import NAMES, Signals

ENOUGH = 0.65
BIAS = -9.16
WEIGHTS = dict(zip(NAMES, (3.69, 2.84, 5.01, 4.06, 0.39, 1.29, 4.19, 0.0, 0.28, -2.73), strict=True))


def likelihood_of_same(signals: Signals) -> float:
    total = BIAS + sum(weight * value for weight, value in zip(WEIGHTS.values(), signals.row(), strict=True))
    return 1 / (1 + math.exp(-total))

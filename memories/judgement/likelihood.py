"""A logistic model over the signals of a pair against which no guard speaks."""

from __future__ import annotations

import math

from memories.judgement.signals import NAMES, Signals

ENOUGH = 0.5
BIAS = -4.47
WEIGHTS = dict(zip(NAMES, (3.84, 1.94, 3.08, 2.61, -0.85, 0.45, 2.10, -0.87, 0.18, -3.35), strict=True))


def likelihood_of_same(signals: Signals) -> float:
    total = BIAS + sum(weight * value for weight, value in zip(WEIGHTS.values(), signals.row(), strict=True))
    return 1 / (1 + math.exp(-total))

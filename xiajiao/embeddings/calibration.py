"""Figures of each embedding model; see Calibration. Cosines of different models can't be compared with each other."""

from __future__ import annotations

from xiajiao.embeddings.base import Calibration

UNKNOWN = "text-embedding-3-small"
CALIBRATIONS = {
    "e5": Calibration(floor=0.18, nominate=0.9, nominate_across=0.84),
    "use": Calibration(floor=0.2, nominate=0.6, nominate_across=0.6),
    UNKNOWN: Calibration(floor=0.3, nominate=0.85, nominate_across=0.7),
}


def calibration_for(model_name: str) -> Calibration:
    """The model's own row, or the one of text-embedding-3-small for a model that nobody has measured."""
    return CALIBRATIONS.get(model_name, CALIBRATIONS[UNKNOWN])

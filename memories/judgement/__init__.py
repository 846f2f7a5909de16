"""Whether two memories say the same, contradict each other, or simply stand side by side.

The write gate asks `judge(new, old, cosine, calibration)` for every candidate and lets `pick_best`
choose among the verdicts. No database, no network and no chat model is needed; in doubt the answer
is "add": a duplicate is a nuisance, a lost fact a fault.
"""

from memories.judgement.doubts import Doubt, find_doubt
from memories.judgement.judge import judge, pick_best
from memories.judgement.nominating import find_permitted
from memories.judgement.normalising import normalise
from memories.judgement.verdicts import Action, Answer, Statement, Verdict

__all__ = [
    "Action",
    "Answer",
    "Doubt",
    "Statement",
    "Verdict",
    "find_doubt",
    "find_permitted",
    "judge",
    "normalise",
    "pick_best",
]

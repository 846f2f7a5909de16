import math

import pytest

from memories.evaluation.fitting import fit
from memories.evaluation.pairs import LabelledPair
from memories.judgement.signals import NAMES
from xiajiao.embeddings import get_embedder

SAME = [
    ("用户喜欢绿茶", "用户爱喝绿茶"),
    ("用户住在厦门", "用户的居住地是厦门"),
    ("The user lives in Rome", "The user's home is in Rome"),
    ("The user is a dentist", "The user works as a dentist"),
    ("用户怕黑", "The user is afraid of the dark"),
]
OTHER = [
    ("用户爱做陶艺", "用户爱看歌剧"),
    ("用户修好了阳台的门", "用户修好了书房的灯"),
    ("The user mends old clocks", "The user mends torn sails"),
    ("The user fears deep water", "The user fears loud crowds"),
    ("用户爱做陶艺", "The user mends torn sails"),
]


def test_a_fitted_model_holds_what_is_the_same_for_likelier() -> None:
    pairs = [LabelledPair("S", *texts) for texts in SAME] + [LabelledPair("R", *texts) for texts in OTHER]
    found = fit(pairs, get_embedder("use"))

    assert set(found.weights) == set(NAMES)
    assert all(map(math.isfinite, [found.bias, *found.weights.values()]))
    assert found.weights["second"] > 0
    assert found.kept[0.5] > found.merged[0.5] / len(OTHER)
    assert found.nominate["nominate"] < 1


def test_too_few_pairs_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="both"):
        fit([LabelledPair("S", "用户喜欢绿茶", "用户爱喝绿茶")], get_embedder("use"))

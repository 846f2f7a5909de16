from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memories.evaluation.fitting import measure_cosines
from memories.evaluation.pairs import LabelledPair, read_pairs
from memories.judgement import Statement, find_doubt
from xiajiao.embeddings import get_embedder

PAIRS = Path(__file__).parents[2] / "memories" / "evaluation" / "pairs" / "holdout"
NOW = datetime(2026, 5, 1, tzinfo=UTC)


def kind_of(old: str, new: str, category: str = "semantic") -> str | None:
    embedder = get_embedder()
    first, second = embedder.embed_passages([old, new])
    statements = Statement(new, category), Statement(old, category)
    doubt = find_doubt(*statements, float(first @ second), embedder.calibration)
    return None if doubt is None else doubt.kind


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("用户对花生过敏", "用户对花生过敏。"),
        ("用户喜欢吃饺子", "用户爱吃水饺"),
        ("The user collects vinyl records", "Collecting vinyl is the user's hobby"),
        ("用户住三楼", "The user's flat is on the third floor"),
    ],
)
def test_what_may_be_the_same_fact_is_a_likely_duplicate(old: str, new: str) -> None:
    assert kind_of(old, new) == kind_of(new, old) == "duplicate"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("用户住在北京", "用户住在上海"),
        ("用户喜欢靠窗的座位", "The user prefers aisle seats"),
        ("The user works at a hospital", "The user left the hospital job"),
    ],
)
def test_what_can_hardly_both_be_true_is_a_likely_contradiction(old: str, new: str) -> None:
    assert kind_of(old, new) == "contradiction"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("用户对花生过敏", "用户的女儿今年上小学"),
        ("The user reviewed pull request #120", "The user reviewed pull request #121"),
        ("用户喜欢莫扎特", "用户喜欢贝多芬"),
        ("用户养了一只猫", "用户养了一只狗"),
    ],
)
def test_what_may_well_stand_side_by_side_is_not_doubtful(old: str, new: str) -> None:
    assert kind_of(old, new) is None


def test_what_holds_one_after_the_other_is_no_contradiction() -> None:
    old = Statement("用户住在北京", valid_to=NOW)
    assert find_doubt(Statement("用户住在上海", valid_from=NOW), old, 0.98, get_embedder().calibration) is None
    overlapping = Statement("用户住在上海", valid_from=NOW - timedelta(days=1))
    assert find_doubt(overlapping, old, 0.98, get_embedder().calibration) is not None


def test_what_happened_once_is_not_replaced_by_what_happened_later() -> None:
    assert kind_of("会议改到周三", "会议改到周五", category="episodic") is None


def test_of_the_pairs_kept_aside_no_unrelated_one_is_shown_and_hardly_a_related_one() -> None:
    pairs = read_pairs(PAIRS)
    shown = [pair for pair, doubt in zip(pairs, find_doubts(pairs), strict=True) if doubt]
    counts = {label: sum(pair.label == label for pair in shown) for label in "SCRU"}

    assert counts["U"] == 0
    assert counts["R"] <= 3
    assert counts["S"] >= 50
    assert counts["C"] >= 44


def find_doubts(pairs: list[LabelledPair]) -> list[object]:
    embedder = get_embedder()
    cosines = measure_cosines(pairs, embedder)
    return [
        find_doubt(Statement(pair.second), Statement(pair.first), float(cosine), embedder.calibration)
        for pair, cosine in zip(pairs, cosines, strict=True)
    ]

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from memories.evaluation.diaries import replay_diaries
from memories.evaluation.pairs import LabelledPair, read_pairs, replay_pairs
from memories.evaluation.tallies import PairTally
from memories.management.commands.evaluate import evaluate_gate
from memories.models import Memory
from tests.factories import make_agent

pytestmark = pytest.mark.django_db

PAIRS = """# a comment
S|用户喜欢喝茶|用户喜欢喝茶。
U|用户养了一只猫|The server has 32 GB of memory
C|用户今年 30 岁|用户今年 31 岁
"""


def test_pairs_are_written_in_both_orders_and_told_by_language(tmp_path: Path) -> None:
    (tmp_path / "mixed.txt").write_text(PAIRS, encoding="utf-8")
    report = evaluate_gate(tmp_path, None)

    assert report["zh"]["duplicate_recall"] == 1.0
    assert (report["zh"]["duplicate_of"], report["zh"]["contradiction_of"]) == (2, 2)
    assert (report["x"]["false_supersede_count"], report["x"]["false_supersede_of"]) == (0, 2)
    assert report["all"]["false_merge_of"] == 4
    assert report["zh"]["false_supersede_rate"] is None


def test_rates_count_what_was_done_wrongly() -> None:
    tally = PairTally()
    for label, action in [
        ("S", "superseded"),
        ("S", "ignored"),
        ("R", "reinforced"),
        ("U", "added"),
        ("C", "superseded"),
    ]:
        tally.add(label, action)

    rates = tally.rates()
    assert (rates["false_merge_count"], rates["false_merge_of"]) == (1, 3)
    assert (rates["false_supersede_count"], rates["false_supersede_of"]) == (0, 2)
    assert rates["duplicate_recall"] == 0.5
    assert rates["contradiction_superseded"] == 1.0


def test_people_don_t_see_each_other_s_memories_in_a_replay() -> None:
    tallies = replay_pairs(make_agent(), [LabelledPair("S", "用户喜欢喝茶", "用户喜欢喝茶")] * 2)

    assert tallies["all"].count("S", ("ignored",)) == 4
    assert Memory.objects.count() == 4


def test_evidence_is_active_superseded_or_lost() -> None:
    messages = ["我的年龄是30岁。", "我的年龄是31岁。", "我喜欢喝茶。"]
    diary = {
        "message_list": [{"mid": number, "message": text} for number, text in enumerate(messages)],
        "question_list": [{"target_step_id": [0, 2]}],
    }
    tally = replay_diaries(make_agent(), [diary])

    assert (tally.evidence, tally.lost) == (2, 0)
    assert tally.inactive == Memory.objects.superseded().count()


def test_a_line_that_is_no_pair_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_text("S|one\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"bad\.txt:1"):
        read_pairs(tmp_path)
    with pytest.raises(CommandError, match=r"bad\.txt:1"):
        evaluate_gate(tmp_path, None)


def test_an_evaluation_leaves_this_installation_alone(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mixed.txt").write_text(PAIRS, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["manage.py", "evaluate", "gate", "--pairs", str(tmp_path), "--json"])
        call_command("evaluate", "gate", "--pairs", str(tmp_path), "--json")

    assert json.loads(capfd.readouterr().out)["all"]["duplicate_of"] == 2
    assert not Memory.objects.exists()

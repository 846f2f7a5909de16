"""`manage.py evaluate retrieval`, on sets of a few questions in each of the forms."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from knowledge.evaluation.measuring import Tally
from knowledge.evaluation.retrieval import evaluate_retrieval, is_good, read_all, write_report
from knowledge.evaluation.sets import Evidence, read_sets
from xiajiao.evaluation.scratch import MARK

PETS = "The office parrot is called Quillimax and eats trout every Friday."
LINES = f"""{PETS}|What is the bird's name?
The staging database is MySQL 8 on host db-stg-02.|Where is the pre-production data stored?
"""
ACROSS = f"{PETS}|办公室的鹦鹉叫什么名字？\n"
DISTRACTORS = "会议室的投影仪坏了，已经报修。\nThe kettle in the kitchen is blue.\n"
PARAGRAPH = "灯塔建于一八九二年，共有二百一十四级台阶。它的灯光在三十公里外也能看见。"
SQUAD = {
    "data": [
        {
            "title": "灯塔",
            "paragraphs": [
                {
                    "context": PARAGRAPH,
                    "qas": [{"question": "灯塔有多少级台阶？", "answers": [{"text": "二百一十四级"}]}],
                }
            ],
        }
    ]
}
LOCOMO = [
    {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Mel",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Mel", "dia_id": "D1:1", "text": "I adopted a greyhound!", "blip_caption": "a dog"},
                {"speaker": "Cara", "dia_id": "D1:2", "text": "Lovely."},
            ],
            "session_2": [{"speaker": "Cara", "dia_id": "D2:1", "text": "I paint lighthouses now."}],
        },
        "qa": [
            {"question": "What did Mel adopt and Cara paint?", "evidence": ["D1:1; D2:1"], "category": 1},
            {"question": "What did Cara adopt?", "evidence": ["D1:1"], "category": 5},
        ],
    }
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    texts = {"ret_en.txt": LINES, "ret_x.txt": ACROSS, "distract.txt": DISTRACTORS, "other.json": "[]"}
    texts |= {"squad.json": json.dumps(SQUAD), "locomo.json": json.dumps(LOCOMO)}
    (tmp_path / "lines").mkdir()
    for name, text in texts.items():
        (tmp_path / ("lines" if name.endswith(".txt") else ".") / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_each_form_gives_documents_and_questions_with_their_evidence(folder: Path) -> None:
    locomo, squad, lines = read_sets(folder)
    assert squad.documents == {"灯塔 1.txt": PARAGRAPH}
    assert squad.questions["squad"][0].evidence == (Evidence("灯塔 1.txt", "二百一十四级"),)
    assert locomo.documents["conv-1 session_1.txt"] == (
        "1:56 pm on 8 May, 2023\n\nMel: I adopted a greyhound! [a dog]\n\nCara: Lovely."
    )
    [question] = locomo.questions["locomo"]
    assert [each.words for each in question.evidence] == ["I adopted a greyhound!", "I paint lighthouses now."]
    assert len(lines.documents) == 4
    assert [len(asked) for asked in lines.questions.values()] == [2, 1]
    # The passage that two files ask about is one document.
    assert lines.questions["ret_x"][0].evidence == lines.questions["ret_en"][0].evidence


def test_a_broken_file_and_a_folder_without_questions_are_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There are no questions in"):
        read_all([tmp_path])
    with pytest.raises(CommandError, match="There is no folder"):
        read_all([tmp_path / "nowhere"])
    (tmp_path / "ret_a.txt").write_text("a passage alone\n")
    with pytest.raises(CommandError, match=r"ret_a\.txt:1: expected"):
        read_all([tmp_path])
    (tmp_path / "ret_a.txt").unlink()
    (tmp_path / "squad.json").write_text('{"data": [{"paragraphs": [{}]}]}')
    with pytest.raises(CommandError, match="not in the form"):
        read_all([tmp_path])


def test_recall_counts_the_share_of_the_evidence_and_the_first_of_it() -> None:
    tally = Tally()
    tally.add([1, None])
    tally.add([7])
    assert tally.rates() == {"recall@1": 0.25, "recall@5": 0.25, "recall@10": 0.75, "mrr": round((1 + 1 / 7) / 2, 4)}


@pytest.mark.django_db(transaction=True)
def test_documents_go_through_the_pipeline_and_questions_through_the_search(folder: Path) -> None:
    report = evaluate_retrieval(read_sets(folder))
    across = report["sets"]["ret_x"]
    assert (across["lexical"]["recall@10"], across["dense"]["recall@5"], across["hybrid"]["recall@5"]) == (0, 1, 1)
    assert report["sets"]["squad"]["hybrid"]["mrr"] == 1.0
    assert report["sets"]["locomo"]["questions"] == 1
    assert (across["documents"], across["chunks"]) == (4, 4)
    assert is_good(report)
    assert "hybrid recall@5: no worse than the better of both alone" in write_report(report)
    across["is_hybrid_best"] = False
    assert not is_good(report)


@pytest.mark.django_db
def test_the_command_knows_it_and_where_it_would_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MARK, "1")
    with pytest.raises(CommandError, match="There are no questions in"):
        call_command("evaluate", "retrieval", "--data", str(tmp_path))

"""Replies of models are read as they were meant."""

from __future__ import annotations

import pytest

from memories.extraction.candidates import ReplyError
from memories.extraction.reading import read_reply
from tests.memories.extraction.replies import PROMPT, READ, UNREADABLE


@pytest.mark.parametrize(("reply", "contents"), [row[1:] for row in READ], ids=[row[0] for row in READ])
def test_a_reply_says_its_facts_and_nothing_else(reply: str, contents: list[str]) -> None:
    assert [each.content for each in read_reply(reply, PROMPT).candidates] == contents


@pytest.mark.parametrize(("reply", "code"), [row[1:] for row in UNREADABLE], ids=[row[0] for row in UNREADABLE])
def test_a_reply_that_cannot_be_read_is_told_from_an_empty_one(reply: str, code: str) -> None:
    with pytest.raises(ReplyError) as caught:
        read_reply(reply, PROMPT)
    assert caught.value.code == code


def test_a_reply_that_was_cut_says_so() -> None:
    assert read_reply('{"memories": [{"content": "The user lives in Li').is_cut
    assert not read_reply('{"memories": [{"content": "The user lives in Lisbon"},]}').is_cut


def test_the_fields_of_an_item_are_read_whatever_they_look_like() -> None:
    reply = """[
      {"content": "Answers stay short", "category": "Procedural", "importance": "high", "quote": "keep  it short"},
      {"content": "Mei's brother is ill", "category": "event", "type": "Project ", "subject": "Mei's brother"},
      {"content": "用户养猫", "category": "情景记忆", "importance": 0.9},
      {"content": "用户养狗", "category": "mood", "importance": 10},
      {"content": "用户养鱼", "category": 7, "type": null, "importance": "very", "quote": ["x"]}
    ]"""
    found = read_reply(reply).candidates
    assert [(each.category, each.type_key, each.importance) for each in found] == [
        ("procedural", "feedback", 3),
        ("episodic", "project", 2),
        ("episodic", "user", 3),
        ("semantic", "user", 3),
        ("semantic", "user", 2),
    ]
    assert [each.quote for each in found] == ["keep it short", "", "", "", ""]
    assert found[1].subject == "Mei's brother"


def test_a_summary_stands_beside_the_list() -> None:
    assert read_reply('{"memories": [], "summary": "Tea  and\\nrain"}').summary == "Tea and rain"
    assert read_reply('{"memories": [], "summary": 5}').summary == ""
    assert read_reply("[]").summary == ""

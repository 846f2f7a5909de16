import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from django.conf import settings
from django.test import Client

from memories import gate
from memories.judgement import Answer
from memories.models import Agent, Memory, MemoryRevision
from memories.wording import (
    ACTIONS,
    ASKED_RULES,
    DECISIONS,
    EXAMPLES,
    MEANINGS,
    RULES,
    VETOES,
    explain_reason,
    explain_scores,
)
from tests.factories import make_agent
from xiajiao.models import User

JUDGEMENT = settings.BASE_DIR / "memories" / "judgement"


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def find_function(path: Path, name: str) -> ast.FunctionDef:
    return next(node for node in ast.walk(parse(path)) if isinstance(node, ast.FunctionDef) and node.name == name)


def values_of(key: str, tree: ast.AST) -> Iterator[ast.expr]:
    """What stands behind a key in the dict displays of a source."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            for each, value in zip(node.keys, node.values, strict=True):
                if isinstance(each, ast.Constant) and each.value == key:
                    yield value


def find_rules() -> set[str]:
    gate = [settings.BASE_DIR / "memories" / name for name in ("gate.py", "weighing.py")]
    sources = [*gate, *sorted(JUDGEMENT.glob("*.py"))]
    rules = [value for source in sources for value in values_of("rule", parse(source))]
    # `change` is what find_change returns; a rule from anywhere else would go untested here.
    assert {ast.unparse(rule) for rule in rules if not isinstance(rule, ast.Constant)} == {"change"}
    changes = find_function(JUDGEMENT / "changes.py", "find_change")
    returned = [node for part in ast.walk(changes) if isinstance(part, ast.Return) for node in ast.walk(part)]
    constants = [node for node in (*rules, *returned) if isinstance(node, ast.Constant)]
    return {node.value for node in constants if isinstance(node.value, str)}


def find_vetoes() -> set[str]:
    display = next(
        node for node in ast.walk(find_function(JUDGEMENT / "guards.py", "find_vetoes")) if isinstance(node, ast.Dict)
    )
    return {str(key.value) for key in display.keys if isinstance(key, ast.Constant)}


def test_every_rule_of_the_gate_has_words() -> None:
    assert find_rules() == set(RULES)


def test_every_answer_of_a_model_has_words() -> None:
    assert set(ASKED_RULES) == {"model_forbidden", *(f"model_{answer}" for answer in get_args(Answer))}


def test_every_veto_of_the_gate_has_words() -> None:
    assert find_vetoes() == set(VETOES)


def test_every_action_outcome_and_category_has_words() -> None:
    assert set(ACTIONS) == set(MemoryRevision.Action.values)
    assert set(DECISIONS) == {"added", "ignored", "reinforced", "superseded"}
    assert set(MEANINGS) == set(EXAMPLES) == set(Memory.Category.values)


def test_a_veto_says_what_differs() -> None:
    reason = {"rule": "vetoed", "vetoes": ["numbers", "negation"], "cosine": 0.951, "coverage": 0.8}

    assert explain_reason(reason).startswith("It is like another memory, but differs in what matters (other numbers, o")
    assert explain_scores(reason) == "nearness in meaning 0.95 · words in common 80 %"


def test_what_shares_nothing_is_not_said_to_be_alike() -> None:
    reason = {"rule": "vetoed", "vetoes": ["other_value", "nothing_shared"], "cosine": 0.92}

    assert explain_reason(reason) == "The nearest memory is about something else."


def test_without_the_embedder_the_figures_say_so() -> None:
    assert explain_scores({"rule": "not_sure", "cosine": None}) == "judged by words alone"
    assert explain_scores({"rule": "new"}) == ""


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("用户今年 30 岁", "用户今年 31 岁", "The same thing has another number now."),
        ("The user drinks coffee", "The user does not drink coffee", "One says the opposite of the other"),
        ("The user's phone number is 13800138000", "Keep replies short", "The nearest memory is about something else"),
        ("用户对花生过敏", "用户花生过敏", "It says the same in other words"),
        ("用户喜欢喝茶", "用户喜欢喝茶", "The same words were known already."),
    ],
)
def test_the_page_of_a_memory_tells_why(signed_in: Client, user: User, old: str, new: str, said: str) -> None:
    agent: Agent = make_agent(owner=user)
    origin = gate.Origin(MemoryRevision.Actor.AGENT, Memory.Source.TOOL, user_id=user.pk)
    gate.write(agent, user.pk, gate.Draft(old), origin)
    decision = gate.write(agent, user.pk, gate.Draft(new), origin)

    assert said in signed_in.get(f"/memories/{decision.memory.pk}/").content.decode()


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        ({"rule": "merged_by_hand", "merged": 7}, "A person made one of two."),
        ({"rule": "replaced_by_hand"}, "A person said which of two counts."),
        ({"source_lost": "edited", "undone": 3}, "What it came from was changed or deleted."),
        ({"source_returned": True, "undone": 3}, "What it came from is there again."),
        ({"split_from": 5, "undone": 3}, "Split off from M5, with which it had been merged."),
        ({"type_deleted": "Travel"}, "Its type “Travel” was deleted."),
    ],
)
def test_what_was_done_past_the_gate_is_explained_too(reason: dict[str, object], sentence: str) -> None:
    assert explain_reason(reason) == sentence

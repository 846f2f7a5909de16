"""`manage.py memories export|import`."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from memories.models import Import, Memory
from tests.factories import make_agent, make_memory, make_user
from tests.memories.transfer.files import lines_of

pytestmark = pytest.mark.django_db


def run(*arguments: Any) -> str:
    told = StringIO()
    call_command("memories", *map(str, arguments), stdout=told, stderr=StringIO())
    return told.getvalue()


def test_what_is_exported_is_imported_with_yes_alone(tmp_path: Path) -> None:
    agent = make_agent(owner=make_user(username="mei"))
    make_memory(agent, "用户对花生过敏")
    make_memory(make_agent(), "Somebody else's")
    file = tmp_path / "backup.jsonl"
    run("export", file, "--user", "mei")
    before = file.read_bytes()
    assert [line["content"] for line in lines_of(before) if "content" in line] == ["用户对花生过敏"]
    Memory.objects.all().delete()

    assert "--yes" in run("import", file, "--user", "mei")
    assert not Memory.objects.exists()
    told = json.loads(run("import", file, "--user", "mei", "--yes", "--json"))
    assert told == {
        "state": "done",
        "format": "xiajiao",
        "counts": {"restore": 1},
        "makes": {"agents": [], "types": []},
        "invalid": [],
    }
    run("export", file, "--user", "mei")
    assert file.read_bytes() == before
    assert not [path for path in settings.IMPORTS_DIR.iterdir() if Import.objects.filter(stored_as=path.name).exists()]


def test_bad_lines_are_told(tmp_path: Path) -> None:
    agent = make_agent(owner=make_user(username="mei"), name="Helper")
    file = tmp_path / "m.json"
    file.write_text(json.dumps([{"id": "1", "memory": "用户对花生过敏"}, {"id": "2", "memory": 5}]))
    told = run("import", file, "--user", "mei", "--agent", "Helper", "--yes")
    assert "memory has a value of the wrong kind." in told
    assert agent.memories.count() == 1


def test_one_agent_one_category_and_markdown(tmp_path: Path) -> None:
    agent = make_agent(name="Helper")
    make_memory(agent, "Keep replies short", category="procedural")
    make_memory(agent, "The user likes tea")
    make_memory(make_agent(), "Keep to yourself", category="procedural")
    file = tmp_path / "m.md"
    run("export", file, "--agent", "Helper", "--category", "procedural", "--format", "markdown")
    text = file.read_text()
    assert "Keep replies short" in text
    assert "tea" not in text
    assert "yourself" not in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["export", "--user", "nobody"], "There is no user"),
        (["export", "--agent", "Nobody"], "There is no agent"),
        (["import", "/nowhere/at-all", "--user", "mei"], "No such file"),
        (["import", __file__, "--user", "mei", "--for", "mei"], "no member of the staff"),
        (["import", __file__, "--user", "mei"], "Nothing in it looks like memories"),
    ],
)
def test_what_can_not_be_is_said(arguments: list[str], said: str) -> None:
    make_user(username="mei")
    with pytest.raises(CommandError, match=said):
        run(*arguments)

"""`manage.py profiles export | import`: the files of an agent as a folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from memories.models import Agent, MemoryRevision, ProfileFile, ProfileRevision
from memories.profiles.editing import ProfileChange, change_file, make_key, read_file
from tests.factories import make_agent, make_user
from tests.knowledge import zoo
from tests.memories.profiles.test_pages import upload
from xiajiao.models import User

pytestmark = pytest.mark.django_db

DAY = date(2026, 5, 3)
SOUL = "前言\r\n## 身份\r\n我是小王。\r\n"
TEXTS = {"SOUL.md": SOUL, "memories/USER.md": "## 称呼\n梅", "memories/daily/2026-05-03.md": "- 谈了部署\n\n\n"}


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user, name="Ada")


def keep(agent: Agent, kind: str, text: str, day: date | None = None) -> None:
    change = ProfileChange("edited", MemoryRevision.Actor.PERSON, user_id=agent.owner_id)
    change_file(make_key(agent, kind, agent.owner_id, day), lambda _text: text, change)


def text_of(agent: Agent, kind: str, day: date | None = None) -> str:
    return read_file(make_key(agent, kind, agent.owner_id, day)).text


def run(*arguments: Any) -> list[str]:
    told = StringIO()
    try:
        call_command("profiles", *map(str, arguments), stdout=told)
    except CommandError as error:
        return [*told.getvalue().splitlines(), f"error: {error}"]
    return told.getvalue().splitlines()


def write(folder: Path, texts: Mapping[str, str | bytes]) -> None:
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def read(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_files_go_out_and_come_in_to_the_byte(agent: Agent, tmp_path: Path) -> None:
    keep(agent, "soul", SOUL)
    keep(agent, "user", TEXTS["memories/USER.md"])
    keep(agent, "daily", TEXTS["memories/daily/2026-05-03.md"], DAY)
    first, second = tmp_path / "new" / "first", tmp_path / "second"
    assert run("export", first) == [f"{path}: written." for path in TEXTS]
    assert read(first) == {path: text.encode() for path, text in TEXTS.items()}
    ProfileFile.objects.all().delete()
    assert run("import", first) == [f"{path}: new." for path in TEXTS]
    run("export", second)
    assert read(second) == read(first)
    assert run("export", second) == [f"{path}: as it is already." for path in TEXTS]


def test_an_import_says_first_what_it_would_change_and_changes_it_once(agent: Agent, tmp_path: Path) -> None:
    keep(agent, "user", "## 称呼\n老王\n")
    write(tmp_path, TEXTS)
    dry = run("import", tmp_path, "--dry-run")
    assert dry == [
        "SOUL.md: would be new.",
        "memories/USER.md: would change.",
        "memories/daily/2026-05-03.md: would be new.",
        "Nothing has been written.",
    ]
    assert ProfileRevision.objects.count() == 1
    said = run("import", tmp_path)
    assert said[1] == "memories/USER.md: changed; what stood there is in the history."
    assert text_of(agent, "daily", DAY) == TEXTS["memories/daily/2026-05-03.md"]
    change = read_file(make_key(agent, "user", agent.owner_id)).revisions.get(version=2)
    assert (change.action, change.actor, change.before) == ("imported", "import", "## 称呼\n老王\n")
    count = ProfileRevision.objects.count()
    assert all("as it is already" in line for line in run("import", tmp_path))
    assert ProfileRevision.objects.count() == count


def test_what_cannot_be_taken_says_why_and_loses_no_other(agent: Agent, tmp_path: Path, settings: Settings) -> None:
    outside = tmp_path / "outside"
    folder = tmp_path / "folder"
    write(outside, {"2026-05-01.md": "secret", "MEMORY.md": "secret"})
    write(
        folder,
        {
            "SOUL.md": "我是小王".encode("gbk"),
            "soul.md": "x",
            "agentkit.yaml": "model: x",
            "memories/USER.md": "x" * 50_001,
            "memories/notes.txt": "x",
            "memories/.DS_Store": "x",
            "memories/daily/2026-05-03.md": "kept",
            "memories/daily/2026-02-30.md": "x",
            "memories/daily/2026-05-02.md": b"a\0b",
        },
    )
    (folder / "memories" / "MEMORY.md").symlink_to(outside / "MEMORY.md")
    (folder / "memories" / "daily" / "2026-05-04.md").mkdir()
    said = run("import", folder)
    assert {line.split(": ")[0]: line.split(": ", 2)[-1].split(":")[0] for line in said[:-1]} == {
        "SOUL.md": "it is not UTF-8",
        "soul.md": said[1].split(": ", 2)[-1],
        "memories/MEMORY.md": "it is a link or leads through one, and links are not followed.",
        "memories/USER.md": "it is longer than 50,000 characters.",
        "memories/daily/2026-02-30.md": said[4].split(": ", 2)[-1],
        "memories/daily/2026-05-02.md": "it is no text.",
        "memories/daily/2026-05-03.md": "new.",
        "memories/daily/2026-05-04.md": "it is no file.",
        "memories/notes.txt": said[8].split(": ", 2)[-1],
    }
    assert "memories/daily/2026-05-03.md" in said[1]
    assert said[-1] == "error: left out: 8"
    assert [(file.kind, file.text) for file in ProfileFile.objects.all()] == [("daily", "kept")]
    settings.TERMINAL_LOCALE = "zh_CN.UTF-8"
    assert run("import", folder)[0] == "SOUL.md: 未处理：不是 UTF-8 编码，请另存为 UTF-8 后重试。"


def test_no_folder_that_is_a_link_is_read_or_written(agent: Agent, tmp_path: Path) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "folder"
    write(outside, {"USER.md": "theirs"})
    folder.mkdir()
    (folder / "memories").symlink_to(outside)
    assert run("import", folder)[0].startswith("memories: left out: it is a link")
    keep(agent, "user", "mine")
    assert run("export", folder, "--overwrite")[0].startswith("memories/USER.md: left out: it is a link")
    assert read(outside) == {"USER.md": b"theirs"}


def test_an_export_replaces_earlier_exports_and_nothing_else(agent: Agent, tmp_path: Path) -> None:
    keep(agent, "user", "one")
    run("export", tmp_path)
    keep(agent, "user", "two")
    keep(agent, "memory", "notes")
    write(tmp_path, {"memories/MEMORY.md": "somebody else's"})
    said = run("export", tmp_path)
    assert said[:2] == [
        "memories/MEMORY.md: left out: another text stands there, and is left alone.",
        "memories/USER.md: written.",
    ]
    assert "--overwrite" in said[2]
    assert read(tmp_path) == {"memories/MEMORY.md": b"somebody else's", "memories/USER.md": b"two"}
    assert run("export", tmp_path, "--overwrite")[0] == "memories/MEMORY.md: written."
    assert sorted(read(tmp_path)) == ["memories/MEMORY.md", "memories/USER.md"]


def test_secrets_are_left_out_and_only_the_owner_brings_a_soul(agent: Agent, tmp_path: Path) -> None:
    agent.is_shared = True
    agent.save()
    other = make_user()
    write(tmp_path, {"SOUL.md": "mine now", "memories/MEMORY.md": "key sk-proj-abcdefghijklmnopqrstuvwx12345678\n"})
    said = json.loads(run("import", tmp_path, "--user", other.username, "--agent", "Ada", "--json")[0])
    assert [(each["path"], each["verdict"], each["fault"]) for each in said["files"]] == [
        ("SOUL.md", "refused", "not_yours"),
        ("memories/MEMORY.md", "new", ""),
    ]
    assert said["files"][1]["said"] == "new. Left out, to be safe: an API key."
    assert "sk-proj" not in read_file(make_key(agent, "memory", other.pk)).text
    again = json.loads(run("import", tmp_path, "--user", other.username, "--agent", "Ada", "--json")[0])
    assert again["files"][1]["verdict"] == "same"


def test_what_marks_for_its_secrets_make_too_long_is_left_out_alone(
    agent: Agent, tmp_path: Path, signed_in: Client
) -> None:
    texts = {"memories/MEMORY.md": "pwd: qwe123\n" * 4160, "memories/USER.md": "## Tea\ngreen\n"}
    write(tmp_path, texts)
    for options in (["--dry-run"], []):
        told = run("import", tmp_path, *options)
        assert "memories/MEMORY.md: left out: with marks for the secrets that are left out" in "".join(told)
        assert told[-1] == "error: left out: 1"
        assert text_of(agent, "user") == ("" if options else texts["memories/USER.md"])
    texts["memories/USER.md"] = "## Tea\nblack\n"
    page = upload(
        signed_in,
        f"/agents/{agent.pk}/files/user/upload/",
        zoo.zipped({name: text.encode() for name, text in texts.items()}),
    )
    assert page.status_code == 200
    assert "left out: with marks for the secrets that are left out of it, it is longer than 50,000" in page.text
    assert text_of(agent, "user") == "## Tea\nblack\n"
    page = upload(signed_in, f"/agents/{agent.pk}/files/memory/upload/", texts["memories/MEMORY.md"].encode())
    assert page.status_code == 422
    assert text_of(agent, "memory") == ""


def test_whose_files_is_asked_where_it_is_not_clear(agent: Agent, tmp_path: Path) -> None:
    assert run("import", tmp_path) == [f"There is no profile file in {tmp_path}."]
    assert run("import", tmp_path / "nowhere") == [f"error: {tmp_path}/nowhere: No such file or directory."]
    make_agent(owner=agent.owner, name="Bea")
    assert "Say which agent, with --agent: Ada" in run("export", tmp_path)[0]
    assert "There is no agent 'Cleo'" in run("export", tmp_path, "--agent", "Cleo")[0]
    make_user()
    assert run("export", tmp_path) == ["error: Say whose files, with --user."]

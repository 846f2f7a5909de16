"""`manage.py kb index | search | list | reindex`."""

from __future__ import annotations

import json
import zipfile
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from knowledge.models import Document, KnowledgeBase, SemanticIndex
from tests.factories import make_user
from tests.knowledge.documents import make_base, make_document
from xiajiao.models import User
from xiajiao.terminal import write_table

pytestmark = pytest.mark.django_db

LEAVE = "# 休假\n\n员工每年有十五天带薪年假。"
PARROT = "The office parrot is called Quillimax."


def run(*arguments: Any) -> list[str]:
    told = StringIO()
    call_command("kb", *map(str, arguments), stdout=told, stderr=StringIO())
    return told.getvalue().splitlines()


def run_json(*arguments: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run(*arguments, "--json")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder as people have them."""
    folder = tmp_path / "handbook"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "config").write_text("hidden")
    (folder / "deep").mkdir()
    (folder / "leave.md").write_text(LEAVE)
    (folder / "deep" / "宠物.txt").write_text(PARROT)
    (folder / "deep" / "photo.png").write_bytes(b"\x89PNG\0\0\0")
    (folder / "deep" / "nothing.txt").touch()
    (folder / "link.md").symlink_to(folder / "leave.md")
    with zipfile.ZipFile(folder / "two.zip", "w") as package:
        package.writestr("one.txt", "The lighthouse has 214 steps.")
        package.writestr("two.txt", "灯塔建于一八九二年。")
    return folder


@pytest.mark.django_db(transaction=True)
def test_a_folder_is_searchable_when_the_command_ends_though_nothing_else_runs(folder: Path) -> None:
    make_user(username="mei")
    said = run("index", folder, "--base", "Handbook", "--user", "mei", "--create", "--tag", "house")
    assert {line.rpartition(": ")[0]: line.rpartition(": ")[2] for line in said if line.startswith("passed over")} == {
        f"passed over: {folder}/.git": "hidden",
        f"passed over: {folder}/link.md": "a link, which is not followed",
        f"passed over: {folder}/deep/nothing.txt": "nothing in it",
        f"passed over: {folder}/deep/photo.png": "Files of this kind can't be read. (picture)",
    }
    assert "ready  1 chunk  handbook/leave.md" in said
    assert said[-1] == "vectors: 4 of 4"
    base = KnowledgeBase.objects.get()
    assert (base.owner.get_username(), base.serves_all_agents) == ("mei", True)
    names = {"handbook/leave.md", "handbook/deep/宠物.txt", "handbook/two.zip/one.txt", "handbook/two.zip/two.txt"}
    assert set(base.documents.values_list("doc_id", flat=True)) == names
    assert not base.documents.exclude(state=Document.State.READY).exists()

    best = run_json("search", "how many days off do I get")[0]
    assert (best["doc_id"], best["is_relevant"], best["heading_path"]) == ("handbook/leave.md", True, ["休假"])
    assert run("search", "Quillimax", "--tag", "house")[0].startswith("1. handbook/deep/宠物.txt")

    again = run("index", folder / "leave.md", folder / "deep", "--base", "Handbook")
    assert "leave.md is here already, as handbook/leave.md. --twins takes it too." in again
    assert "unchanged: handbook/leave.md" in run("index", folder)


def test_what_stands_by_that_id_is_asked_about_and_replaced(tmp_path: Path) -> None:
    base, path = make_base(), tmp_path / "notes.md"
    path.write_text("The kettle is blue.")
    run("index", path, "--doc-id", "kettle", "--no-vectors")
    path.write_text("The kettle is red.")
    with pytest.raises(CommandError, match="1 file can't be searched"):
        run("index", path, "--doc-id", "kettle", "--no-vectors")
    [told] = run_json("index", path, "--doc-id", "kettle", "--replace", "--no-vectors")
    assert (told["doc_id"], told["state"], told["chunks"]) == ("kettle", "ready", 1)
    assert base.documents.get().chunks.get().text == "The kettle is red."


def test_what_can_not_be_read_is_said_and_ends_with_a_code_until_it_is_tried_again(tmp_path: Path) -> None:
    base, path = make_base(), tmp_path / "locked.pdf"
    path.write_bytes(b"%PDF-1.7 and no more")
    (tmp_path / "good.txt").write_text(PARROT)
    told = StringIO()
    with pytest.raises(CommandError, match="1 file can't be searched") as failure:
        call_command("kb", "index", str(tmp_path), "--no-vectors", stdout=told)
    assert failure.value.returncode == 1
    assert "The file is damaged or cut off." in told.getvalue()
    assert "The file is damaged or cut off." in run("list", "--state", "failed")[-2]

    good = base.documents.get(state="ready")
    Document.objects.filter(state="failed").update(name="locked.txt", stored_as=good.stored_as)
    assert [each["state"] for each in run_json("reindex", "--failed", "--no-vectors")] == ["ready"]


def test_with_no_wait_it_is_left_to_the_workers(tmp_path: Path) -> None:
    base = make_base()
    (tmp_path / "a.txt").write_text(PARROT)
    said = run("index", tmp_path / "a.txt", "--no-wait")
    assert said == ["1 document waits to be read.", "No worker runs: they are read when Xiajiao is started."]
    assert base.documents.get().state == Document.State.QUEUED
    # Told once more, it is read.
    assert run("index", tmp_path / "a.txt", "--no-vectors") == ["ready  1 chunk  a.txt"]
    assert SemanticIndex.objects.get().state == SemanticIndex.State.WAITING
    assert run("reindex", "--vectors") == ["vectors: 1 of 1"]


def test_bases_are_named_or_numbered_and_only_a_persons_own_are_theirs(user: User, tmp_path: Path) -> None:
    mine, other = make_base(owner=user, name="手册"), make_base(name="手册")
    make_document(mine, LEAVE, "leave.md")
    make_document(other, PARROT, "pets.md")
    listed = run("list", "--base", other.pk)
    assert [line.split() for line in listed] == [
        ["Base", "Document", "State", "Chunks", "Vectors", "Size"],
        ["手册", "pets.md", "waiting", "–", "–", "38", "bytes"],
    ]
    assert [each["doc_id"] for each in run_json("list", "--user", user.get_username())] == ["leave.md"]
    assert [each["documents"] for each in run_json("list", "--bases")] == [1, 1]
    with pytest.raises(CommandError, match=f"give its number: 手册 .{mine.pk}, of .*手册 .{other.pk}"):
        run("list", "--base", "手册")
    with pytest.raises(CommandError, match="Say which base"):
        run("index", tmp_path)
    with pytest.raises(CommandError, match=r"There is no base “Recipes”\. There are: 手册"):
        run("search", "x", "--base", "Recipes")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["index", "{folder}/nowhere.md"], "There is no file .*nowhere.md"),
        (["index", "{folder}/closed.md"], "closed.md can't be read: Input/output error"),
        (["index", "{folder}", "--doc-id", "x"], "--doc-id names one document"),
        (["index", "{folder}/empty"], "There is no file to index there"),
        (["index", "{folder}", "--create"], "--create needs"),
        (["search", "x", "--doc-id", "y"], "There is no document y here"),
        (["search", "x", "--top-k", "0"], "from 1 to 100"),
        (["list", "--user", "nobody"], "There is no user 'nobody'"),
    ],
)
def test_what_can_not_be_is_said(arguments: list[str], said: str, tmp_path: Path) -> None:
    make_base()
    (tmp_path / "empty").mkdir()
    # A file that nobody can read, root neither.
    (tmp_path / "closed.md").symlink_to("/proc/self/mem")
    with pytest.raises(CommandError, match=said):
        run(*(word.format(folder=tmp_path) for word in arguments))
    assert not Document.objects.exists()


def test_it_speaks_the_language_of_the_terminal_in_columns_that_stand_below_each_other(settings: Settings) -> None:
    make_document(make_base(name="手册"), LEAVE, "休假.md", state="failed", reason="encrypted")
    settings.TERMINAL_LOCALE = "zh_CN.UTF-8"
    head, row, reason, step = run("list")
    assert head.split()[:3] == ["知识库", "文档", "状态"]
    assert "失败" in row
    assert reason == "休假.md: 文件有密码，打不开。"
    assert step.startswith("    → 请")
    table = list(write_table(["名称", "n"], [["é́", "1"], ["手册手册", "100"]]))
    assert table == ["名称        n", "é́           1", "手册手册  100"]

"""Export and import in a real browser; the worker is played by calling its task."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from memories.models import Agent, Export, Import, Memory
from memories.tasks import run_import
from memories.transfer.exporting import advance_export, begin_export
from memories.transfer.plans import JSONLINES, everything_of, make_plan
from tests.browser.conftest import OpenPage
from tests.browser.pages import assert_accessible, assert_fits, press_in_menu, sign_in
from tests.browser.remembering import dialog_of, speak
from tests.browser.test_shell import LOOKS
from tests.factories import make_agent, make_memory, make_user
from xiajiao.models import User

in_both_languages = pytest.mark.parametrize("language", ["en", "zh"])
WORDS = {
    "en": {
        "found": "3 memories would come in",
        "invalid": "Can't be taken 1",
        "import": "Import",
        "left": "1 line could not be taken.",
    },
    "zh": {
        "found": "将导入 3 条记忆",
        "invalid": "无法导入 1",
        "import": "导入",
        "left": "有 1 行无法导入。",
    },
}


@pytest.fixture
def mei(site: str) -> User:
    return make_user(username="mei")


@pytest.fixture
def agent(mei: User) -> Agent:
    return make_agent(owner=mei, name="Helper", emoji="🦜")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    texts = ["用户对花生过敏", "The user's sister lives in Berlin", 5, "公司用 AWS"]
    path = tmp_path / "from mem0.json"
    path.write_text(json.dumps({"results": [{"id": str(n), "memory": text} for n, text in enumerate(texts)]}))
    return path


def work() -> None:
    job = Import.objects.latest("pk")
    while job.is_running:
        run_import(job.pk)
        job.refresh_from_db()


def look_through(page: Page, user: User, agent: Agent, file: Path) -> None:
    sign_in(page, user)
    page.goto("/imports/add/")
    page.locator('input[type="file"]').set_input_files(file)
    page.locator('select[name="agent"]').select_option(str(agent.pk))
    page.locator("form[data-import] button").press("Enter")
    expect(page.locator("#import-state")).to_be_visible()
    work()
    expect(page.locator(".transfer-lines")).to_be_visible()


@in_both_languages
def test_a_file_is_looked_through_and_imported_by_the_keyboard(
    open_page: OpenPage, mei: User, agent: Agent, file: Path, language: str
) -> None:
    page, say, words = open_page(language), speak(language), WORDS[language]
    sign_in(page, mei)
    page.goto("/memories/")
    press_in_menu(page, say("More"), say("Import"))
    expect(page.get_by_role("heading", name=say("Import memories"))).to_be_visible()
    look_through(page, mei, agent, file)

    expect(page.get_by_role("heading", name=words["found"])).to_be_visible()
    expect(page.locator(".transfer-lines")).to_contain_text(
        say("%(column)s has a value of the wrong kind.") % {"column": "memory"}
    )
    page.get_by_role("link", name=words["invalid"]).press("Enter")
    expect(page.locator(".transfer-lines tbody tr")).to_have_count(1)
    assert not Memory.objects.exists()
    page.get_by_role("button", name=words["import"], exact=True).press("Enter")
    expect(page.locator("#import-state")).to_contain_text(say("Importing"))
    work()
    expect(page.get_by_text(say("The import is done."))).to_be_visible()
    expect(page.get_by_text(words["left"])).to_be_visible()
    page.get_by_role("link", name="公司用 AWS").click()
    expect(page.locator("[name=content]").first).to_have_value("公司用 AWS")


def test_a_file_is_dropped(page: Page, mei: User, agent: Agent) -> None:
    sign_in(page, mei)
    page.goto("/imports/add/")
    page.evaluate(
        """() => {
            const data = new DataTransfer();
            data.items.add(new File(["## 用户画像\\n- 用户对花生过敏"], "MEMORY.md"));
            const area = document.querySelector("[data-drop]");
            for (const type of ["dragenter", "dragover", "drop"])
                area.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
        }"""
    )
    expect(page.locator("[data-file-name]")).to_contain_text("MEMORY.md")
    page.locator('select[name="agent"]').select_option(str(agent.pk))
    page.get_by_role("button", name="Look what is in it").click()
    expect(page.locator("#import-state")).to_be_visible()
    work()
    expect(page.get_by_role("heading", name="1 memory would come in")).to_be_visible()


@in_both_languages
def test_a_file_that_is_too_large_is_told_before_it_is_sent(
    open_page: OpenPage, mei: User, agent: Agent, file: Path, language: str
) -> None:
    page, say = open_page(language), speak(language)
    sign_in(page, mei)
    page.goto("/imports/add/")
    page.locator("[data-import]").evaluate("form => form.dataset.most = '0'")
    page.locator('input[type="file"]').set_input_files(file)
    expect(page.locator("[data-file-error]")).to_contain_text(say("The file is larger than this installation takes."))
    page.get_by_role("button", name=say("Look what is in it")).click()
    expect(page.locator('input[type="file"]')).to_be_focused()
    assert not Import.objects.exists()


@in_both_languages
def test_an_import_is_cancelled_and_goes_on(
    open_page: OpenPage, mei: User, agent: Agent, file: Path, language: str
) -> None:
    page, say = open_page(language), speak(language)
    sign_in(page, mei)
    page.goto("/imports/add/")
    page.locator('input[type="file"]').set_input_files(file)
    page.locator('select[name="agent"]').select_option(str(agent.pk))
    page.get_by_role("button", name=say("Look what is in it")).click()
    page.locator("#import-state").get_by_role("button", name=say("Cancel")).click()
    expect(page.get_by_text(say("It was cancelled. Nothing has been written."))).to_be_visible()
    page.get_by_role("button", name=say("Try again")).click()
    expect(page.locator("#import-state")).to_be_visible()
    work()
    expect(page.get_by_role("heading", name=WORDS[language]["found"])).to_be_visible()


@in_both_languages
def test_what_the_list_shows_is_exported(open_page: OpenPage, mei: User, agent: Agent, language: str) -> None:
    page, say = open_page(language), speak(language)
    make_memory(agent, "Keep replies short", category="procedural")
    make_memory(agent, "The user likes tea")
    sign_in(page, mei)
    page.goto("/memories/")
    page.get_by_label(say("Category")).select_option("procedural")
    expect(page.locator("#memory-results tbody tr")).to_have_count(1)
    press_in_menu(page, say("More"), say("Export"))
    expect(dialog_of(page).get_by_label(say("What the list shows"))).to_be_checked()
    assert_accessible(page)
    with page.expect_download() as sent:
        dialog_of(page).get_by_role("button", name=say("Export")).press("Enter")
    text = Path(sent.value.path()).read_text()
    assert sent.value.suggested_filename.endswith(".jsonl")
    assert "Keep replies short" in text
    assert "likes tea" not in text
    expect(page.locator("#dialog")).not_to_have_attribute("open", "")


@in_both_languages
def test_memories_are_exported_to_be_read(open_page: OpenPage, mei: User, agent: Agent, language: str) -> None:
    page, say = open_page(language), speak(language)
    make_memory(agent, "用户对花生过敏")
    sign_in(page, mei)
    page.goto("/exports/add/")
    page.get_by_label(say("Markdown: to be read")).press("Space")
    with page.expect_download() as sent:
        page.get_by_role("button", name=say("Export")).press("Enter")
    assert sent.value.suggested_filename.endswith(".md")
    assert "用户对花生过敏" in Path(sent.value.path()).read_text()


@in_both_languages
def test_a_large_export_shows_its_progress(open_page: OpenPage, mei: User, agent: Agent, language: str) -> None:
    page, say = open_page(language), speak(language)
    for number in range(5):
        make_memory(agent, f"Fact {number}")
    rows, agents = everything_of(mei)
    job = begin_export(mei, make_plan(JSONLINES, rows, agents))
    sign_in(page, mei)
    page.goto(f"/exports/{job.pk}/")
    expect(page.get_by_role("progressbar", name=say("Progress"))).to_be_visible()
    advance_export(job)
    with page.expect_download():
        page.get_by_role("link", name=say("Download")).press("Enter")
    assert Export.objects.get().state == "ready"


@pytest.mark.parametrize("look", LOOKS)
def test_pages_fit_and_are_accessible(
    open_page: OpenPage, mei: User, agent: Agent, file: Path, look: tuple[str, int, str]
) -> None:
    page = open_page(*look)
    look_through(page, mei, agent, file)
    job = Import.objects.get()
    rows, agents = everything_of(mei)
    export = begin_export(mei, make_plan(JSONLINES, rows, agents))
    addresses = ["/imports/add/", f"/imports/{job.pk}/", "/exports/add/", f"/exports/{export.pk}/", "/memories/"]
    for address in addresses:
        page.goto(address)
        assert_accessible(page)
        assert_fits(page)
    page.goto(f"/imports/{job.pk}/")
    page.locator(f'form[action="/imports/{job.pk}/start/"] .btn').first.click()
    expect(page.locator("#import-state")).to_be_visible()
    assert_accessible(page)
    work()
    expect(page.locator(".note-good")).to_be_visible()
    assert_accessible(page)
    assert_fits(page)

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
from tests.browser.test_shell import LOOKS
from tests.factories import make_agent, make_memory, make_user
from xiajiao.models import User


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


def test_a_file_is_looked_through_and_imported_by_the_keyboard(page: Page, mei: User, agent: Agent, file: Path) -> None:
    sign_in(page, mei)
    page.goto("/memories/")
    press_in_menu(page, "More", "Import")
    expect(page.get_by_role("heading", name="Import memories")).to_be_visible()
    look_through(page, mei, agent, file)

    expect(page.get_by_role("heading", name="3 memories would come in")).to_be_visible()
    expect(page.locator(".transfer-lines")).to_contain_text("memory has a value of the wrong kind.")
    page.get_by_role("link", name="Can't be taken 1").press("Enter")
    expect(page.locator(".transfer-lines tbody tr")).to_have_count(1)
    assert not Memory.objects.exists()
    page.get_by_role("button", name="Import").press("Enter")
    expect(page.locator("#import-state")).to_contain_text("Importing")
    work()
    expect(page.get_by_text("The import is done.")).to_be_visible()
    expect(page.get_by_text("1 line could not be taken.")).to_be_visible()
    page.get_by_role("link", name="公司用 AWS").click()
    expect(page.get_by_label("Content").first).to_have_value("公司用 AWS")


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


def test_a_file_that_is_too_large_is_told_before_it_is_sent(page: Page, mei: User, agent: Agent, file: Path) -> None:
    sign_in(page, mei)
    page.goto("/imports/add/")
    page.locator("[data-import]").evaluate("form => form.dataset.most = '0'")
    page.locator('input[type="file"]').set_input_files(file)
    expect(page.locator("[data-file-error]")).to_contain_text("larger than this installation takes")
    page.get_by_role("button", name="Look what is in it").click()
    expect(page.locator('input[type="file"]')).to_be_focused()
    assert not Import.objects.exists()


def test_an_import_is_cancelled_and_goes_on(page: Page, mei: User, agent: Agent, file: Path) -> None:
    sign_in(page, mei)
    page.goto("/imports/add/")
    page.locator('input[type="file"]').set_input_files(file)
    page.locator('select[name="agent"]').select_option(str(agent.pk))
    page.get_by_role("button", name="Look what is in it").click()
    page.locator("#import-state").get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("It was cancelled. Nothing has been written.")).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#import-state")).to_be_visible()
    work()
    expect(page.get_by_role("heading", name="3 memories would come in")).to_be_visible()


def test_what_the_list_shows_is_exported(page: Page, mei: User, agent: Agent) -> None:
    make_memory(agent, "Keep replies short", category="procedural")
    make_memory(agent, "The user likes tea")
    sign_in(page, mei)
    page.goto("/memories/")
    page.get_by_label("Category").select_option("procedural")
    expect(page.locator("#memory-results tbody tr")).to_have_count(1)
    press_in_menu(page, "More", "Export")
    dialog = page.locator("#dialog")
    expect(dialog.get_by_label("What the list shows")).to_be_checked()
    assert_accessible(page)
    with page.expect_download() as sent:
        dialog.get_by_role("button", name="Export").click()
    text = Path(sent.value.path()).read_text()
    assert sent.value.suggested_filename.endswith(".jsonl")
    assert "Keep replies short" in text
    assert "likes tea" not in text


def test_a_large_export_shows_its_progress(page: Page, mei: User, agent: Agent) -> None:
    for number in range(5):
        make_memory(agent, f"Fact {number}")
    rows, agents = everything_of(mei)
    job = begin_export(mei, make_plan(JSONLINES, rows, agents))
    sign_in(page, mei)
    page.goto(f"/exports/{job.pk}/")
    expect(page.get_by_role("progressbar")).to_be_visible()
    advance_export(job)
    with page.expect_download():
        page.get_by_role("link", name="Download").click()
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

"""Knowledge bases in a real browser: files dropped, states watched; the worker is played by a call."""

from __future__ import annotations

import io
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfWriter

from knowledge.indexing import index
from knowledge.models import Chunk, Document, KnowledgeBase
from tests.browser.chatting import last_answer, wait_for_answer
from tests.browser.chatting import say as ask
from tests.browser.conftest import OpenPage
from tests.browser.pages import assert_accessible, assert_fits, sign_in
from tests.browser.remembering import speak
from tests.browser.test_shell import LOOKS
from tests.factories import make_agent, make_user
from tests.knowledge.documents import index_now, make_base, make_document
from xiajiao.models import User

in_both_languages = pytest.mark.parametrize("language", ["en", "zh"])
DROP = """([place, files]) => {
    const data = new DataTransfer();
    for (const [name, content] of files) {
        const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
        data.items.add(new File([bytes], name));
    }
    const area = document.querySelector(place);
    for (const type of ["dragenter", "dragover", "drop"])
        area.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
}"""
CHINESE = "虾饺的做法：澄粉、淀粉、虾仁和笋。"


@pytest.fixture
def mei(site: str) -> User:
    return make_user(username="mei")


@pytest.fixture
def base(mei: User) -> KnowledgeBase:
    return make_base(owner=mei, name="Kitchen 厨房", serves_all_agents=True)


def locked_pdf() -> bytes:
    writer, file = PdfWriter(), io.BytesIO()
    writer.add_blank_page(200, 200)
    writer.encrypt("secret")
    writer.write(file)
    return file.getvalue()


def drop(page: Page, **files: bytes) -> None:
    drop_on(page, "[data-drop]", files)


def drop_on(page: Page, place: str, files: dict[str, bytes]) -> None:
    page.evaluate(DROP, [place, [[name, b64encode(content).decode()] for name, content in files.items()]])


def work() -> None:
    for document in Document.objects.kept().filter(state="queued"):
        index(document)


def row(page: Page, name: str) -> Any:
    return page.locator(".document-row", has_text=name)


@in_both_languages
def test_five_files_are_dropped_watched_asked_and_cited(
    open_page: OpenPage, mei: User, base: KnowledgeBase, language: str
) -> None:
    page, say = open_page(language), speak(language)
    make_agent(owner=mei)
    sign_in(page, mei)
    page.goto(f"/knowledge/{base.pk}/")
    files = {
        "locked.pdf": locked_pdf(),
        "虾饺.txt": CHINESE.encode("gb18030"),
        "tea.md": b"# Tea\n\nGreen tea is steamed.",
    }
    drop(page, **files, **{"rice 😀.csv": b"dish,rice\ncongee,yes\n", "empty.txt": b""})
    expect(page.locator(".document-row")).to_have_count(5)
    expect(page.locator("#upload-queue .upload-row")).to_have_count(0)
    work()

    expect(row(page, "locked.pdf")).to_contain_text(say("Save it without the password, then upload it again."))
    expect(row(page, "empty.txt")).to_contain_text(say("empty"))
    expect(row(page, "tea.md").locator(".tag-good")).to_be_visible()
    expect(row(page, "虾饺.txt")).to_contain_text("GB18030")
    text = Document.objects.get(name="虾饺.txt")
    for encoding, is_right in (("big5hkscs", False), ("gb18030", True)):
        page.locator(f"#document-{text.pk}-encoding").select_option(encoding)
        row(page, "虾饺.txt").get_by_role("button", name=say("Read again")).press("Enter")
        expect(row(page, "虾饺.txt").locator(".tag-accent")).to_be_visible()
        work()
        expect(row(page, "虾饺.txt").locator(".tag-accent")).to_have_count(0)
        assert (CHINESE in Chunk.objects.filter(document=text).values_list("text", flat=True)) == is_right

    page.goto("/")
    ask(page, "虾饺怎么做?")
    wait_for_answer(page)
    last_answer(page).locator("a.citation").first.press("Enter")
    expect(page.locator("#side mark")).to_have_text(CHINESE)
    page.locator("#side").get_by_role("link", name=say("Open in the document")).press("Enter")
    expect(page.locator("h1")).to_have_text("虾饺.txt")
    expect(page.locator("[data-marked]")).to_have_text(CHINESE)
    expect(page.locator("[data-marked]")).to_be_in_viewport()


def test_the_same_content_is_asked_about_in_its_row(page: Page, mei: User, base: KnowledgeBase) -> None:
    index_now(make_document(base, "rice", "a.txt"))
    sign_in(page, mei)
    page.goto(f"/knowledge/{base.pk}/")
    drop(page, **{"a.txt": b"tea"})
    page.get_by_role("button", name="Keep both").press("Enter")
    expect(page.locator(".document-row")).to_have_count(2)
    expect(page.locator(".upload-row")).to_have_count(0)


def test_a_document_is_deleted_and_brought_back(page: Page, mei: User, base: KnowledgeBase) -> None:
    document = index_now(make_document(base, "rice", "a.txt"))
    sign_in(page, mei)
    page.goto(f"/knowledge/{base.pk}/")
    page.get_by_role("button", name="More for a.txt").press("Enter")
    page.locator(f"#document-{document.pk}-delete").press("Enter")
    expect(page.locator(".document-row")).to_have_count(0)
    page.locator("#toasts").get_by_role("button", name="Undo").press("Enter")
    expect(page.locator(".document-row")).to_have_count(1)


def test_files_are_uploaded_without_scripts(open_page: OpenPage, mei: User, base: KnowledgeBase) -> None:
    page = open_page(scripts=False)
    sign_in(page, mei)
    page.goto(f"/knowledge/{base.pk}/")
    files: list[Any] = [
        {"name": name, "mimeType": "text/plain", "buffer": b"x" * size} for name, size in (("a.txt", 3), ("b.txt", 4))
    ]
    page.locator("#upload-file").set_input_files(files)
    page.get_by_role("button", name="Upload").click()
    expect(page.locator(".document-row")).to_have_count(2)


@pytest.mark.parametrize("look", LOOKS)
def test_its_pages_fit_and_are_accessible(
    open_page: OpenPage, mei: User, base: KnowledgeBase, look: tuple[str, int, str]
) -> None:
    document = index_now(make_document(base, f"# 虾饺\n\n{CHINESE * 40}", f"{'长' * 80}.md"))
    index_now(make_document(base, locked_pdf(), "locked.pdf"))
    make_document(base, "waits", "waits.txt")
    page, chunk = open_page(*look), document.chunks.all()[1]
    sign_in(page, mei)
    paths = [
        "",
        "add/",
        f"{base.pk}/",
        f"{base.pk}/edit/",
        f"{base.pk}/delete/",
        f"documents/{document.pk}/?chunk={chunk.pk}",
    ]
    for path in [*paths, f"{base.pk}/test/?q=虾饺&expected=澄粉"]:
        page.goto(f"/knowledge/{path}")
        expect(page.locator("h1")).to_be_visible()
        assert_fits(page)
        assert_accessible(page)
    page.goto(f"/knowledge/documents/{document.pk}/?chunk={chunk.pk}")
    expect(page.locator("[data-marked]")).to_be_in_viewport()


def test_a_folder_comes_with_its_names_and_without_what_nobody_put_there(
    open_page: OpenPage, mei: User, base: KnowledgeBase, tmp_path: Path
) -> None:
    for name in ("plan.md", "sub/甲.md", ".DS_Store", "~$plan.docx", ".git/config", "sub/Thumbs.db"):
        path = tmp_path / "plans" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"the content of {name}")
    page = open_page("en")
    sign_in(page, mei)
    page.goto(f"/knowledge/{base.pk}/")
    page.set_input_files("#upload-folder", tmp_path / "plans")
    expect(page.locator("[data-upload-count]")).to_have_text("2 of 2 files have arrived.")
    assert set(Document.objects.values_list("name", flat=True)) == {"plans/plan.md", "plans/sub/甲.md"}


def test_the_page_of_a_document_follows_its_indexing(open_page: OpenPage, mei: User, base: KnowledgeBase) -> None:
    document = make_document(base, "# Tea\n\nGreen tea is steamed.", "tea.md")
    page = open_page("en")
    sign_in(page, mei)
    page.goto(f"/knowledge/documents/{document.pk}/")
    expect(page.get_by_text("They appear here as soon as the file is read.")).to_be_visible()
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    index(document)
    expect(page.locator(".chunk-text")).to_have_text("Green tea is steamed.")
    expect(page.get_by_role("button", name="Index again")).to_be_visible()
    expect(page.get_by_role("button", name="Cancel")).to_be_hidden()

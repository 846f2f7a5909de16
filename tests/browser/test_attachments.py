"""Files of a conversation in a real browser: dropped, watched, asked about, kept; the worker is played by a call."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from chat.models import Conversation
from knowledge.attaching import make_attached_base
from knowledge.models import Document, KnowledgeBase
from tests.browser.chatting import last_answer, open_conversation, wait_for_answer
from tests.browser.conftest import OpenPage
from tests.browser.pages import assert_accessible, assert_fits, sign_in
from tests.browser.test_knowledge import drop_on, locked_pdf, work
from tests.browser.test_shell import LOOKS
from tests.factories import make_conversation
from tests.knowledge.documents import index_now, make_base, make_document
from xiajiao.models import User

TEA = "# Tea\n\nGreen tea is steamed at once, so that it stays green."


def chip(page: Page, name: str) -> Any:
    return page.locator(".attachment", has_text=name)


def test_a_new_chat_begins_with_files_that_are_asked_about_and_kept(page: Page, person: User) -> None:
    make_base(owner=person, name="Kitchen")
    sign_in(page, person)
    page.goto("/")
    page.locator("#composer-text").fill("What is steamed at once?")
    drop_on(page, ".pane-main", {"tea 😀.md": TEA.encode(), "locked.pdf": locked_pdf()})
    page.wait_for_url("**/conversations/*/")
    expect(page.locator("#composer-text")).to_have_value("What is steamed at once?")
    expect(page.locator(".attachment")).to_have_count(2)
    work()
    expect(chip(page, "tea")).to_have_attribute("data-state", "ready")
    expect(chip(page, "locked.pdf")).to_contain_text("Save it without the password, then upload it again.")
    chip(page, "locked.pdf").get_by_role("button", name="Remove locked.pdf").press("Enter")
    expect(page.locator(".attachment")).to_have_count(1)
    expect(page.locator("#composer-text")).to_be_focused()

    page.locator("#composer-text").press("Enter")
    wait_for_answer(page)
    expect(page.locator("#conversation-title")).to_have_text("What is steamed at once?")
    expect(last_answer(page)).to_contain_text("Green tea is steamed at once")
    expect(page.locator(".attachment")).to_have_count(0)
    last_answer(page).locator("a.citation").first.press("Enter")
    expect(page.locator("#side")).to_contain_text("Green tea is steamed")

    page.locator("#attachments a.chip").press("Enter")
    page.locator("#side").get_by_role("link", name="Keep in a base").press("Enter")
    page.locator("#dialog-body").get_by_role("button", name="Keep it").press("Enter")
    expect(page.locator("#toasts")).to_contain_text("is being read into")
    expect(page.locator("#dialog-title")).to_have_count(0)
    assert KnowledgeBase.objects.get(name="Kitchen").documents.get().name == "tea 😀.md"


def test_a_removed_file_comes_back_and_a_file_is_chosen_or_pasted(page: Page, person: User) -> None:
    open_conversation(page, make_conversation(user=person, agent=person.agents.get()))
    files: list[Any] = [{"name": "a.txt", "mimeType": "text/plain", "buffer": b"rice"}]
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Attach files").press("Enter")
    chooser.value.set_files(files)
    expect(chip(page, "a.txt")).to_be_visible()
    page.evaluate("""() => {
        const data = new DataTransfer();
        data.items.add(new File(["tea"], "pasted.txt"));
        document.getElementById("composer-text").dispatchEvent(
            new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }""")
    expect(chip(page, "pasted.txt")).to_be_visible()
    chip(page, "a.txt").get_by_role("button", name="Remove a.txt").press("Enter")
    expect(page.locator(".attachment")).to_have_count(1)
    page.locator("#toasts").get_by_role("button", name="Undo").press("Enter")
    expect(page.locator(".attachment")).to_have_count(2)


def test_files_are_attached_without_scripts(open_page: OpenPage, person: User) -> None:
    page = open_page(scripts=False)
    sign_in(page, person)
    page.goto("/")
    page.locator("#composer-text").fill("What is it?")
    files: list[Any] = [{"name": "a.txt", "mimeType": "text/plain", "buffer": b"rice"}]
    page.locator('#composer-form [name="file"]').set_input_files(files)
    page.get_by_role("button", name="Attach", exact=True).click()
    expect(page.locator("#composer-text")).to_have_value("What is it?")
    expect(chip(page, "a.txt")).to_be_visible()
    page.get_by_role("button", name="Remove a.txt").click()
    expect(page.locator(".attachment")).to_have_count(0)
    assert Conversation.objects.get().user == person
    assert Document.objects.get().deleted_at is not None


@pytest.mark.parametrize("look", LOOKS)
def test_chips_and_list_fit_and_are_accessible(open_page: OpenPage, person: User, look: tuple[str, int, str]) -> None:
    conversation = make_conversation(user=person, agent=person.agents.get())
    base = make_attached_base(person, conversation.pk)
    index_now(make_document(base, TEA, f"{'长' * 80}.md"))
    index_now(make_document(base, locked_pdf(), "locked.pdf"))
    make_document(base, "waits", "waits.txt")
    page = open_page(*look)
    open_conversation(page, conversation)
    expect(page.locator(".attachment")).to_have_count(3)
    for path in ("", "files/"):
        page.goto(f"/conversations/{conversation.pk}/{path}")
        assert_fits(page)
        assert_accessible(page)
    page.goto(f"/knowledge/documents/{base.documents.order_by('pk')[0].pk}/keep/")
    assert_fits(page)
    assert_accessible(page)

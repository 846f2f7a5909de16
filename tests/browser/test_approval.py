"""What an agent that asks first wants to keep waits under its answer, and is kept as its person says."""

from playwright.sync_api import expect

from memories.models import Memory, PendingWrite
from tests.browser.chatting import say, wait_for_answer
from tests.browser.conftest import OpenPage
from tests.browser.pages import assert_accessible, assert_fits, sign_in
from tests.browser.remembering import speak
from tests.openai_stub import OpenAIStub, calls
from xiajiao.models import User

words = speak("zh")


def test_one_thing_is_kept_in_other_words_and_one_is_not(
    open_page: OpenPage, person: User, openai_stub: OpenAIStub
) -> None:
    person.agents.update(asks_before_writing=True)
    facts = ("用户叫林梅", "用户对花生过敏")
    openai_stub.answers(calls(*[("memory_write", {"content": fact}) for fact in facts]))
    openai_stub.says("好的。")
    page = open_page("zh", 390, "dark")
    sign_in(page, person)
    page.goto(f"/?agent={person.agents.get().pk}")
    say(page, "我叫林梅，对花生过敏")
    wait_for_answer(page)
    assert not Memory.objects.exists()

    page.locator(".chip-warning").click()
    rows = page.locator("#side .pending")
    expect(rows).to_have_count(2)
    rows.nth(0).get_by_text(words("Change the text first")).click()
    rows.nth(0).get_by_label(words("Text to be kept")).fill("用户叫林梅，笔名梅子")
    assert_accessible(page)
    assert_fits(page)
    rows.nth(0).get_by_role("button", name=words("Approve")).press("Enter")
    expect(rows.nth(0)).to_have_attribute("data-state", "approved")
    expect(rows.nth(0).get_by_role("status")).to_be_focused()
    expect(rows.nth(0)).to_contain_text("笔名梅子")
    rows.nth(1).get_by_role("button", name=words("Reject")).click()
    expect(rows.nth(1)).to_have_attribute("data-state", "rejected")

    page.goto("/memories/")
    expect(page.locator("main")).to_contain_text("用户叫林梅，笔名梅子")
    expect(page.locator("main")).not_to_contain_text(facts[1])
    assert PendingWrite.objects.waiting().count() == 0
    page.goto("/memories/waiting/")
    expect(page.get_by_text(words("Nothing waits for you"))).to_be_visible()
    assert_accessible(page)
    assert_fits(page)

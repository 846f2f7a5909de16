"""The list of conversations beside the thread."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import FloatRect, Locator, Page, expect

from chat.models import Conversation
from chat.search import index_conversation
from tests.browser.chatting import begin, open_conversation, say, wait_for_answer
from tests.browser.pages import sign_in
from tests.factories import make_agent, make_conversation
from tests.openai_stub import OpenAIStub, Reply
from xiajiao.models import User


@pytest.fixture
def many(person: User) -> list[Conversation]:
    """Forty of today and five of last week."""
    agent, now = person.agents.get(), timezone.now()
    moments = [now] * 40 + [now - timedelta(days=5)] * 5
    rows = [
        make_conversation(f"Words {number}", agent=agent, user=person, title=f"Talk {number}", updated_at=moment)
        for number, moment in enumerate(moments)
    ]
    for row in rows:
        index_conversation(row)
    return rows


def box_of(element: Locator) -> FloatRect:
    box = element.bounding_box()
    assert box is not None
    return box


def right_of(element: Locator) -> float:
    return box_of(element)["x"] + box_of(element)["width"]


def titles(page: Page) -> list[str]:
    return page.locator(".conversation-title").all_inner_texts()


def test_a_search_marks_what_it_found(page: Page, many: list[Conversation]) -> None:
    open_conversation(page, many[0])
    page.keyboard.press("Control+k")
    page.keyboard.type("talk 7")
    expect(page.locator(".conversation mark").first).to_have_text("Talk")
    expect(page.locator(".conversation-title").first).to_have_text("Talk 7")
    page.locator(".list-filter [type=search]").fill("nothing like it")
    expect(page.get_by_text("Nothing found.")).to_be_visible()
    page.locator(".list-filter [type=search]").fill("")
    expect(page.locator(".conversation")).to_have_count(30)


def test_one_agents_conversations_alone_are_shown(page: Page, person: User) -> None:
    other = make_agent(owner=person, name="Translator")
    make_conversation(agent=person.agents.get(name="Helper"), user=person, title="With the helper")
    conversation = make_conversation(agent=other, user=person, title="With the translator")
    open_conversation(page, conversation)
    page.get_by_label("Agent").select_option(label="Translator")
    expect(page.locator(".conversation")).to_have_count(1)

    assert titles(page) == ["With the translator"]
    expect(page.locator(".conversation")).to_have_attribute("aria-current", "page")


def test_older_ones_come_below_without_a_second_heading(page: Page, many: list[Conversation]) -> None:
    open_conversation(page, many[0])
    assert page.locator(".conversation").count() == 30
    page.get_by_role("button", name="Older ones").click()
    expect(page.locator(".conversation")).to_have_count(45)

    assert page.locator(".conversation-list h3").all_inner_texts() == ["Today", "Last 7 days"]
    assert len(set(titles(page))) == 45
    expect(page.get_by_role("button", name="Older ones")).to_have_count(0)


def test_a_conversation_moves_to_the_top_when_something_is_said_in_it(
    page: Page, many: list[Conversation], openai_stub: OpenAIStub
) -> None:
    openai_stub.always(Reply(text="Well."))
    open_conversation(page, many[44])
    say(page, "Still there?")
    expect(page.locator(".conversation-title").first).to_have_text("Talk 44")
    expect(page.locator(".conversation").first).to_have_attribute("aria-current", "page")


def test_a_conversation_gets_another_name(page: Page, person: User, openai_stub: OpenAIStub) -> None:
    openai_stub.always(Reply(text="Well."))
    begin(page, person, "First words")
    wait_for_answer(page)
    page.get_by_role("button", name="This conversation").press("Enter")
    page.get_by_role("button", name="Rename").press("Enter")
    expect(page.locator("#rename [name=title]")).to_be_focused()
    page.locator("#rename [name=title]").fill("About dumplings")
    page.keyboard.press("Enter")

    expect(page.locator("h1")).to_have_text("About dumplings")
    expect(page.locator(".conversation-title").first).to_have_text("About dumplings")
    expect(page).to_have_title("About dumplings · Xiajiao")


def test_a_deleted_conversation_can_be_brought_back(page: Page, person: User, openai_stub: OpenAIStub) -> None:
    openai_stub.always(Reply(text="Well."))
    begin(page, person, "Keep me")
    wait_for_answer(page)
    page.get_by_role("button", name="This conversation").click()
    opener, menu = page.locator("[popovertarget=conversation-menu]"), page.locator("#conversation-menu")
    assert box_of(menu)["y"] >= box_of(opener)["y"] + box_of(opener)["height"]
    assert right_of(menu) == pytest.approx(right_of(opener), abs=2)
    page.locator("#conversation-menu").get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Yes, go on").click()
    expect(page.locator(".conversation")).to_have_count(0)
    toast = box_of(page.locator(".toast-note"))
    assert toast["y"] + toast["height"] <= box_of(page.locator(".composer-box"))["y"]
    page.locator(".toast-note").get_by_role("button", name="Undo").click()
    expect(page.locator(".message-user")).to_contain_text("Keep me")


def test_a_phone_shows_the_list_first_and_a_way_back_to_it(page: Page, many: list[Conversation]) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    sign_in(page, many[0].user)
    page.goto("/")
    expect(page.locator("#composer-text")).to_be_hidden()
    page.get_by_role("link", name="Talk 39").click()
    expect(page.locator("#composer-text")).to_be_visible()
    expect(page.locator(".conversation").first).to_be_hidden()
    page.get_by_role("link", name="Conversations", exact=True).click()
    expect(page.locator(".conversation").first).to_be_visible()
    page.get_by_role("link", name="New", exact=True).click()
    expect(page.locator("#composer-text")).to_be_focused()

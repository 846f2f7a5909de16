"""From a memory to what was said, and from what was said to what was learned."""

import pytest
from playwright.sync_api import Page, expect

from chat.models import Conversation, Message, Recalled
from memories.gate import Draft, Origin, write
from memories.models import Memory
from tests.browser.chatting import begin, last_answer, open_conversation, wait_for_answer
from tests.browser.conftest import OpenPage
from tests.browser.pages import assert_accessible, assert_fits, sign_in
from tests.chat.turning import make_branch, wait_for
from tests.factories import make_conversation
from tests.openai_stub import OpenAIStub
from xiajiao.models import User

CAT = "The user has a cat named Milo."
TITLES = {"en": "Where it comes from", "zh": "来自哪里"}


@pytest.fixture
def said(person: User) -> Message:
    """1,100 messages, of which one far up is where the memory comes from."""
    conversation = make_conversation(agent=person.agents.get(), user=person, title="Pets")
    made = make_branch(conversation, 1_100)
    Message.objects.filter(pk=made[80].pk).update(content="Good morning. I have a cat named Milo. And you?")
    origin = Origin("agent", "tool", person.pk, conversation.pk, [made[80].pk], made[81].pk)
    memory = write(person.agents.get(), person.pk, Draft(CAT, quote="I have a cat named Milo."), origin).memory
    Recalled.objects.create(
        message=made[1_001], memory=memory, content=CAT, category="semantic", rank=1, score=0.8, reason="relevant"
    )
    return made[80]


def open_memory(page: Page, person: User) -> None:
    sign_in(page, person)
    page.goto("/memories/")
    page.locator(".memory-text").first.click()
    expect(page.locator("#side .memory-sources h3").first).to_be_visible()


@pytest.mark.parametrize("look", [("en", 1280, "light"), ("zh", 1280, "dark"), ("zh", 360, "light")])
def test_a_memory_leads_to_its_message_a_thousand_messages_up(
    open_page: OpenPage, person: User, said: Message, look: tuple[str, int, str]
) -> None:
    page = open_page(*look)
    open_memory(page, person)
    sources = page.locator("#side .memory-sources")
    expect(sources).to_contain_text(TITLES[look[0]])
    expect(sources.locator("mark")).to_have_text("I have a cat named Milo.")
    assert_accessible(page)
    assert_fits(page)
    sources.get_by_role("link", name="Pets").click()

    message = page.locator(f"#message-{said.pk}")
    expect(message).to_be_in_viewport()
    expect(message).to_be_focused()
    expect(message).to_have_class("message message-user is-sought")
    assert page.locator(".message").count() < 100
    assert_accessible(page)
    assert_fits(page)


def test_the_keyboard_leads_there_and_back_to_the_end(page: Page, person: User, said: Message) -> None:
    open_memory(page, person)
    page.locator("#side").get_by_role("link", name="Pets").focus()
    page.keyboard.press("Enter")
    expect(page.locator(f"#message-{said.pk}")).to_be_focused()
    page.get_by_role("button", name="To the latest").press("Enter")

    expect(page.get_by_text("Message 1099", exact=True)).to_be_in_viewport()


def read_on(page: Page) -> bool:
    """Scroll to the end of what is there."""
    page.locator("#scroller").evaluate("scroller => { scroller.scrollTop = scroller.scrollHeight; }")
    return True


def test_the_branch_is_read_on_downwards_and_upwards_without_a_jump(page: Page, person: User, said: Message) -> None:
    sign_in(page, person)
    page.goto(f"/conversations/{said.conversation_id}/?message={said.pk}")
    expect(page.locator(f"#message-{said.pk}")).to_be_in_viewport()
    last = page.locator(".message").last
    page.locator("#scroller").evaluate("scroller => { scroller.scrollTop = scroller.scrollHeight - 1500; }")
    before = last.bounding_box()
    page.locator("[data-later]").evaluate("button => button.click()")
    expect(page.get_by_text("Message 140", exact=True)).to_be_attached()
    after = page.get_by_text("Message 109", exact=True).locator("xpath=ancestor::article").bounding_box()
    assert before is not None
    assert after is not None
    assert abs(after["y"] - before["y"]) <= 1
    wait_for(lambda: read_on(page) and page.get_by_text("Message 200", exact=True).count())

    shown = page.locator(".message").evaluate_all("all => all.map((each) => Number(each.id.split('-')[1]))")
    assert shown == sorted(shown)
    assert len(shown) == len(set(shown))


def test_what_is_sent_from_the_middle_stands_at_the_end(
    page: Page, person: User, said: Message, openai_stub: OpenAIStub
) -> None:
    openai_stub.says("A cat!")
    sign_in(page, person)
    page.goto(f"/conversations/{said.conversation_id}/?message={said.pk}")
    page.locator("#composer-text").fill("What do I have?")
    page.keyboard.press("Enter")
    wait_for_answer(page)

    expect(last_answer(page)).to_contain_text("A cat!")
    expect(page.get_by_text("Message 1099", exact=True)).to_be_attached()
    expect(page.locator("#composer-text")).to_have_value("")


def test_a_turn_that_knew_it_is_one_click_away(page: Page, person: User, said: Message) -> None:
    open_memory(page, person)
    page.locator("#side .recall").get_by_role("link").click()

    answer = Recalled.objects.get().message
    expect(page.locator(f"#message-{answer.pk}")).to_be_focused()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_message_shows_what_was_learned_from_it(
    open_page: OpenPage, person: User, openai_stub: OpenAIStub, language: str
) -> None:
    openai_stub.calls("memory_write", content=CAT)
    openai_stub.says("Noted.")
    page = open_page(language)
    begin(page, person, "I have a cat named Milo")
    wait_for_answer(page)
    name = {"en": "What was learned from this", "zh": "从这里记住了什么"}[language]
    button = page.locator(".message-user").get_by_role("button", name=name)
    button.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#side [data-side-title]")).to_have_text(name)
    expect(page.locator("#side")).to_contain_text(CAT)
    assert_accessible(page)
    page.keyboard.press("Escape")
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    page.locator("#side .knew-row a").press("Enter")
    expect(page.locator("#side .memory-sources mark")).to_have_text("I have a cat named Milo")

    assert Memory.objects.get().quote == "I have a cat named Milo"


def test_another_version_is_turned_to(page: Page, person: User) -> None:
    conversation = make_conversation(agent=person.agents.get(), user=person)
    made = make_branch(conversation, 4)
    other = Message.objects.create(conversation=conversation, role="user", content="Another beginning")
    Conversation.objects.filter(pk=conversation.pk).update(leaf=other)
    open_conversation(page, conversation)
    expect(page.get_by_text("Another beginning")).to_be_visible()
    page.goto(f"/conversations/{conversation.pk}/?message={made[1].pk}#message-{made[1].pk}")

    expect(page.locator(f"#message-{made[1].pk}")).to_be_focused()
    expect(page.get_by_text("Another beginning")).to_have_count(0)

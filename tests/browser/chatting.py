"""What a person does on the chat page, and what a test looks at while an answer is written."""

from typing import Any

from playwright.sync_api import Locator, Page, expect

from chat.models import Conversation
from tests.browser.pages import sign_in
from xiajiao.models import User

# What each frame shows: where the composer, the earlier messages and the answer's first words are, and what sticks out.
WATCH = """
window.frames_seen = [];
(function look() {
  const scroller = document.getElementById("scroller");
  const at = (element) => element ? Math.round(element.getBoundingClientRect().top + scroller.scrollTop) : null;
  const messages = [...scroller.querySelectorAll(".message")];
  const answer = messages.at(-1);
  window.frames_seen.push({
    composer: JSON.stringify(document.querySelector(".composer-box").getBoundingClientRect()),
    earlier: messages.slice(0, -1).map(at).join(),
    words: answer.querySelector(".prose p") ? at(answer.querySelector(".prose p")) : null,
    read: Math.round(messages[0].getBoundingClientRect().top),
    isWide: scroller.scrollWidth > scroller.clientWidth || document.documentElement.scrollWidth > innerWidth,
    isAtEnd: scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 4,
  });
  requestAnimationFrame(look);
})();
"""


def say(page: Page, text: str) -> None:
    page.locator("#composer-text").fill(text)
    page.locator("#composer-text").press("Enter")


def begin(page: Page, person: User, text: str = "Hello") -> None:
    """A new conversation with this message; the answer is on its way."""
    sign_in(page, person)
    page.goto("/")
    say(page, text)
    page.wait_for_url("**/conversations/*/")


def open_conversation(page: Page, conversation: Conversation) -> None:
    sign_in(page, conversation.user)
    page.goto(f"/conversations/{conversation.pk}/")


def last_answer(page: Page) -> Locator:
    return page.locator(".message-assistant").last


def wait_for_answer(page: Page, status: str = "done", count: int | None = None) -> None:
    """`count`: of messages that there are then, where an earlier answer stands there already."""
    if count is not None:
        expect(page.locator(".message")).to_have_count(count)
    expect(last_answer(page)).to_have_attribute("data-status", status)


def watch(page: Page) -> None:
    page.evaluate(WATCH)


def seen(page: Page, name: str) -> list[Any]:
    """The different values of this kind since `watch`, in the order in which they came; nothing is left out."""
    values = page.evaluate("name => window.frames_seen.map((frame) => frame[name])", name)
    return list(dict.fromkeys(value for value in values if value is not None))

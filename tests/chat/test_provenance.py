"""From a memory to what was said and to the turns that knew it, and from a message to what was learned."""

from __future__ import annotations

import pytest
from django.test import Client

from chat.deletion import delete_conversation, delete_message
from chat.models import Recalled
from memories.changes import delete, edit
from memories.gate import Draft, Origin, write
from memories.models import Memory
from tests.chat.remembering import answer_to, begin_talk, find
from tests.chat.turning import make_branch
from tests.factories import make_agent, make_conversation, make_memory, make_user
from tests.openai_stub import OpenAIStub
from xiajiao.models import User

pytestmark = pytest.mark.django_db

HEARD = "你好！我养了一只猫。今天天气不错。"
CAT = "用户养了一只猫。"
HX = {"HX-Request": "true"}


def sources(client: Client, memory: Memory, query: str = "") -> str:
    return client.get(f"/memories/{memory.pk}/sources/{query}", headers=HX).content.decode()


def learned(client: Client, message_id: int) -> str:
    return client.get(f"/messages/{message_id}/memories/", headers=HX).content.decode()


def test_a_memory_shows_its_message_with_the_quote_marked_and_leads_there(
    signed_in: Client, user: User, openai_stub: OpenAIStub
) -> None:
    talk = begin_talk(openai_stub, make_agent(owner=user))
    message = talk.say(HEARD, CAT)

    assert find(CAT).quote == "我养了一只猫。"
    page = sources(signed_in, find(CAT))
    assert "你好！<mark>我养了一只猫。</mark>今天天气不错。" in page
    assert f'href="/conversations/{talk.conversation.pk}/?message={message.pk}#message-{message.pk}"' in page


def test_each_message_that_said_it_is_shown(signed_in: Client, user: User, openai_stub: OpenAIStub) -> None:
    agent = make_agent(owner=user)
    begin_talk(openai_stub, agent).say(HEARD, CAT)
    begin_talk(openai_stub, agent).say("再说一遍，我养了一只猫", CAT)

    page = sources(signed_in, find(CAT))
    assert page.count("<mark>") == 2
    assert page.index("你好") < page.index("再说一遍")


def test_markup_in_a_message_is_text(signed_in: Client, user: User, openai_stub: OpenAIStub) -> None:
    begin_talk(openai_stub, make_agent(owner=user)).say("<b>I like tea</b> <script>x</script>", "I like tea")

    page = sources(signed_in, find("I like tea"))
    assert "&lt;b&gt;<mark>I like tea</mark>&lt;/b&gt;" in page
    assert "<script>" not in page


def test_of_a_long_message_what_stands_around_the_quote_is_shown(
    signed_in: Client, user: User, openai_stub: OpenAIStub
) -> None:
    text = "x" * 5_000 + "\nI keep bees.\n" + "y" * 5_000
    begin_talk(openai_stub, make_agent(owner=user)).say(text, "The user keeps bees.")

    page = sources(signed_in, find("The user keeps bees."))
    assert "<mark>I keep bees.</mark>" in page
    assert len(page) < 5_000


@pytest.mark.parametrize(
    ("how", "words"), [("edited", "earlier version"), ("deleted", "deleted"), ("conversation", "deleted")]
)
def test_a_message_that_stands_no_more_is_marked(
    signed_in: Client, user: User, openai_stub: OpenAIStub, how: str, words: str
) -> None:
    talk = begin_talk(openai_stub, make_agent(owner=user, when_source_goes="keep"))
    message = talk.say(HEARD, CAT)
    if how == "edited":
        talk.edit(message, "Hi")
    elif how == "deleted":
        delete_message(message)
    else:
        delete_conversation(talk.conversation)

    page = sources(signed_in, find(CAT))
    assert words in page
    assert ("?message=" in page) == (how == "edited")


def test_without_a_message_the_page_says_where_it_comes_from(signed_in: Client, user: User) -> None:
    agent = make_agent(owner=user)
    by_hand = write(agent, user.pk, Draft("I like tea"), Origin("person", "manual", user.pk)).memory
    imported = make_memory(agent, "I like cake", source="import")
    lost = make_memory(agent, "I like jam", source="tool", message_ids=[10**9])

    assert "written by hand" in sources(signed_in, by_hand)
    assert "import" in sources(signed_in, imported)
    assert "no longer there" in sources(signed_in, lost)
    assert "No answer has known it yet." in sources(signed_in, by_hand)


def test_turns_that_knew_it_are_listed_newest_first_page_by_page(signed_in: Client, user: User) -> None:
    agent = make_agent(owner=user)
    memory = make_memory(agent, CAT)
    conversation = make_conversation(agent=agent, title="Pets")
    for message in make_branch(conversation, 50)[1::2]:
        Recalled.objects.create(
            message=message, memory=memory, content=CAT, category="semantic", rank=1, reason="pinned"
        )

    first = sources(signed_in, memory)
    assert first.index("Message 48") < first.index("Message 46")
    assert "Message 28" not in first
    older = Recalled.objects.order_by("-pk")[9].pk
    second = sources(signed_in, memory, f"?older_than={older}")
    assert "Message 28" in second
    assert "Where it comes from" not in second
    assert "pinned: always known" in first


def test_staff_see_that_there_is_a_source_and_not_what_it_says(
    client: Client, user: User, openai_stub: OpenAIStub
) -> None:
    begin_talk(openai_stub, make_agent(owner=user)).say(HEARD, CAT)
    client.force_login(make_user(is_staff=True))

    page = sources(client, find(CAT))
    assert f"1 message of {user.username}" in page
    assert "天气" not in page
    assert "/conversations/" not in page


def test_nobody_else_sees_anything(client: Client, user: User, openai_stub: OpenAIStub) -> None:
    message = begin_talk(openai_stub, make_agent(owner=user)).say(HEARD, CAT)
    client.force_login(make_user())

    assert client.get(f"/memories/{find(CAT).pk}/sources/").status_code == 404
    assert client.get(f"/messages/{message.pk}/memories/").status_code == 404


def test_a_message_shows_what_was_learned_from_it_and_how_it_stands_now(
    signed_in: Client, user: User, openai_stub: OpenAIStub
) -> None:
    talk = begin_talk(openai_stub, make_agent(owner=user))
    talk.say("我住在北京", "用户住在北京。")
    message = talk.say("我搬到上海了，养了一只猫", "用户住在上海。", CAT)
    edit(find(CAT), {"content": "用户养了两只猫。"}, Origin("person", "manual", user.pk))

    for pk in (message.pk, answer_to(message).pk):
        page = learned(signed_in, pk)
        assert "replaced an older one" in page
        assert "用户住在上海。" in page
        assert "用户养了两只猫。" in page
        assert "北京" not in page

    delete(find("用户住在上海。"), Origin("person", "manual", user.pk))
    assert "deleted" in learned(signed_in, message.pk)


def test_what_was_made_of_a_message_later_is_learned_from_it_too(signed_in: Client, user: User) -> None:
    conversation = make_conversation(HEARD, agent=make_agent(owner=user))
    assert conversation.leaf is not None
    origin = Origin("extraction", "extraction", None, conversation.pk, [conversation.leaf.pk])
    write(conversation.agent, user.pk, Draft(CAT), origin)

    assert CAT in learned(signed_in, conversation.leaf.pk)
    assert "<mark>我养了一只猫。</mark>" in sources(signed_in, find(CAT))


def test_a_message_of_which_nothing_was_learned_says_so(signed_in: Client, user: User) -> None:
    conversation = make_conversation("Hi", agent=make_agent(owner=user))
    assert conversation.leaf is not None

    assert "Nothing was remembered here." in learned(signed_in, conversation.leaf.pk)


def test_both_are_pages_of_their_own_without_htmx(signed_in: Client, user: User, openai_stub: OpenAIStub) -> None:
    message = begin_talk(openai_stub, make_agent(owner=user)).say(HEARD, CAT)

    for address in (f"/memories/{find(CAT).pk}/sources/", f"/messages/{message.pk}/memories/"):
        assert "<!doctype html>" in signed_in.get(address).content.decode()

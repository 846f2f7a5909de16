from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from memories.models import Agent
from memories.profiles.editing import ProfileChange, ProfileKey, change_file, make_key, read_file
from memories.profiles.sections import read_section
from memories.profiles.souls import put_soul, read_soul
from tests.factories import make_agent, make_conversation, make_memory, make_provider, make_user
from xiajiao.models import User
from xiajiao.tools import list_offers

TOOLS = [offer.tool.name for offer in list_offers()]


def fields(**changes: Any) -> dict[str, Any]:
    known = {
        "name": "Translator",
        "language": "en",
        "base_prompt": "You translate.",
        "allowed_tools": TOOLS,
        "auto_inject_memory": "on",
        "top_k": 10,
        "memory_position": Agent.MemoryPosition.SYSTEM_END,
        "when_source_goes": "ask",
        "default_mode": "normal",
        "extracts": "on",
        "extract_every": 20,
        "idle_minutes": 10,
    }
    return known | changes


def test_a_new_agent_belongs_to_who_made_it(signed_in: Client, user: User) -> None:
    signed_in.post(reverse("memories:agent_create"), fields())

    agent = Agent.objects.get()
    assert (agent.owner, agent.name, agent.allowed_tools) == (user, "Translator", None)
    assert "I am Translator, an assistant" in read_file(ProfileKey(agent, "soul")).text


def test_a_new_agent_is_who_its_owner_says(signed_in: Client) -> None:
    signed_in.post(reverse("memories:agent_create"), fields(template="butler", character="Dry", called="Mei"))

    agent = Agent.objects.get()
    soul = read_file(ProfileKey(agent, "soul")).text
    assert read_file(make_key(agent, "user", agent.owner_id)).text == "## What to call them\nMei\n"
    assert "your butler" in soul
    assert read_section(soul, "Character") == "Dry"


def test_it_is_said_what_was_left_out_of_a_new_agents_files(signed_in: Client) -> None:
    said = fields(character="Uses sk-proj-abcdefghijklmnopqrstuvwx12345678", redacted_kinds=["api_key"])
    page = signed_in.post(reverse("memories:agent_create"), said, follow=True).content.decode()

    assert "Translator is ready to talk. Left out, to be safe: an API key." in page


def test_a_new_agent_is_offered_a_prompt_that_calls_it_by_no_name(signed_in: Client) -> None:
    form = signed_in.get(reverse("memories:agent_create")).context["form"]

    assert form["base_prompt"].value().startswith("- Answer in the user's language.")


def test_a_choice_of_tools_is_kept_and_all_of_them_mean_later_ones_too(signed_in: Client, user: User) -> None:
    agent = make_agent(owner=user)
    address = reverse("memories:agent_update", args=[agent.pk])

    signed_in.post(address, fields(allowed_tools=["memory_search"]))
    agent.refresh_from_db()
    assert agent.allowed_tools == ["memory_search"]
    assert not agent.allows("memory_write")

    signed_in.post(address, fields(allowed_tools=TOOLS))
    agent.refresh_from_db()
    assert agent.allows("a_tool_of_next_year")


def test_an_agent_may_have_no_tools(signed_in: Client, user: User) -> None:
    agent = make_agent(owner=user)

    signed_in.post(reverse("memories:agent_update", args=[agent.pk]), fields(allowed_tools=[]))

    agent.refresh_from_db()
    assert not any(agent.allows(name) for name in TOOLS)


@pytest.mark.parametrize(
    "wrong",
    [
        {"top_k": 0},
        {"top_k": 51},
        {"temperature": 2.1},
        {"relevance_floor": 1.5},
        {"name": ""},
        {"allowed_tools": ["x"]},
    ],
)
def test_values_out_of_bounds_come_back_with_the_form(signed_in: Client, wrong: dict[str, Any], db: None) -> None:
    response = signed_in.post(reverse("memories:agent_create"), fields(base_prompt="Keep this.") | wrong)

    assert response.status_code == 422
    assert "Keep this." in response.text
    assert not Agent.objects.exists()


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"temperature": "2.1"}, "请填写 0 到 2 之间的数字"),
        ({"temperature": "warm"}, "请填写 0 到 2 之间的数字"),
        ({"top_k": "0"}, "请填写 1 到 50 之间的整数。"),
        ({"top_k": "70000"}, "请填写 1 到 50 之间的整数。"),
        ({"relevance_floor": "-1"}, "请填写 0 到 1 之间的数字"),
    ],
)
def test_a_number_out_of_bounds_is_told_its_range(
    signed_in: Client, user: User, wrong: dict[str, str], sentence: str
) -> None:
    user.language = "zh-hans"
    user.save()
    response = signed_in.post(reverse("memories:agent_create"), fields() | wrong)

    errors = response.context["form"].errors
    assert list(errors) == list(wrong)
    assert [text.startswith(sentence) for text in errors[next(iter(wrong))]] == [True]


def test_a_copy_has_the_settings_and_no_memories(signed_in: Client, user: User) -> None:
    agent = make_agent(owner=user, name="Reviewer", base_prompt="Look closely.", is_shared=True, top_k=3)
    make_memory(agent, "The user likes tests")
    put_soul(agent, "## Identity\r\nI am strict.", ProfileChange("created", "system"))
    change_file(make_key(agent, "user", user.pk), lambda _text: "Mine", ProfileChange("edited", "person"))

    signed_in.post(reverse("memories:agent_copy", args=[agent.pk]))

    copy = Agent.objects.exclude(pk=agent.pk).get()
    assert (copy.base_prompt, copy.top_k, copy.is_shared, copy.memories.count()) == ("Look closely.", 3, False, 0)
    assert copy.uid != agent.uid
    assert read_soul(copy) == "## Identity\r\nI am strict."
    assert read_file(make_key(copy, "user", user.pk)).text == ""
    assert agent.memories.count() == 1


def test_an_archived_agent_keeps_what_it_has_and_comes_back(signed_in: Client, user: User) -> None:
    agent = make_agent(owner=user)
    make_memory(agent, "The user likes tests")
    conversation = make_conversation("Hello", agent=agent)
    address = reverse("memories:agent_archive", args=[agent.pk])

    signed_in.post(address)
    assert not Agent.objects.unarchived().exists()
    conversation.refresh_from_db()
    assert (conversation.messages.count(), agent.memories.count()) == (1, 1)

    signed_in.post(address)
    assert Agent.objects.unarchived().get() == agent


def test_archiving_twice_archives(signed_in: Client, user: User) -> None:
    agent = make_agent(owner=user)
    address = reverse("memories:agent_archive", args=[agent.pk])
    for said, remains in (("on", 0), ("on", 0), ("off", 1), ("off", 1)):
        signed_in.post(address, {"to": said})
        assert Agent.objects.unarchived().count() == remains


def test_only_the_owner_changes_a_shared_agent(signed_in: Client, user: User) -> None:
    agent = make_agent(name="Shared one", is_shared=True)

    assert "Shared one" in signed_in.get(reverse("memories:agent_list")).text
    assert signed_in.get(reverse("memories:agent_update", args=[agent.pk])).status_code == 404
    answers = [
        signed_in.post(reverse(f"memories:{name}", args=[agent.pk]), fields())
        for name in ("agent_update", "agent_copy", "agent_archive")
    ]
    assert {answer.status_code for answer in answers} == {404}


def test_agents_of_others_are_not_seen(signed_in: Client) -> None:
    make_agent(name="Their secret one")

    assert "Their secret one" not in signed_in.get(reverse("memories:agent_list")).text


def test_cards_count_the_persons_own_memories(signed_in: Client, user: User) -> None:
    agent = make_agent(owner=user, is_shared=True)
    make_memory(agent, "Mine", category="episodic")
    make_memory(agent, "Theirs", category="episodic", user=make_user())

    counted = Agent.objects.with_counts(user).get()
    assert (counted.semantic_count, counted.episodic_count) == (0, 1)  # type: ignore[attr-defined]


def test_the_model_picker_offers_what_the_provider_lists(signed_in: Client) -> None:
    make_provider(is_default=True, model_names=["default-model"])
    other = make_provider(model_names=["qwen3:8b"])
    hidden = make_provider(model_names=["off"], enabled=False)
    address = reverse("memories:agent_models")

    assert "qwen3:8b" in signed_in.get(address, {"provider": other.pk}).text
    assert "default-model" in signed_in.get(address, {"provider": ""}).text
    assert "off" not in signed_in.get(address, {"provider": hidden.pk}).text
    assert signed_in.get(address, {"provider": "x"}).status_code == 200

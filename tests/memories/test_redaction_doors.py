"""Secrets stay outside whichever way a memory is written."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from memories import changes, gate
from memories.models import Agent, Memory, MemoryRevision, MemoryType
from memories.models.secrets import SecretKind
from memories.wording import explain_decision, explain_reason
from tests.factories import make_agent, make_memory
from tests.memories.test_agent_views import fields as agent_fields
from tests.memories.test_redaction import KEYS, PEM
from tests.memories.test_tools import call, scope_of
from xiajiao import fulltext
from xiajiao.models import User
from xiajiao.tools import ToolError

pytestmark = pytest.mark.django_db

KEY, OTHER_KEY, IDENTITY, CARD = KEYS[0], KEYS[5], "11010519491231002X", "4111 1111 1111 1111"
PERSON = gate.Origin(MemoryRevision.Actor.PERSON, Memory.Source.MANUAL)


def write(agent: Agent, content: str, origin: gate.Origin = PERSON, **fields: Any) -> gate.Decision:
    return gate.write(agent, agent.owner_id, gate.Draft(content, **fields), origin)


def all_that_is_stored() -> str:
    rows = [*Memory.objects.values(), *MemoryRevision.objects.values()]
    return json.dumps(rows, default=str, ensure_ascii=False)


def test_the_gate_puts_a_mark_where_a_secret_stood() -> None:
    agent = make_agent()
    decision = write(
        agent,
        f"用户的 OpenAI 密钥是 {KEY}，身份证 {IDENTITY}",
        title=f"密钥 {OTHER_KEY}",
        description=f"也用于 {OTHER_KEY}",
        quote=f"我的密钥：{KEY}",
        tags=["openai", OTHER_KEY],
        metadata={"card": CARD, "login": {"password": "hunter2"}, "pin": 4821, "rack": 3, "ok": True},
    )
    memory = decision.memory

    assert memory.content == "用户的 OpenAI 密钥是 [API 密钥已隐去]，身份证 [身份证号已隐去]"
    assert memory.title == "密钥 [API 密钥已隐去]"
    assert memory.description == "也用于 [API 密钥已隐去]"
    assert memory.quote == "我的密钥：[API 密钥已隐去]"
    assert memory.tags == ["openai"]
    assert memory.metadata == {
        "card": "[银行卡号已隐去]",
        "login": {"password": "[密码已隐去]"},
        "pin": "[密码已隐去]",
        "rack": 3,
        "ok": True,
    }
    assert decision.left_out == ["api_key", "password", "identity_number", "bank_card"]
    assert memory.revisions.get().reason["left_out"] == decision.left_out


def test_nothing_of_the_secret_is_stored_or_indexed() -> None:
    agent = make_agent()
    memory = write(agent, f"The user's OpenAI key is {KEY}", quote=f"my key is {KEY}").memory

    assert memory.content == "The user's OpenAI key is [API key removed]"
    assert KEY not in all_that_is_stored()
    assert not fulltext.search([f"memories:{agent.pk}:{agent.owner_id}"], KEY, 5)


def test_texts_that_differ_in_their_secret_alone_are_one_fact() -> None:
    agent = make_agent()
    write(agent, f"The user's OpenAI key is {KEY}")
    again = write(agent, f"The user's OpenAI key is {KEYS[1]}")

    assert (again.action, Memory.objects.count()) == ("ignored", 1)
    assert again.left_out == ["api_key"]
    assert KEYS[1] not in all_that_is_stored()


def test_a_private_key_is_left_out_as_a_whole_even_of_a_title_that_is_cut() -> None:
    block = PEM.format("RSA ").replace("MIIE", "MIIE" * 100)
    memory = write(make_agent(), f"服务器的登录方式：{block}", title=block, description=f"x {block}").memory

    assert memory.content == "服务器的登录方式：[私钥已隐去]"
    assert memory.title == "[私钥已隐去]"
    assert "MIIE" not in all_that_is_stored()


@pytest.mark.parametrize("content", [KEY, f"  {KEY}。 ", f"{KEY}, {CARD}", PEM.format("")])
def test_a_memory_of_nothing_but_a_secret_is_refused(content: str) -> None:
    with pytest.raises(gate.DraftError, match="say in words what it is for"):
        write(make_agent(), content)
    assert not Memory.objects.exists()


def test_phone_numbers_are_kept_unless_the_agent_leaves_them_out() -> None:
    assert write(make_agent(), "妈妈的电话是 13812345678").memory.content == "妈妈的电话是 13812345678"
    discreet = make_agent(redacted_kinds=SecretKind.values)

    assert write(discreet, "妈妈的电话是 13812345678").memory.content == "妈妈的电话是 [电话号码已隐去]"


def test_an_agent_may_keep_what_others_leave_out() -> None:
    agent = make_agent(redacted_kinds=["bank_card"])
    decision = write(agent, f"The key is {KEY} and the card {CARD}")

    assert decision.memory.content == f"The key is {KEY} and the card [card number removed]"
    assert decision.left_out == ["bank_card"]


def test_a_mark_is_in_the_language_of_the_text_or_else_of_the_agent() -> None:
    chinese, english = make_agent(language="zh-hans"), make_agent(language="en")

    assert write(chinese, f"Key: {KEY}").memory.content == "Key: [API key removed]"
    assert write(english, f"密钥：{KEY}").memory.content == "密钥：[API 密钥已隐去]"
    assert write(chinese, f"1. {KEY}").memory.content == "1. [API 密钥已隐去]"


def test_a_person_may_insist_and_the_history_says_so() -> None:
    insisting = gate.Origin(MemoryRevision.Actor.PERSON, Memory.Source.MANUAL, keeps_secrets=True)
    agent = make_agent()
    decision = write(agent, f"The test key is {KEY}", insisting)

    assert decision.memory.content == f"The test key is {KEY}"
    assert (decision.left_out, decision.reason["kept_secrets"]) == ([], ["api_key"])
    assert explain_reason(decision.memory.revisions.get().reason).endswith("Kept on purpose: an API key.")


def test_what_a_person_keeps_on_purpose_is_not_overwritten_by_a_wording_without_it() -> None:
    insisting = gate.Origin(MemoryRevision.Actor.PERSON, Memory.Source.MANUAL, keeps_secrets=True)
    agent = make_agent()
    kept = write(agent, f"用户喜欢 Python，密钥是 {KEY}", insisting).memory
    same = write(agent, f"用户喜欢 Python，密钥是 {KEY}")
    write(agent, f"用户偏好 Python 语言，密钥是 {KEY}")

    assert same.action == "ignored"
    kept.refresh_from_db()
    assert (kept.content, kept.is_active) == (f"用户喜欢 Python，密钥是 {KEY}", True)


def test_an_edit_leaves_secrets_out_of_what_changes() -> None:
    agent = make_agent()
    memory = write(agent, "The user has an OpenAI account").memory
    changes.edit(memory, {"content": f"The user's OpenAI key is {KEY}", "title": "OpenAI"}, PERSON)
    memory.refresh_from_db()

    assert (memory.content, memory.title) == ("The user's OpenAI key is [API key removed]", "OpenAI")
    edited = memory.revisions.get(action="edited")
    assert edited.reason == {"left_out": ["api_key"]}
    assert explain_reason(edited.reason) == "Left out, to be safe: an API key."
    assert KEY not in all_that_is_stored()


def test_an_edit_of_the_title_leaves_a_kept_secret_in_the_text() -> None:
    agent = make_agent()
    memory = make_memory(agent, f"The test key is {KEY}")
    changes.edit(memory, {"content": memory.content, "title": "Testing"}, PERSON)
    memory.refresh_from_db()

    assert (memory.content, memory.title) == (f"The test key is {KEY}", "Testing")


def test_an_edit_to_nothing_but_a_secret_is_refused() -> None:
    memory = write(make_agent(), "The user likes tea").memory
    with pytest.raises(gate.DraftError, match="nothing but an API key"):
        changes.edit(memory, {"content": KEY}, PERSON)


def test_the_model_is_told_what_was_left_out() -> None:
    scope = scope_of(make_agent())
    written = call(scope, "memory_write", content=f"用户的密钥是 {KEY}")
    pk = scope.effects[0].memory_id
    updated = call(scope, "memory_update", id=pk, content=f"用户的银行卡是 {CARD}")

    assert "an API key was left out" in written
    assert "a card number was left out" in updated
    assert [effect.content for effect in scope.effects] == [
        "用户的密钥是 [API 密钥已隐去]",
        "用户的银行卡是 [银行卡号已隐去]",
    ]
    assert KEY not in written + updated + all_that_is_stored()
    with pytest.raises(ToolError, match="nothing but an API key"):
        call(scope, "memory_write", content=KEY)
    with pytest.raises(ToolError, match="nothing but an API key"):
        call(scope, "memory_update", id=pk, content=KEY)


def test_the_person_is_told_what_was_left_out() -> None:
    decision = write(make_agent(), f"The user's key is {KEY}")

    assert explain_decision(decision) == "Remembered. Left out, to be safe: an API key."


def test_metadata_nested_too_deep_is_refused_and_does_no_harm() -> None:
    deep: dict[str, Any] = {}
    for _level in range(5000):
        deep = {"a": deep}
    with pytest.raises(gate.DraftError, match="nested"):
        write(make_agent(), "a fact", metadata=deep)


def fields(**changed: Any) -> dict[str, Any]:
    return {"content": "The user likes tea", "category": "semantic", "importance": 2, "audience": "me"} | changed


def test_a_form_warns_first_then_leaves_the_secret_out(signed_in: Client, user: User) -> None:
    agent = make_agent(owner=user)
    content = f"The user's key is {KEY}"
    typed = fields(agent=agent.pk, content=content, type=type_of("user"), tags="", title="")
    first = signed_in.post(reverse("memories:memory_create"), typed)

    assert first.status_code == 422
    assert "This looks like a secret: an API key." in first.text
    assert KEY in first.text
    assert not Memory.objects.exists()
    signed_in.post(reverse("memories:memory_create"), typed | {"secrets_seen": "yes"})
    assert Memory.objects.get().content == "The user's key is [API key removed]"


def test_a_form_keeps_the_secret_where_the_person_insists(signed_in: Client, user: User) -> None:
    agent = make_agent(owner=user)
    memory = make_memory(agent, "The user has a key")
    content = f"The user's key is {KEY}"
    address = reverse("memories:memory_update", args=[memory.pk])
    typed = fields(content=content, type=memory.type_id, version=memory.version, title="", tags="")

    assert signed_in.post(address, typed).status_code == 422
    signed_in.post(address, typed | {"secrets_seen": "yes", "keep_secrets": "yes"})
    memory.refresh_from_db()
    assert memory.content == content
    # What is there already and stays is not warned of again.
    again = typed | {"version": memory.version, "title": "Key"}
    assert signed_in.post(address, again).status_code == 302
    memory.refresh_from_db()
    assert (memory.content, memory.title) == (content, "Key")


def test_a_form_of_nothing_but_a_secret_comes_back_with_a_sentence(signed_in: Client, user: User) -> None:
    agent = make_agent(owner=user)
    typed = fields(agent=agent.pk, content=KEY, type=type_of("user"), secrets_seen="yes", title="", tags="")
    refused = signed_in.post(reverse("memories:memory_create"), typed)

    assert refused.status_code == 422
    assert "Say in words what it is for" in refused.text
    signed_in.post(reverse("memories:memory_create"), typed | {"keep_secrets": "yes"})
    assert Memory.objects.get().content == KEY


def type_of(key: str) -> int:
    return MemoryType.objects.get(key=key).pk


def test_the_setting_stands_in_the_agents_form(signed_in: Client, user: User) -> None:
    agent = make_agent(owner=user)
    address = reverse("memories:agent_update", args=[agent.pk])
    assert "Chinese identity numbers" in signed_in.get(address).text
    signed_in.post(address, agent_fields(redacted_kinds=["bank_card", "phone_number"]))
    agent.refresh_from_db()

    assert agent.secret_kinds == {"bank_card", "phone_number"}
    assert make_agent().secret_kinds == set(SecretKind.values) - {"phone_number"}

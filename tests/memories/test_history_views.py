import re

import pytest
from django.test import Client

from memories import changes
from memories.drafts import Origin
from memories.models import Agent, MemoryRevision
from tests.factories import make_agent, make_memory, make_user
from tests.memories.forming import HTMX
from tests.memories.histories import entries_of, keep, person
from xiajiao.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user, name="Helper")


def test_any_version_comes_back_and_that_too_can_be_taken_back(signed_in: Client, agent: Agent) -> None:
    memory = keep(agent, "The user likes tea")
    changes.edit(memory, {"content": "The user likes milk", "tags": ["drinks"]}, person(agent))
    changes.edit(memory, {"content": "The user likes juice", "pinned": True}, person(agent))
    added = memory.revisions.get(action="added")
    shown = signed_in.get(f"/memories/revisions/{added.pk}/rewind/", headers=HTMX).content.decode()
    memory.refresh_from_db()
    assert memory.content == "The user likes juice"
    assert re.search(r"<del>.*juice.*</del>.*<ins>.*tea", shown)
    assert "drinks" in shown

    signed_in.post(f"/memories/revisions/{added.pk}/rewind/", {"previewed": memory.version}, headers=HTMX)
    memory.refresh_from_db()
    assert (memory.content, memory.tags, memory.pinned) == ("The user likes tea", [], False)
    newest = entries_of(memory)[0]
    assert newest.can_undo
    signed_in.post(f"/memories/revisions/{newest.revision.pk}/undo/", headers=HTMX)
    memory.refresh_from_db()
    assert (memory.content, memory.tags, memory.pinned) == ("The user likes juice", ["drinks"], True)


def test_what_would_be_done_is_told_anew_where_the_memory_changed_meanwhile(signed_in: Client, agent: Agent) -> None:
    memory = keep(agent, "The user likes tea")
    changes.edit(memory, {"content": "The user likes milk"}, person(agent))
    revision = memory.revisions.get(action="edited")
    memory.refresh_from_db()
    seen = memory.version
    changes.edit(memory, {"content": "The user likes juice"}, person(agent))

    for way in ("undo", "rewind"):
        refused = signed_in.post(f"/memories/revisions/{revision.pk}/{way}/", {"previewed": seen}, headers=HTMX)
        assert refused.status_code == 409
        assert "juice" in refused.content.decode()
    memory.refresh_from_db()
    assert memory.content == "The user likes juice"


def test_the_preview_of_an_undone_merge_names_what_will_stand_apart(signed_in: Client, agent: Agent) -> None:
    memory = keep(agent, "用户对花生过敏")
    keep(agent, "用户花生过敏")
    url = f"/memories/revisions/{memory.revisions.get(action='reinforced').pk}/undo/"

    assert "becomes a memory of its own" in signed_in.get(url).content.decode()
    signed_in.post(url)
    restored = memory.revisions.filter(action="restored").get()
    page = signed_in.get(f"/memories/revisions/{restored.pk}/undo/").content.decode()
    assert "becomes part of it again" in page


def test_the_preview_tells_what_can_not_come_back(signed_in: Client, agent: Agent) -> None:
    old, new = keep(agent, "用户今年 30 岁"), keep(agent, "用户今年 31 岁")
    changes.undo(old.revisions.get(action="superseded"), person(agent))
    revived = old.revisions.get(action="revived")
    new.delete()
    page = signed_in.get(f"/memories/revisions/{revived.pk}/undo/").content.decode()

    assert "The memory that replaced it then is gone for good." in page
    signed_in.post(f"/memories/revisions/{revived.pk}/undo/")
    old.refresh_from_db()
    assert (old.is_active, old.superseded_by) == (False, None)


def test_switching_off_can_be_taken_back_too(signed_in: Client, agent: Agent) -> None:
    memory = keep(agent, "The user likes tea")
    changes.set_enabled(memory, False, person(agent))
    entry = entries_of(memory)[0]
    assert entry.can_undo

    signed_in.post(f"/memories/revisions/{entry.revision.pk}/undo/")
    memory.refresh_from_db()
    assert memory.is_active


def test_who_made_a_change_is_named(client: Client, agent: Agent) -> None:
    memory = keep(agent, "The user likes tea")
    staff = make_user(is_staff=True, username="admin")
    changes.edit(memory, {"content": "The user likes milk"}, Origin("person", "manual", staff.pk))
    changes.edit(memory, {"content": "The user likes juice"}, person(agent))

    def who(user: User) -> list[str]:
        client.force_login(user)
        page = client.get(f"/memories/{memory.pk}/").content.decode()
        names = re.findall(r'muted small">(.*?)<time', page[page.index("History</h3>") :], re.DOTALL)
        return [" ".join(re.sub("<[^>]+>", "", name).split()) for name in names]

    assert who(agent.owner) == ["you ·", "admin ·", "Helper · from this message ·"]
    # Staff see no one's conversations.
    assert who(staff) == [f"{agent.owner.username} ·", "you ·", "Helper ·"]


def test_a_revision_of_a_person_who_is_gone_is_still_told(signed_in: Client, agent: Agent) -> None:
    memory = keep(agent, "The user likes tea")
    staff = make_user(is_staff=True)
    changes.edit(memory, {"content": "The user likes milk"}, Origin("person", "manual", staff.pk))
    staff.delete()

    assert "person" in signed_in.get(f"/memories/{memory.pk}/").content.decode()


def test_nobody_else_reaches_a_revision(client: Client, agent: Agent) -> None:
    memory = keep(agent, "The user likes tea")
    changes.edit(memory, {"content": "The user likes milk"}, person(agent))
    pk = memory.revisions.get(action="edited").pk
    shared = make_memory(agent, "Be kind", user=None)
    shared_pk = MemoryRevision.objects.create(memory=shared, action="edited", actor="person").pk
    Agent.objects.filter(pk=agent.pk).update(is_shared=True)
    client.force_login(make_user())

    for revision in (pk, shared_pk):
        for way in ("undo", "rewind"):
            assert client.get(f"/memories/revisions/{revision}/{way}/").status_code == 404
            assert client.post(f"/memories/revisions/{revision}/{way}/").status_code == 404
    assert client.get(f"/memories/{shared.pk}/").status_code == 200


def test_a_long_content_is_shown_by_what_changed_in_it(signed_in: Client, agent: Agent) -> None:
    text = " ".join(f"word{number}" for number in range(1300))[:9900]
    memory = keep(agent, text)
    changes.edit(memory, {"content": text.replace("word600 ", "")}, person(agent))
    page = signed_in.get(f"/memories/{memory.pk}/").content.decode()
    history = page[page.index("<h3>History") :]

    assert "characters unchanged" in history
    assert "word600" in history
    assert "word300" not in history


def test_a_list_is_told_of_memories_that_count_again(signed_in: Client, agent: Agent) -> None:
    old, new = keep(agent, "用户今年 30 岁"), keep(agent, "用户今年 31 岁")
    ended = old.revisions.get(action="superseded")
    told = signed_in.post(f"/memories/revisions/{ended.pk}/undo/", headers=HTMX)
    assert told["HX-Trigger"].split(", ") == ["memory-changed", f"memory-{old.pk}-changed", "memory-added"]
    changes.edit(new, {"title": "Age"}, person(agent))
    edited = new.revisions.get(action="edited")
    told = signed_in.post(f"/memories/revisions/{edited.pk}/undo/", headers=HTMX)
    assert "memory-added" not in told["HX-Trigger"]

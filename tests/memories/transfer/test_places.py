"""Files on their way in and out hold words of memories too: what is forgotten for good goes from them as well."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.conf import settings

from chat.forgetting.removing import forget
from memories.models import Agent, Export, Import, Memory
from memories.transfer.exporting import advance_export, begin_export
from memories.transfer.places import count_exports, count_imports, discard_imports, remove_exports
from memories.transfer.plans import JSONLINES, everything_of, make_plan
from memories.transfer.starting import begin_import
from tests.factories import make_agent, make_memory
from tests.memories.transfer.files import WORKSPACE, bring_in, check, export, keep, make_database
from xiajiao.models import User
from xiajiao.places import Forgotten

pytestmark = pytest.mark.django_db

CAT = "用户的猫叫糯米。"


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user)


def mem0(*texts: str) -> bytes:
    return json.dumps([{"id": text, "memory": text} for text in texts]).encode()


def forgotten(agent: Agent, memory_id: int = 0) -> Forgotten:
    return Forgotten(memory_id, agent.pk, agent.owner_id, (CAT,))


def files() -> int:
    folders = (settings.IMPORTS_DIR, settings.EXPORTS_DIR)
    return sum(path.is_file() for folder in folders if folder.is_dir() for path in folder.iterdir())


def test_a_file_that_holds_it_goes_and_others_stay(user: User, agent: Agent) -> None:
    before = files()
    done, looked_at = bring_in(user, mem0(CAT, "用户住在杭州。"), agent), check(user, mem0(CAT), agent)
    waiting = begin_import(user, keep(mem0(CAT)), agent=agent, given_name="file")
    other = check(user, mem0("用户住在杭州。"), agent)
    assert count_imports(forgotten(agent)) == 3
    assert discard_imports(forgotten(agent)) == 3

    for job in (done, looked_at, waiting, other):
        job.refresh_from_db()
    assert [bool(job.stored_as) for job in (done, looked_at, waiting, other)] == [False, False, False, True]
    assert (waiting.state, done.state) == (Import.State.CANCELLED, Import.State.DONE)
    assert not done.lines.exclude(excerpt="").exists()
    assert files() == before + 1


def test_a_file_of_which_a_line_became_the_memory_goes_in_whatever_words(user: User, agent: Agent) -> None:
    job = bring_in(user, mem0("The user lives in Hangzhou."), agent)
    memory = job.lines.get().memory
    assert memory is not None

    assert discard_imports(forgotten(agent, memory.pk)) == 1


def test_an_export_that_holds_it_goes(user: User, agent: Agent) -> None:
    make_memory(agent, CAT, user=user)
    taken = begin_export(user, make_plan(JSONLINES, *everything_of(user)))
    while advance_export(taken):
        pass
    assert count_exports(forgotten(agent)) == 1
    assert remove_exports(forgotten(agent)) == 1

    taken.refresh_from_db()
    assert (taken.state, taken.stored_as) == (Export.State.GONE, "")
    assert remove_exports(forgotten(agent)) == 0


def test_a_database_goes_whatever_can_be_found_in_it(user: User, agent: Agent, tmp_path: Path) -> None:
    rows = [{"id": 1, "type": "semantic", "content": "用户住在杭州。"}]
    check(user, make_database(tmp_path / "memory.db", WORKSPACE, "memories", rows), agent)
    assert count_imports(forgotten(agent)) == 1


def test_files_of_others_stay_though_they_say_the_same(agent: Agent) -> None:
    other = make_agent()
    bring_in(other.owner, mem0(CAT), other)
    assert count_imports(forgotten(agent)) == 0


def test_a_file_of_another_system_brings_it_back_only_if_chosen(user: User, agent: Agent) -> None:
    content = mem0(CAT)
    bring_in(user, content, agent)
    forget(Memory.objects.get())

    report = bring_in(user, content, agent)
    assert (report.outcome, report.lines.get().reason) == ({"ignore": 1}, "forgotten_here")
    assert not Memory.objects.exists()
    assert bring_in(user, content, agent, brings_back=True).outcome == {"add": 1}
    assert Memory.objects.get().content == CAT


def test_a_backup_brings_it_back_only_if_chosen(user: User, agent: Agent) -> None:
    make_memory(agent, "用户对花生过敏")
    memory = make_memory(agent, CAT)
    memory.revisions.create(action="added", actor="agent")
    before = export(user)
    forget(memory)

    report = bring_in(user, before)
    assert report.outcome == report.forecast == {"ignore": 2}
    assert set(report.lines.values_list("reason", flat=True)) == {"unchanged", "forgotten_here"}
    assert bring_in(user, before, brings_back=True).outcome == {"restore": 1, "ignore": 1}
    assert export(user) == before


def test_what_one_person_forgot_another_may_import(agent: Agent) -> None:
    forget(make_memory(agent, CAT))
    other = make_agent()
    assert bring_in(other.owner, mem0(CAT), other).outcome == {"add": 1}

"""Import and export in the panel, through the front door."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings as site
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connections
from django.http import StreamingHttpResponse
from django.test import AsyncClient, Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from memories.models import Agent, Export, Import, Memory
from memories.tasks import run_export, run_import
from memories.transfer import exporting
from tests.factories import make_agent, make_memory, make_user
from tests.memories.transfer.files import lines_of
from xiajiao.models import User

pytestmark = [pytest.mark.django_db, pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")]


@pytest.fixture
def agent(user: User) -> Agent:
    return make_agent(owner=user, name="Helper")


def upload(client: Client, content: bytes, name: str = "memories.json", **fields: object) -> Import:
    file = SimpleUploadedFile(name, content)
    response = client.post(reverse("memories:import_create"), {"file": file, **fields})
    job = Import.objects.latest("pk")
    assert response["Location"] == reverse("memories:import_detail", args=[job.pk])
    return job


def work(job: Import) -> Import:
    """As the worker does."""
    job.refresh_from_db()
    while job.is_running:
        run_import(job.pk)
        job.refresh_from_db()
    return job


def mem0(*texts: str) -> bytes:
    return json.dumps([{"id": str(number), "memory": text} for number, text in enumerate(texts)]).encode()


def export(client: Client, **fields: object) -> StreamingHttpResponse:
    response = client.post(reverse("memories:export_create"), {"format": "jsonlines", "what": "all", **fields})
    assert response.status_code == 200
    assert isinstance(response, StreamingHttpResponse)
    return response


def read(response: StreamingHttpResponse) -> bytes:
    return b"".join(response)


def test_a_file_is_looked_through_agreed_to_and_imported(signed_in: Client, agent: Agent) -> None:
    job = work(upload(signed_in, mem0("用户对花生过敏", "", "公司用 AWS"), agent=agent.pk))
    page = signed_in.get(reverse("memories:import_detail", args=[job.pk]))
    assert "2 memories would come in" in page.text
    assert "memory says nothing." in page.text or "content says nothing." in page.text
    assert not Memory.objects.exists()

    signed_in.post(reverse("memories:import_start", args=[job.pk]))
    work(job)
    page = signed_in.get(reverse("memories:import_detail", args=[job.pk]))
    assert "1 line could not be taken." in page.text
    for memory in Memory.objects.all():
        assert reverse("memories:memory_detail", args=[memory.pk]) in page.text
    assert Memory.objects.count() == 2


def test_the_name_of_a_file_names_nothing_here(signed_in: Client, agent: Agent) -> None:
    job = upload(signed_in, mem0("Hi there"), "..\\..\\evil\0<b>.json", agent=agent.pk)
    assert [path.name for path in site.IMPORTS_DIR.iterdir() if path.name == job.stored_as]
    page = signed_in.get(reverse("memories:import_detail", args=[job.pk]))
    assert "<b>" not in page.text


def test_a_large_file_is_spooled_into_the_data_folder(signed_in: Client, agent: Agent, settings: Settings) -> None:
    settings.FILE_UPLOAD_MAX_MEMORY_SIZE = 100
    job = work(upload(signed_in, mem0(*(f"第 {number} 号机柜在 {number} 楼" for number in range(20))), agent=agent.pk))
    assert job.forecast["add"] > 10
    assert str(settings.FILE_UPLOAD_TEMP_DIR).startswith(str(settings.DATA_DIR))
    assert not list(settings.FILE_UPLOAD_TEMP_DIR.iterdir())


def test_a_file_that_is_too_large_is_refused(signed_in: Client, settings: Settings) -> None:
    settings.IMPORT_MAX_MB = 0
    response = signed_in.post(reverse("memories:import_create"), {"file": SimpleUploadedFile("a", b"x")})
    assert (response.status_code, Import.objects.count()) == (422, 0)
    assert "The file is larger than" in response.text


def test_what_was_not_recognised_is_read_as_the_person_says(signed_in: Client, agent: Agent) -> None:
    job = work(upload(signed_in, b"The user likes tea\n\nThe user has a parrot called Kiwi", agent=agent.pk))
    page = signed_in.get(reverse("memories:import_detail", args=[job.pk]))
    assert "Nothing in it looks like memories." in page.text
    signed_in.post(reverse("memories:import_check", args=[job.pk]), {"format": "sections", "agent": agent.pk})
    job.refresh_from_db()
    assert work(job).forecast == {"add": 2}


def test_the_lines_are_filtered_and_paged(signed_in: Client, agent: Agent) -> None:
    texts = [f"第 {number} 号机柜的温度是 {number} 度" for number in range(70)]
    job = work(upload(signed_in, mem0(*texts, "", ""), agent=agent.pk))
    address = reverse("memories:import_detail", args=[job.pk])
    first = signed_in.get(address)
    assert len(first.context["page"].lines) == 50
    second = signed_in.get(address, {"after": first.context["page"].after})
    assert [line.place for line in second.context["page"].lines] == list(range(51, 73))
    back = signed_in.get(address, {"before": second.context["page"].before})
    assert [line.place for line in back.context["page"].lines] == list(range(1, 51))
    bad = signed_in.get(address, {"outcome": "invalid"})
    assert [line.place for line in bad.context["page"].lines] == [71, 72]


def test_progress_is_a_fragment_that_leads_on_when_it_is_over(signed_in: Client, agent: Agent) -> None:
    job = upload(signed_in, mem0("Hi there"), agent=agent.pk)
    address = reverse("memories:import_detail", args=[job.pk])
    fragment = signed_in.get(address, {"was": "checking"}, headers={"HX-Request": "true"})
    assert "Looking through the file" in fragment.text
    assert "<html" not in fragment.text
    work(job)
    over = signed_in.get(address, {"was": "checking"}, headers={"HX-Request": "true"})
    assert (over.status_code, over["HX-Redirect"]) == (204, address)


def test_a_report_can_be_removed_and_the_memories_stay(signed_in: Client, agent: Agent) -> None:
    job = work(upload(signed_in, mem0("用户对花生过敏"), agent=agent.pk))
    signed_in.post(reverse("memories:import_start", args=[job.pk]))
    work(job)
    path = site.IMPORTS_DIR / job.stored_as
    signed_in.post(reverse("memories:import_delete", args=[job.pk]))
    assert (Import.objects.count(), Memory.objects.count(), path.exists()) == (0, 1, False)


def test_imports_and_exports_of_others_do_not_exist_for_staff_either(signed_in: Client, user: User) -> None:
    job, export_job = Import.objects.create(user=user), Export.objects.create(user=user, state="ready")
    staff = Client()
    staff.force_login(make_user(is_staff=True, is_superuser=True))
    for name, pk in (("import_detail", job.pk), ("export_detail", export_job.pk), ("export_file", export_job.pk)):
        assert staff.get(reverse(f"memories:{name}", args=[pk])).status_code == 404


def test_a_small_export_is_sent_at_once_as_an_attachment(signed_in: Client, agent: Agent, user: User) -> None:
    make_memory(agent, "用户对花生过敏")
    make_memory(make_agent(is_shared=True), "Somebody else's", user=make_user())
    response = export(signed_in)
    today = timezone.localdate().isoformat()
    assert response["Content-Disposition"] == f'attachment; filename="memories-{today}.jsonl"'
    content = read(response)
    assert int(response["Content-Length"]) == len(content)
    assert [line["content"] for line in lines_of(content) if line.get("record") == "memory"] == ["用户对花生过敏"]
    assert not Export.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_an_async_server_sends_it_in_pieces(agent: Agent, user: User) -> None:
    """What a synchronous iterator gives is collected to the end there."""
    make_memory(agent, "x" * 9000)
    client = AsyncClient()
    asyncio.run(client.aforce_login(user))
    address, form = reverse("memories:export_create"), {"format": "jsonlines", "what": "all"}
    response = asyncio.run(client.post(address, form))
    assert isinstance(response, StreamingHttpResponse)
    assert response.is_async
    # The server's thread had a connection of its own.
    asyncio.run(sync_to_async(connections.close_all)())


def test_the_filters_of_the_list_and_what_is_selected_choose(signed_in: Client, agent: Agent, user: User) -> None:
    rule = make_memory(agent, "Keep replies short", category="procedural")
    tea = make_memory(agent, "The user likes tea")
    other = make_memory(make_agent(owner=user), "The user likes coffee")
    theirs = make_memory(make_agent(), "Not yours")

    def contents(**fields: object) -> set[str]:
        return {line["content"] for line in lines_of(read(export(signed_in, **fields))) if "content" in line}

    assert contents(what="listed", query="category=procedural") == {rule.content}
    assert contents(what="selected", ids=f"{tea.pk},{theirs.pk},x") == {tea.content}
    assert contents(what="agent", agent=agent.pk) == {rule.content, tea.content}
    assert contents() == {rule.content, tea.content, other.content}
    assert contents(what="listed", query="person=all&q=likes") == {tea.content, other.content}
    refused = signed_in.post(reverse("memories:export_create"), {"format": "jsonlines", "what": "everybody"})
    assert refused.status_code == 422


def test_staff_take_out_everybodys_where_they_ask_for_them(agent: Agent) -> None:
    make_memory(agent, "The user likes tea")
    client = Client()
    client.force_login(make_user(is_staff=True))
    assert b"likes tea" not in read(export(client))
    assert b"likes tea" in read(export(client, what="everybody"))


def test_markdown_is_readable(signed_in: Client, agent: Agent, user: User) -> None:
    moment = timezone.now().replace(year=2026, month=5, day=3)
    make_memory(
        agent, "# Not a heading\nsecond line", title="Tea", tags=["drinks", "a b"], created_at=moment, pinned=True
    )
    old = make_memory(agent, "Is 30", valid_to=moment + timedelta(days=1), importance=3)
    Memory.objects.filter(pk=old.pk).update(superseded_by=make_memory(agent, "Is 31"))
    make_memory(agent, "Keep replies short", category="procedural")
    make_memory(make_agent(owner=user, name="Another", emoji="🐦"), "Known to another")
    text = read(export(signed_in, format="markdown")).decode()

    assert text.startswith("# Memories\n\n5 memories")
    assert text.index("# 🐦 Another") < text.index("# Helper") < text.index("## semantic", text.index("# Helper"))
    assert "- **Tea** \\# Not a heading\n  second line\n  *2026-05-03 · User profile · #drinks #a-b · pinned*\n" in text
    assert "now: Is 31" in text
    assert text.count("\n## procedural\n") == 1


def test_a_large_export_is_a_job(signed_in: Client, agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memories.views.exports.AT_ONCE", 2)
    for number in range(3):
        make_memory(agent, f"Fact {number}")
    response = signed_in.post(reverse("memories:export_create"), {"format": "jsonlines", "what": "all"})
    job = Export.objects.get()
    assert response["Location"] == reverse("memories:export_detail", args=[job.pk])
    assert signed_in.get(reverse("memories:export_file", args=[job.pk])).status_code == 404
    assert "0 of 3 memories are written." in signed_in.get(response["Location"]).text
    run_export(job.pk)
    assert "Download" in signed_in.get(response["Location"]).text
    sent = signed_in.get(reverse("memories:export_file", args=[job.pk]))
    assert isinstance(sent, StreamingHttpResponse)
    assert len(lines_of(read(sent))) == 6
    assert exporting.AT_ONCE == 5000

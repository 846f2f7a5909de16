"""The page of an agent's files."""

from __future__ import annotations

import io
import re
import zipfile
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from memories.models import Agent, ProfileFile, ProfileRevision
from memories.profiles.editing import ProfileChange, change_file, make_key, read_file
from memories.profiles.souls import give_soul
from tests.factories import make_agent, make_user
from xiajiao.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent(user: User) -> Agent:
    agent = make_agent(owner=user, name="Ada", language="en")
    give_soul(agent)
    return agent


def at(agent: Agent, rest: str = "") -> str:
    return f"/agents/{agent.pk}/files/{rest}"


def text_of(agent: Agent, user: User, kind: str = "user") -> str:
    return read_file(make_key(agent, kind, user.pk)).text


def test_the_four_files_are_shown_with_what_is_told(signed_in: Client, agent: Agent) -> None:
    page = signed_in.get(at(agent, "soul/"))
    assert "I am Ada" in page.content.decode()
    assert "&lt;agent-identity&gt;" in page.content.decode()
    for kind in ("user", "memory", "daily"):
        assert signed_in.get(at(agent, f"{kind}/")).status_code == 200
    assert signed_in.get(at(agent, "notes/")).status_code == 404
    assert signed_in.get(at(agent, "daily/?day=2026-13-01")).status_code == 404


def test_sections_are_added_edited_and_removed(signed_in: Client, agent: Agent, user: User) -> None:
    signed_in.post(at(agent, "user/section/"), {"heading": "Work", "body": "Nurse", "version": 0})
    signed_in.post(at(agent, "user/section/"), {"heading": "Tea", "body": "Green", "version": 1})
    assert text_of(agent, user) == "## Work\nNurse\n\n## Tea\nGreen\n"
    page = signed_in.get(at(agent, "user/")).text
    assert 'value="Work"' in page
    assert ">\nNurse</textarea>" in page
    assert page.count("<details") - page.count('<details class="fold">') == 2  # to add, and to upload: no card is open
    signed_in.post(at(agent, "user/section/"), {"number": 0, "heading": "Work", "body": "Doctor", "version": 2})
    signed_in.post(at(agent, "user/section/"), {"number": 1, "remove": "1", "version": 3})
    assert text_of(agent, user) == "## Work\nDoctor\n\n"
    actions = ProfileRevision.objects.filter(file__kind="user").values_list("action", "user")
    assert set(actions) == {("edited", user.pk)}


def test_a_section_without_text_is_refused_with_what_was_typed(signed_in: Client, agent: Agent) -> None:
    page = signed_in.post(at(agent, "user/section/"), {"heading": "Work", "body": " ", "version": 0})
    assert page.status_code == 422
    assert 'value="Work"' in page.content.decode()
    assert "Write what the section says." in page.content.decode()


def test_the_whole_file_is_written_and_what_is_too_long_is_measured(
    signed_in: Client, agent: Agent, user: User
) -> None:
    text = "## A\r\none\r\n\r\n## B\r\n" + "x" * 1500
    signed_in.post(at(agent, "user/edit/"), {"text": text, "version": 0, "view": "text"})
    assert text_of(agent, user) == text.replace("\r\n", "\n")
    page = signed_in.get(at(agent, "user/")).content.decode()
    assert "not told to conversations: B." in page
    preview = signed_in.post(at(agent, "user/preview/"), {"text": "short", "version": 1}).content.decode()
    assert "5 of 1400 characters" in preview
    assert text_of(agent, user) == text.replace("\r\n", "\n")


def test_no_box_cuts_off_what_is_pasted_without_a_word(signed_in: Client, agent: Agent) -> None:
    for view in ("", "?view=text"):
        boxes = re.findall(r"<textarea[^>]*>", signed_in.get(f"{at(agent, 'user/')}{view}").text)
        assert boxes
        assert not [box for box in boxes if "maxlength" in box]


def test_a_change_that_came_first_is_shown_and_nothing_is_lost(signed_in: Client, agent: Agent, user: User) -> None:
    signed_in.post(at(agent, "user/edit/"), {"text": "first words", "version": 0})
    page = signed_in.post(at(agent, "user/edit/"), {"text": "other words", "version": 0})
    assert page.status_code == 409
    assert "other words" in page.content.decode()
    assert 'name="version" value="1"' in page.content.decode()
    assert text_of(agent, user) == "first words"


def test_secrets_are_left_out_of_what_a_person_types_and_it_is_said(
    signed_in: Client, agent: Agent, user: User
) -> None:
    typed = "My key is sk-proj-abcdefghijklmnopqrstuvwx12345678"
    page = signed_in.post(at(agent, "user/section/"), {"heading": "A", "body": typed, "version": 0}, follow=True)
    assert "Left out, to be safe: an API key." in page.content.decode()
    signed_in.post(at(agent, "user/edit/"), {"text": typed, "version": 1})
    assert "sk-proj" not in text_of(agent, user)
    assert ProfileRevision.objects.filter(file__kind="user")[0].reason == {"left_out": ["api_key"]}


def test_a_file_is_put_back(signed_in: Client, agent: Agent, user: User) -> None:
    for version, text in enumerate(("one", "two", "three")):
        signed_in.post(at(agent, "user/edit/"), {"text": text, "version": version})
    second = ProfileRevision.objects.get(file__kind="user", version=2)
    put_back = f"/agents/files/changes/{second.pk}/restore/"
    signed_in.post(put_back, {"version": 3})
    assert text_of(agent, user) == "two"
    signed_in.post(put_back, {"version": 4, "before": "1"})
    assert text_of(agent, user) == "one"
    assert ProfileRevision.objects.filter(file__kind="user").count() == 5


def test_what_came_since_the_page_was_opened_is_shown_before_a_version_is_put_back(
    signed_in: Client, agent: Agent, user: User
) -> None:
    for version, text in enumerate(("one", "two", "two, and tea")):
        signed_in.post(at(agent, "user/edit/"), {"text": text, "version": version})
    first = ProfileRevision.objects.get(file__kind="user", version=1)
    put_back = f"/agents/files/changes/{first.pk}/restore/"
    page = signed_in.post(put_back, {"version": 2})
    assert (page.status_code, text_of(agent, user)) == (409, "two, and tea")
    told = page.text.partition("as shown here")[2].partition("</form>")[0]
    assert "and tea" in told.partition("<ins>")[2].partition("</ins>")[0]
    assert 'name="version" value="3"' in told
    assert signed_in.post(put_back, {"before": "1"}).status_code == 409
    assert text_of(agent, user) == "two, and tea"
    signed_in.post(put_back, {"version": 3})
    assert text_of(agent, user) == "one"


def test_each_reads_their_own_files_and_only_the_owner_changes_the_soul(
    agent: Agent, user: User, client: Client
) -> None:
    agent.is_shared = True
    agent.save()
    ProfileFile.objects.create(agent=agent, user=user, kind="user", text="## Secret\nkumquats")
    other = make_user()
    client.force_login(other)
    assert "kumquats" not in client.get(at(agent, "user/")).content.decode()
    assert "I am Ada" in client.get(at(agent, "soul/")).content.decode()
    assert client.post(at(agent, "soul/edit/"), {"text": "x", "version": 1}).status_code == 404
    change_file(make_key(agent, "soul", user.pk), lambda _text: "I am Ida", ProfileChange("edited", "person", user.pk))
    changes = ProfileRevision.objects.filter(file__kind="soul").values_list("pk", flat=True)
    page = client.get(at(agent, "soul/")).text
    assert "I am Ida" in page
    assert "I am Ada" not in page
    assert {client.get(f"/agents/files/changes/{each}/").status_code for each in changes} == {404}
    revision = ProfileRevision.objects.filter(file__kind="soul")[0]
    assert client.post(f"/agents/files/changes/{revision.pk}/restore/").status_code == 404
    stranger = make_agent()
    assert client.get(at(stranger, "soul/")).status_code == 404


def test_who_used_an_agent_keeps_their_own_files_when_it_is_no_longer_shared(signed_in: Client, user: User) -> None:
    agent = make_agent(name="Ada", language="en", is_shared=True)
    give_soul(agent)
    signed_in.post(at(agent, "user/section/"), {"heading": "Fruit", "body": "kumquats", "version": 0})
    assert "Files of Ada" not in signed_in.get("/agents/").text
    agent.is_shared = False
    agent.save()

    assert at(agent, "memory/") in signed_in.get("/agents/").text
    page = signed_in.get(at(agent, "user/")).text
    assert "no longer shared with you" in page
    assert "kumquats" in page
    assert "I am Ada" not in page
    assert at(agent, "soul/") not in page
    assert read_stream(signed_in.get(at(agent, "user/file.md"))) == b"## Fruit\nkumquats\n"
    package = zipfile.ZipFile(io.BytesIO(read_stream(signed_in.get(at(agent, "all.zip")))))
    assert package.namelist() == ["memories/USER.md"]
    assert [signed_in.get(at(agent, rest)).status_code for rest in ("soul/", "soul/file.md")] == [404, 404]
    assert signed_in.post(at(agent, "user/edit/"), {"text": "", "version": 1}).status_code == 302
    assert text_of(agent, user) == ""
    assert at(agent, "memory/") not in signed_in.get("/agents/").text
    stranger = Client()
    stranger.force_login(make_user())
    assert [stranger.get(at(agent, rest)).status_code for rest in ("user/", "all.zip")] == [404, 404]


def test_html_in_a_file_stays_text(signed_in: Client, agent: Agent) -> None:
    signed_in.post(at(agent, "user/edit/"), {"text": "## <b>x</b>\n<script>alert(1)</script>", "version": 0})
    for view in ("", "?view=text"):
        assert "<script>alert" not in signed_in.get(at(agent, f"user/{view}")).content.decode()


def upload(client: Client, address: str, content: bytes, seen: int = 10**9, name: str = "notes.md") -> Any:
    return client.post(address, {"file": SimpleUploadedFile(name, content), "seen": seen})


def test_a_file_is_downloaded_and_uploaded_to_the_byte(signed_in: Client, agent: Agent, user: User) -> None:
    text = "﻿## 称呼\r\n梅".encode()
    page = upload(signed_in, at(agent, "user/upload/"), text).content.decode()
    assert "memories/USER.md" in page
    assert text_of(agent, user) == "## 称呼\r\n梅"
    sent = signed_in.get(at(agent, "user/file.md"))
    assert read_stream(sent) == text.removeprefix(b"\xef\xbb\xbf")
    assert 'filename="USER.md"' in sent["Content-Disposition"]
    bad = upload(signed_in, at(agent, "user/upload/"), "称呼".encode("gbk"))
    assert (bad.status_code, text_of(agent, user)) == (422, "## 称呼\r\n梅")
    assert "it is not UTF-8" in bad.content.decode()


def test_all_files_are_one_zip_file_out_and_in(signed_in: Client, agent: Agent, user: User) -> None:
    upload(signed_in, at(agent, "daily/upload/?day=2026-05-03"), b"- tea\n")
    upload(signed_in, at(agent, "memory/upload/"), b"## Project\r\nhalf done")
    packed = read_stream(signed_in.get(at(agent, "all.zip")))
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        names = archive.namelist()
    assert names == ["SOUL.md", "memories/MEMORY.md", "memories/daily/2026-05-03.md"]
    ProfileFile.objects.all().delete()
    page = upload(signed_in, at(agent, "user/upload/"), packed, name="all.zip").content.decode()
    assert page.count("new.") == 3
    assert read_stream(signed_in.get(at(agent, "all.zip"))) is not None
    assert text_of(agent, user, "memory") == "## Project\r\nhalf done"
    again = upload(signed_in, at(agent, "user/upload/"), packed).content.decode()
    assert again.count("as it is already.") == 3
    assert ProfileRevision.objects.count() == 3


def test_a_zip_file_of_a_folder_is_taken_and_what_does_not_belong_is_told(
    signed_in: Client, agent: Agent, user: User
) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in ("home/SOUL.md", "home/memories/USER.md", "home/memories/notes.txt", "__MACOSX/home/x"):
            archive.writestr(name, "key sk-proj-abcdefghijklmnopqrstuvwx12345678")
        archive.writestr("home/../../memories/MEMORY.md", "x")
    page = upload(signed_in, at(agent, "user/upload/"), packed.getvalue()).content.decode()
    assert page.count("Left out, to be safe: an API key.") == 2
    assert page.count("no profile file is called so") == 2
    assert "sk-proj" not in text_of(agent, user) + text_of(agent, user, "soul")
    assert text_of(agent, user, "memory") == ""
    broken = upload(signed_in, at(agent, "user/upload/"), packed.getvalue()[:-60] + b"\0" * 60)
    assert broken.status_code == 422


def test_an_upload_replaces_nothing_that_came_after_the_page(signed_in: Client, agent: Agent, user: User) -> None:
    seen = ProfileRevision.objects.latest("pk").pk
    upload(signed_in, at(agent, "user/upload/"), b"newer")
    stale = upload(signed_in, at(agent, "user/upload/"), b"mine", seen)
    assert "it was changed meanwhile" in stale.content.decode()
    assert text_of(agent, user) == "newer"


def test_the_soul_of_somebody_elses_agent_is_read_and_not_written(client: Client, agent: Agent) -> None:
    agent.is_shared = True
    agent.save()
    client.force_login(make_user())
    assert client.get(at(agent, "soul/file.md")).status_code == 200
    assert upload(client, at(agent, "soul/upload/"), b"mine").status_code == 404
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("SOUL.md", "mine")
    page = upload(client, at(agent, "user/upload/"), packed.getvalue()).content.decode()
    assert "only its owner changes" in page


def read_stream(response: Any) -> bytes:
    async def read() -> bytes:
        return b"".join([piece async for piece in response.streaming_content])

    return async_to_sync(read)()

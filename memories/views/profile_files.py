"""The profile files of an agent as files: one as Markdown or all as a zip file, out and in."""

from __future__ import annotations

import io
from collections.abc import Iterable

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse, StreamingHttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from memories.forms.profiles import UploadForm
from memories.models import MemoryRevision
from memories.profiles.bringing import Bringing, Brought, Outcome, bring
from memories.profiles.editing import ProfileKey, read_file
from memories.profiles.layout import LARGEST, Place, list_files, path_of
from memories.profiles.packing import PackageError, is_package, pack, unpack
from memories.profiles.wording import explain_package, say_outcome
from memories.views.profiles import find_agent, find_editable, find_key, show
from xiajiao.requests import SignedInRequest
from xiajiao.views.downloads import download


@require_GET
def profile_file(request: SignedInRequest, pk: int, kind: str) -> StreamingHttpResponse:
    key = find_key(request, pk, kind)
    name = path_of(place_of(key)).rpartition("/")[2]
    return send(read_file(key).text.encode(), name, "text/markdown; charset=utf-8")


@require_GET
def profile_package(request: SignedInRequest, pk: int) -> StreamingHttpResponse:
    """All that the person may read of them."""
    agent = find_agent(request, pk)
    packed = pack(list_files(agent, request.user))
    return send(packed, _("Files of %(name)s.zip") % {"name": agent.name}, "application/zip")


def send(content: bytes, name: str, content_type: str) -> StreamingHttpResponse:
    return download(io.BytesIO(content), len(content), name, content_type)


def place_of(key: ProfileKey) -> Place:
    return Place(key.kind, key.day)


@require_POST
def profile_upload(request: SignedInRequest, pk: int, kind: str) -> HttpResponse:
    """A text takes the place of the file that is shown, whatever it is called; a zip file brings all that it holds."""
    key = find_editable(request, pk, kind)
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        return show(request, key, 422, upload=form)
    bringing = Bringing(key.agent, request.user.pk, MemoryRevision.Actor.PERSON, seen=form.cleaned_data["seen"])
    try:
        files = read_upload(form.cleaned_data["file"], key)
    except PackageError as error:
        form.add_error("file", explain_package(error.code))
        return show(request, key, 422, upload=form)
    outcomes = list(bring(bringing, files))
    status = 200 if any(each.verdict != "refused" for each in outcomes) else 422
    return show(request, key, status, brought=list(describe(outcomes)))


def read_upload(file: UploadedFile, key: ProfileKey) -> Iterable[Brought]:
    """Raises PackageError."""
    content = file.read()
    if is_package(content):
        return unpack(content)
    return [Brought(path_of(place_of(key)), content[: LARGEST + 1])]


def describe(outcomes: Iterable[Outcome]) -> Iterable[tuple[Outcome, str]]:
    return ((outcome, say_outcome(outcome)) for outcome in outcomes)

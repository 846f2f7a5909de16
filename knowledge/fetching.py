"""The file of a document that is a web page."""

from __future__ import annotations

from django.db import transaction

from knowledge.adding import digest, tidy_name
from knowledge.models import Document
from knowledge.storage import discard_file, new_file
from knowledge.webpages import FetchError, fetch
from xiajiao.claims import LostClaimError, record
from xiajiao.texts import clip


def fetch_original(job: Document) -> None:
    """As the site has it now, in the place of what was fetched before. Raises FetchError and LostClaimError."""
    path = new_file()
    try:
        page = fetch(job.url, path)
        facts = {"name": tidy_name(page.name), "media_type": clip(page.content_type, 100), "sha256": digest(path)}
        with transaction.atomic():
            discard_file(job)
            record(job, wants_fetch=False, stored_as=path.name, size=path.stat().st_size, **facts)
    except (FetchError, LostClaimError):
        path.unlink(missing_ok=True)
        raise

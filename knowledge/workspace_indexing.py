"""A file of an agent's workspace becomes a document, as a model asks for it."""

from __future__ import annotations

import shutil
from pathlib import Path, PurePosixPath
from tempfile import NamedTemporaryFile

from django.conf import settings
from django.utils import translation

from knowledge.adding import Added, Offer, Outcome, Taken, Wish, add_document, make_id
from knowledge.agents import choose_base, find_owned
from knowledge.changing import requeue
from knowledge.indexing import index
from knowledge.models import Document, KnowledgeBase
from knowledge.wording import explain_reason
from knowledge.workspaces import MEGABYTE, open_file, workspace_of
from xiajiao.models import User
from xiajiao.tools import Scope, ToolError

# What is smaller is read at once, within the turn; anything else in the background.
READ_AT_ONCE = 2 * MEGABYTE
IN_PLACE = Wish(keeps_twins=True, when_taken=Taken.REPLACE)


def index_file(scope: Scope, path: str, doc_id: str, base_name: str) -> str:
    """What became of it, for the model. Raises ToolError."""
    agent = find_owned(scope)
    name = PurePosixPath(path.strip()).name
    with open_file(workspace_of(agent.pk), path) as file:
        doc_id = make_id(doc_id or path)
        base = choose_base(agent, base_name, doc_id)
        user = User.objects.get(pk=scope.user_id)
        with NamedTemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR) as spool:
            shutil.copyfileobj(file, spool)
            spool.flush()
            added = add_document(base, Offer(Path(spool.name), name, doc_id, user), IN_PLACE)
    return tell(path, base, read(added))


def read(added: Added) -> Document | None:
    """As it stands now; None where it was an archive, which is gone for what it held."""
    document = added.document
    if added.outcome == Outcome.UNCHANGED and document.state in {Document.State.READY, *Document.WORKED_AT}:
        return document
    if not added.is_due:
        document = requeue(document)
    if document.size <= READ_AT_ONCE:
        index(document)
    return Document.objects.filter(pk=document.pk).first()


def tell(path: str, base: KnowledgeBase, document: Document | None) -> str:
    """Raises ToolError where it can't be read."""
    if document is None:
        return f"{path} was unpacked into the base {base.name!r}; its files are being read. kb_list names them."
    where = f"(doc_id: {document.doc_id}, base: {base.name})"
    if document.is_running:
        return f"{path} is being read {where}. kb_list says when it is ready."
    if document.state != Document.State.READY:
        with translation.override("en"):
            words = explain_reason(document)
            why = f"{words.what} {words.next_step}" if words else document.state
        raise ToolError(f"{path} can't be indexed {where}: {why}")
    return f"Indexed {document.chunk_count} chunks from {path} {where}. kb_search finds them now."

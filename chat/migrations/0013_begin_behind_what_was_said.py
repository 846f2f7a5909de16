"""Conversations from before there were extractions are not looked through unasked: nobody expects a model to read them
all after an upgrade."""

from typing import Any

from django.db import migrations
from django.db.models import Exists, Max, OuterRef, Subquery
from django.db.models.functions import Coalesce


def begin_behind_what_was_said(apps: Any, schema_editor: Any) -> None:
    conversations = apps.get_model("chat", "Conversation").objects
    messages = apps.get_model("chat", "Message").objects.filter(conversation=OuterRef("pk"))
    jobs = apps.get_model("chat", "ExtractionJob").objects.filter(conversation=OuterRef("pk"))
    last = messages.order_by().values("conversation").annotate(last=Max("pk")).values("last")
    unread = conversations.filter(~Exists(jobs), extracted_to=0)
    unread.update(extracted_to=Coalesce(Subquery(last), 0))


class Migration(migrations.Migration):
    dependencies = [("chat", "0012_extraction_verdicts")]
    operations = [migrations.RunPython(begin_behind_what_was_said, migrations.RunPython.noop)]

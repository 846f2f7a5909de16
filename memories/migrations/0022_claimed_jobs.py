from typing import Any

from django.db import migrations, models
from django.db.models.functions import Length


def let_go(apps: Any, schema_editor: Any) -> None:
    """Names of processes are longer than what was there before; a job without a claim is taken up again."""
    rows = apps.get_model("memories", "BulkChange").objects.alias(length=Length("claim"))
    rows.filter(length__gt=32).update(claim="")


class Migration(migrations.Migration):
    """Changes of many memories and reindexings say who works at them as the other jobs do."""

    dependencies = [
        ("memories", "0021_longer_claims"),
    ]

    operations = [
        migrations.RemoveIndex("bulkchange", "bulk_change_due"),
        migrations.RenameField("bulkchange", "status", "state"),
        migrations.RenameField("bulkchange", "runner", "claim"),
        migrations.RenameField("bulkchange", "heartbeat_at", "heartbeat"),
        migrations.AlterField("bulkchange", "claim", models.CharField(blank=True, max_length=64)),
        migrations.AddField("bulkchange", "is_cancelled", models.BooleanField(default=False)),
        migrations.AddIndex(
            "bulkchange",
            models.Index(
                fields=["state"], condition=models.Q(state__in=["pending", "running"]), name="bulk_change_due"
            ),
        ),
        migrations.RenameField("reindexing", "status", "state"),
        migrations.RenameField("reindexing", "heartbeat_at", "heartbeat"),
        migrations.AddField("reindexing", "claim", models.CharField(blank=True, max_length=64)),
        migrations.AddField("reindexing", "attempts", models.PositiveSmallIntegerField(default=0)),
        migrations.AddField("reindexing", "is_cancelled", models.BooleanField(default=False)),
        migrations.RunPython(migrations.RunPython.noop, let_go),
    ]

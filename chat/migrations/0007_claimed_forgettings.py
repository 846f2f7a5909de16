from typing import Any

from django.db import migrations, models
from django.db.models.functions import Length


def let_go(apps: Any, schema_editor: Any) -> None:
    """Names of processes are longer than what was there before; a job without a claim is taken up again."""
    rows = apps.get_model("chat", "Forgetting").objects.alias(length=Length("claim"))
    rows.filter(length__gt=32).update(claim="")


class Migration(migrations.Migration):
    """A forgetting says who works at it as the other jobs do."""

    dependencies = [
        ("chat", "0006_sources"),
    ]

    operations = [
        migrations.RenameField("forgetting", "runner", "claim"),
        migrations.RenameField("forgetting", "heartbeat_at", "heartbeat"),
        migrations.AlterField("forgetting", "claim", models.CharField(blank=True, max_length=64)),
        migrations.AddField("forgetting", "is_cancelled", models.BooleanField(default=False)),
        migrations.RunPython(migrations.RunPython.noop, let_go),
    ]

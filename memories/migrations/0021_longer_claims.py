from typing import Any

from django.db import migrations, models
from django.db.models.functions import Length


def let_go(apps: Any, schema_editor: Any) -> None:
    """Names of processes are longer than what was there before; a job without a claim is taken up again."""
    for name in ("Export", "Import"):
        rows = apps.get_model("memories", name).objects.alias(length=Length("claim"))
        rows.filter(length__gt=32).update(claim="")


class Migration(migrations.Migration):
    dependencies = [
        ("memories", "0020_timed_indexes"),
    ]

    operations = [
        migrations.AlterField(
            model_name="export",
            name="claim",
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AlterField(
            model_name="import",
            name="claim",
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.RunPython(migrations.RunPython.noop, let_go),
    ]

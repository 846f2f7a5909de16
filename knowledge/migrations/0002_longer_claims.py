from typing import Any

from django.db import migrations, models
from django.db.models.functions import Length


def let_go(apps: Any, schema_editor: Any) -> None:
    """Names of processes are longer than what was there before; a job without a claim is taken up again."""
    for name in ("Document", "SemanticIndex"):
        rows = apps.get_model("knowledge", name).objects.alias(length=Length("claim"))
        rows.filter(length__gt=32).update(claim="")


class Migration(migrations.Migration):
    dependencies = [
        ("knowledge", "0001_documents"),
    ]

    operations = [
        migrations.AlterField(
            model_name="document",
            name="claim",
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AlterField(
            model_name="semanticindex",
            name="claim",
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.RunPython(migrations.RunPython.noop, let_go),
    ]

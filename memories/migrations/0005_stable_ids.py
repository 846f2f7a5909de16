import uuid
from typing import Any

from django.db import migrations, models

BATCH = 500


def give_ids(apps: Any, _editor: Any) -> None:
    for name in ("Agent", "MemoryRevision"):
        model = apps.get_model("memories", name)
        keys = list(model.objects.filter(uid__isnull=True).order_by("pk").values_list("pk", flat=True))
        for start in range(0, len(keys), BATCH):
            rows = [model(pk=key, uid=uuid.uuid4()) for key in keys[start : start + BATCH]]
            model.objects.bulk_update(rows, ["uid"])


class Migration(migrations.Migration):
    # PostgreSQL alters no table in a transaction that still has to check what was written to it.
    atomic = False

    dependencies = [("memories", "0004_type_icons")]

    operations = [
        migrations.AddField("agent", "uid", models.UUIDField(editable=False, null=True)),
        migrations.AddField("memoryrevision", "uid", models.UUIDField(editable=False, null=True)),
        migrations.RunPython(give_ids, migrations.RunPython.noop),
        migrations.AlterField("agent", "uid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
        migrations.AlterField(
            "memoryrevision", "uid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)
        ),
    ]

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from memories.titles import title_key

BATCH = 500


def fill(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """The tags of each memory as rows, and what its title sorts by."""
    memory_model, tag_model = apps.get_model("memories", "Memory"), apps.get_model("memories", "MemoryTag")
    rows, last = memory_model.objects.order_by("pk").only("tags", "title", "content"), 0
    while batch := list(rows.filter(pk__gt=last)[:BATCH]):
        last = batch[-1].pk
        tags = [tag_model(memory=memory, tag=tag) for memory in batch for tag in tags_of(memory.tags)]
        tag_model.objects.bulk_create(tags, ignore_conflicts=True)
        for memory in batch:
            memory.title_key = title_key(memory.title, memory.content)
        memory_model.objects.bulk_update(batch, ["title_key"], batch_size=100)


def tags_of(value: object) -> list[str]:
    return list(dict.fromkeys(str(tag)[:50] for tag in value)) if isinstance(value, list) else []


class Migration(migrations.Migration):
    dependencies = [("memories", "0006_memory_tag")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Count, Q


def fill(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """One tally for each agent, person and category that has memories."""
    memory_model, tally_model = apps.get_model("memories", "Memory"), apps.get_model("memories", "MemoryTally")
    counted = Q(enabled=True, deleted_at__isnull=True, valid_from__isnull=True, valid_to__isnull=True)
    heaps = memory_model.objects.order_by().values_list("agent_id", "user_id", "category")
    tally_model.objects.bulk_create(
        [
            tally_model(agent_id=agent, user_id=user, category=category, count=count)
            for agent, user, category, count in heaps.annotate(count=Count("pk", filter=counted))
        ],
        batch_size=500,
    )


def empty(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("memories", "MemoryTally").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("memories", "0008_memory_tally")]
    operations = [migrations.RunPython(fill, empty)]

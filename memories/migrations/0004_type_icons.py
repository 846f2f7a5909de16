from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

# Names of earlier days, of which there are no icons.
RENAMED = {"user": "user-round", "message": "message-square-text"}


def rename_icons(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for former, icon in RENAMED.items():
        apps.get_model("memories", "MemoryType").objects.filter(icon=former).update(icon=icon)


class Migration(migrations.Migration):
    dependencies = [("memories", "0003_memory_embedded_with")]
    operations = [migrations.RunPython(rename_icons, migrations.RunPython.noop)]

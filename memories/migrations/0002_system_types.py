from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

# Names are in English here and shown in the reader's language (MemoryType.display_name).
SYSTEM_TYPES = [
    ("user", "User profile", "Preferences, roles and habits of the person", "user-round", "violet", "semantic"),
    ("project", "Project knowledge", "Progress, decisions and constraints of a project", "folder", "blue", "semantic"),
    ("feedback", "Feedback", "How the person wants the agent to behave", "message-square-text", "amber", "procedural"),
    ("reference", "Reference", "Links, documents and other sources", "link", "green", "semantic"),
]


def add_system_types(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    memory_type = apps.get_model("memories", "MemoryType")
    for key, name, description, icon, colour, category in SYSTEM_TYPES:
        columns = {
            "name": name,
            "description": description,
            "icon": icon,
            "colour": colour,
            "default_category": category,
            "is_system": True,
        }
        memory_type.objects.update_or_create(key=key, defaults=columns)


class Migration(migrations.Migration):
    dependencies = [("memories", "0001_initial")]
    # The way back leaves the rows: memories may point to them.
    operations = [migrations.RunPython(add_system_types, migrations.RunPython.noop)]

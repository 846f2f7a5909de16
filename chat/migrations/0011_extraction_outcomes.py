from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("chat", "0010_extraction")]

    operations = [
        migrations.AddField("extractionjob", "outcomes", models.JSONField(blank=True, default=list)),
        migrations.AddField("extractionjob", "tries", models.PositiveSmallIntegerField(default=0)),
        migrations.AddIndex(
            "extractionjob",
            models.Index(fields=["conversation"], condition=models.Q(state="failed"), name="extraction_failed"),
        ),
    ]

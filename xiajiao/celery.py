"""The Celery application: JSON messages that only nudge; the row in the database is the truth about a job."""

import os

from celery import Celery

# Imported for what it connects to the worker's signals.
import xiajiao.workersignals  # noqa: F401

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "xiajiao.settings")
app = Celery("xiajiao")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

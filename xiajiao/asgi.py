"""The ASGI application that uvicorn serves."""

import os

from django.conf import settings
from django.core.asgi import get_asgi_application

from xiajiao.bodies import BodyLimit

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "xiajiao.settings")
# The largest that may come in at once, and what a form has beside it.
MEGABYTES = max(settings.IMPORT_MAX_MB, settings.KB_FILE_MAX_MB, settings.KB_BATCH_MAX_MB)
MOST = MEGABYTES * 1024 * 1024 + settings.DATA_UPLOAD_MAX_MEMORY_SIZE
application = BodyLimit(get_asgi_application(), MOST)

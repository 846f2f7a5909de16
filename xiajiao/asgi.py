"""The ASGI application that uvicorn serves."""

import os

from django.conf import settings
from django.core.asgi import get_asgi_application

from xiajiao.bodies import BodyLimit

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "xiajiao.settings")
# The largest file that may come in, and what a form has beside it.
MOST = settings.IMPORT_MAX_MB * 1024 * 1024 + settings.DATA_UPLOAD_MAX_MEMORY_SIZE
application = BodyLimit(get_asgi_application(), MOST)

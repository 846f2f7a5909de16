#!/usr/bin/env python3
"""Run a management command: `python manage.py up` starts Xiajiao."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "xiajiao.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        # A setting that can't be read, for a person at a terminal.
        sys.exit(str(error))

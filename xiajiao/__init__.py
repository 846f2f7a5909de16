"""Xiajiao: agents that remember."""

from xiajiao.celery import app as celery_app

__all__ = ["celery_app"]

"""Addresses of agents and their memories."""

from django.urls import URLPattern

app_name = "memories"
urlpatterns: list[URLPattern] = []

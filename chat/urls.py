"""Addresses of conversations."""

from django.urls import path

from chat.views.home import home

app_name = "chat"
urlpatterns = [
    path("", home, name="home"),
]

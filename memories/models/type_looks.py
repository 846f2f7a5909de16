"""The icons and colours that a memory type may have."""

from django.db import models
from django.utils.translation import pgettext_lazy


class Icon(models.TextChoices):
    """Each value is a file of static/vendor/lucide."""

    TAG = "tag", pgettext_lazy("icon", "label")
    USER = "user-round", pgettext_lazy("icon", "person")
    USERS = "users-round", pgettext_lazy("icon", "people")
    HEART = "heart", pgettext_lazy("icon", "heart")
    HOUSE = "house", pgettext_lazy("icon", "house")
    BRIEFCASE = "briefcase", pgettext_lazy("icon", "briefcase")
    GRADUATION_CAP = "graduation-cap", pgettext_lazy("icon", "graduation cap")
    FOLDER = "folder", pgettext_lazy("icon", "folder")
    BOOK = "book-open", pgettext_lazy("icon", "book")
    LINK = "link", pgettext_lazy("icon", "link")
    MESSAGE = "message-square-text", pgettext_lazy("icon", "message")
    LIGHTBULB = "lightbulb", pgettext_lazy("icon", "light bulb")
    BRAIN = "brain", pgettext_lazy("icon", "brain")
    BOT = "bot", pgettext_lazy("icon", "robot")
    STAR = "star", pgettext_lazy("icon", "star")
    FLAG = "flag", pgettext_lazy("icon", "flag")
    CHECKS = "list-checks", pgettext_lazy("icon", "check list")
    CALENDAR = "calendar-clock", pgettext_lazy("icon", "calendar")
    HISTORY = "history", pgettext_lazy("icon", "history")
    MAP_PIN = "map-pin", pgettext_lazy("icon", "place")
    PLANE = "plane", pgettext_lazy("icon", "plane")
    LANGUAGES = "languages", pgettext_lazy("icon", "languages")
    CODE = "code", pgettext_lazy("icon", "code")
    BRANCH = "git-branch", pgettext_lazy("icon", "branch")
    SERVER = "server", pgettext_lazy("icon", "server")
    MONITOR = "monitor", pgettext_lazy("icon", "screen")
    WRENCH = "wrench", pgettext_lazy("icon", "wrench")
    SHIELD = "shield", pgettext_lazy("icon", "shield")
    WALLET = "wallet", pgettext_lazy("icon", "wallet")
    GIFT = "gift", pgettext_lazy("icon", "gift")
    UTENSILS = "utensils", pgettext_lazy("icon", "cutlery")
    MUSIC = "music", pgettext_lazy("icon", "music")
    CAMERA = "camera", pgettext_lazy("icon", "camera")
    DUMBBELL = "dumbbell", pgettext_lazy("icon", "dumbbell")
    PAW = "paw-print", pgettext_lazy("icon", "paw")


class Colour(models.TextChoices):
    """The palette of css/types.css: each is legible on light and on dark."""

    GREY = "grey", pgettext_lazy("colour", "grey")
    RED = "red", pgettext_lazy("colour", "red")
    AMBER = "amber", pgettext_lazy("colour", "amber")
    GREEN = "green", pgettext_lazy("colour", "green")
    TEAL = "teal", pgettext_lazy("colour", "teal")
    BLUE = "blue", pgettext_lazy("colour", "blue")
    VIOLET = "violet", pgettext_lazy("colour", "violet")
    PINK = "pink", pgettext_lazy("colour", "pink")

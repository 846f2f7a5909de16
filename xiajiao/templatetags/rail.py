from dataclasses import dataclass
from typing import Any

from django import template
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

register = template.Library()


@dataclass(frozen=True)
class Room:
    """A place of the rail; it is the current one on pages whose URL name starts with one of `prefixes`."""

    url_name: str
    icon: str
    label: Promise | str
    prefixes: tuple[str, ...]


# Beginnings of URL names, all of one room.
OF_CHAT = ("home", "conversation", "message", "answer", "turn", "branch", "attachment", "snapshot")
OF_MEMORIES = ("memory", "bulk", "health", "finding", "pending", "type", "import", "export", "job")
SOURCES_OF_MEMORIES = ("memory", "source", "forgetting", "profile_loss")
ROOMS = [
    Room("chat:home", "message-circle", _("Chat"), tuple(f"chat:{name}" for name in OF_CHAT)),
    Room("memories:agent_list", "bot", _("Agents"), ("memories:agent", "memories:profile", "chat:persona")),
    Room(
        "memories:memory_list",
        "brain",
        _("Memories"),
        (*(f"memories:{name}" for name in OF_MEMORIES), *(f"chat:{name}" for name in SOURCES_OF_MEMORIES)),
    ),
    Room("knowledge:base_list", "book-open", _("Knowledge"), ("knowledge:",)),
    Room("chat:activity", "list-checks", _("Activity"), ("chat:activity", "chat:extraction")),
    Room("profile_update", "settings", _("Settings"), ("profile", "password", "provider", "user")),
]

PASSED_ON = ("request", "user", "theme", "csrf_token")


@register.inclusion_tag("base/_rail.html", takes_context=True)
def rail(context: template.Context) -> dict[str, Any]:
    request = context["request"]
    view_name = request.resolver_match.view_name if request.resolver_match else ""
    rooms = [
        {
            "url": reverse(room.url_name),
            "icon": room.icon,
            "label": room.label,
            "is_current": view_name.startswith(room.prefixes),
        }
        for room in ROOMS
    ]
    return {"rooms": rooms, **{name: context[name] for name in PASSED_ON}}

from typing import Any

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext_lazy as _

from memories.forms.types import MemoryTypeForm
from memories.models import MemoryType


@admin.register(MemoryType)
class MemoryTypeAdmin(admin.ModelAdmin):
    """Admins add types of their own; the four system types keep their key and name, and stay.

    Deleting a type that memories have goes by the panel's own page, which asks where they go.
    """

    form = MemoryTypeForm
    list_display = ["key", "shown_name", "default_category", "is_system", "description"]
    list_filter = ["is_system", "default_category"]
    search_fields = ["key", "name", "description"]
    fields = ["name", "key", "description", "default_category", "icon", "colour", "is_system"]

    class Media:
        css = {"all": ["css/types.css", "css/types_admin.css"]}

    @admin.display(description=_("name"), ordering="name")
    def shown_name(self, memory_type: MemoryType) -> str:
        return memory_type.display_name

    def get_readonly_fields(self, request: HttpRequest, obj: MemoryType | None = None) -> list[str]:
        return ["name", "key", "is_system"] if obj is not None and obj.is_system else ["is_system"]

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        is_going = isinstance(obj, MemoryType) and obj.moves_to_id is not None
        return not is_going and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        is_locked = isinstance(obj, MemoryType) and (obj.is_system or obj.moves_to_id is not None)
        return not is_locked and super().has_delete_permission(request, obj)

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        memory_type = get_object_or_404(MemoryType, pk=object_id) if object_id.isdecimal() else None
        if (
            memory_type is not None
            and self.has_delete_permission(request, memory_type)
            and memory_type.memories.exists()
        ):
            return redirect("memories:type_delete", memory_type.pk)
        return super().delete_view(request, object_id, extra_context)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[MemoryType]) -> None:
        """The list's own delete leaves the locked ones; a type in use never comes here (its memories protect it)."""
        queryset.filter(is_system=False).delete()

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        return super().get_deleted_objects([each for each in objs if not each.is_system], request)

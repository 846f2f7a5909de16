from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from memories.models import MemoryType


@admin.register(MemoryType)
class MemoryTypeAdmin(admin.ModelAdmin):
    """Admins add types of their own; the four system types keep their key and stay."""

    list_display = ["key", "display_name", "default_category", "is_system", "description"]
    list_filter = ["is_system", "default_category"]
    search_fields = ["key", "name", "description"]
    fields = ["key", "name", "description", "icon", "colour", "default_category", "is_system"]

    def get_readonly_fields(self, request: HttpRequest, obj: MemoryType | None = None) -> list[str]:
        return ["key", "name", "is_system"] if obj is not None and obj.is_system else ["is_system"]

    def has_delete_permission(self, request: HttpRequest, obj: MemoryType | None = None) -> bool:
        if obj is not None and (obj.is_system or obj.memories.exists()):
            return False
        return super().has_delete_permission(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[MemoryType]) -> None:
        """The list's own delete leaves the locked ones; a type in use never comes here (its memories protect it)."""
        queryset.filter(is_system=False).delete()

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        return super().get_deleted_objects([each for each in objs if not each.is_system], request)

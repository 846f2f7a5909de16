"""Django's admin for the rows of the site itself. Keys of providers are not among what it shows."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from xiajiao.models import Provider, User

admin.site.site_header = _("Xiajiao")
admin.site.site_title = _("Xiajiao")
admin.site.index_title = _("Administration")
# Who administers may do all of it; nothing here asks for a group.
admin.site.unregister(Group)


@admin.register(User)
class PersonAdmin(UserAdmin):
    list_display = ["username", "is_active", "is_staff", "language", "last_login"]
    fieldsets = [*(UserAdmin.fieldsets or []), (_("Interface"), {"fields": ["language", "theme"]})]


@admin.register(Provider)
class ProviderAdmin(admin.ModelAdmin):
    """To look at and to switch; adding, testing and keys are in Settings → Models."""

    list_display = ["name", "source", "base_url", "default_model", "is_default", "enabled"]
    list_filter = ["source", "enabled"]
    readonly_fields = ["base_url", "default_model", "model_names", "source", "is_default", "created_at", "updated_at"]
    fields = ["name", "enabled", *readonly_fields]

    def save_model(self, request: HttpRequest, obj: Provider, form: Any, change: bool) -> None:
        """One that is switched off is no default either."""
        obj.is_default = obj.is_default and obj.enabled
        super().save_model(request, obj, form, change)

    def has_add_permission(self, request: object) -> bool:
        return False

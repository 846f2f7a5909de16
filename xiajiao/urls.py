"""The site's addresses: one include for each room."""

from django.contrib import admin
from django.urls import include, path

from xiajiao.views import signing_in

urlpatterns = [
    path("admin/login/", signing_in.admin_login, name="admin_login"),
    path("admin/", admin.site.urls),
    path("", include("xiajiao.site_urls")),
    path("", include("memories.urls")),
    path("", include("knowledge.urls")),
    path("", include("chat.urls")),
]

handler400 = "xiajiao.views.errors.bad_request"
handler500 = "xiajiao.views.errors.server_error"

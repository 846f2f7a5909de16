"""For whoever watches over an installation: is it alive, and can it do its work."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import override
from django.views.decorators.http import require_safe

from xiajiao.health import check_all, is_ready


@require_safe
@login_not_required
def healthz(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
@login_not_required
def readyz(request: HttpRequest) -> HttpResponse:
    """503 where something is broken that turns or jobs need."""
    with override("en"):
        findings = check_all()
    parts = {finding.part: {"ok": finding.ok, "reason": finding.reason} for finding in findings}
    ok = is_ready(findings)
    return JsonResponse({"ok": ok, **parts}, status=200 if ok else 503)

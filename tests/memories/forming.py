"""Forms of memories as a browser fills them in and sends them."""

from typing import Any

from django.test import Client

HTMX = {"HX-Request": "true"}


def form_of(client: Client, address: str) -> dict[str, Any]:
    """What the browser would send of the form as it is shown."""
    form = client.get(address, headers=HTMX).context["form"]
    values = {"whole": "1", "zone": form.zone}
    for name, field in form.fields.items():
        value = field.prepare_value(form[name].value())
        if value not in (None, False):
            values[name] = "on" if value is True else str(value)
    if "agent" in form.fields:
        values.setdefault("agent", str(form.fields["agent"].queryset[0].pk))
    return values


def typed(form: Any, name: str) -> Any:
    return form[name].value()


def refuse(client: Client, pk: int, values: dict[str, Any]) -> Any:
    response = client.post(f"/memories/{pk}/edit/", values, headers=HTMX)
    assert response.status_code == 409
    return response


def answer_to(response: Any, values: dict[str, Any]) -> dict[str, Any]:
    """What the browser sends of the refused form."""
    form, context = response.context["form"], response.context
    shown = {name: typed(form, name) for name in form.fields}
    sent = {name: value for name, value in shown.items() if value not in (None, False, "")}
    return {**sent, "whole": "1", "zone": values["zone"], "base": context["base"], "yours": context["typed"]}

from django import template
from django.forms import BoundField, CheckboxInput, CheckboxSelectMultiple, RadioSelect

register = template.Library()


@register.filter
def widget_kind(field: BoundField) -> str:
    """How a field is laid out: one box with its label behind it, a group of boxes, or a label above a widget."""
    widget = field.field.widget
    if isinstance(widget, CheckboxInput):
        return "checkbox"
    return "group" if isinstance(widget, CheckboxSelectMultiple | RadioSelect) else "single"

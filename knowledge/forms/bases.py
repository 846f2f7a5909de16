"""What a person says of a base: its name, who uses it, how its documents are cut."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from knowledge.chunking import Cut
from knowledge.models import KnowledgeBase
from knowledge.models.bases import LEAST, MOST
from xiajiao.forms.rows import RowsField
from xiajiao.models import User
from xiajiao.texts import clean

EMBEDDER_NAMES = {
    "e5": _("multilingual-e5-small: the better one, a chunk or two a second"),
    "use": _("Universal Sentence Encoder: less exact, ten times faster"),
    "openai": _("The provider's embedding model"),
}
LARGEST_PARENT, MOST_SEPARATORS = 8000, 10


class SeparatorsField(forms.CharField):
    """A separator a line, with \\n and \\t as they are written in code; a list."""

    widget = forms.Textarea(attrs={"rows": 3, "class": "code-field"})

    def prepare_value(self, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        return "\n".join(each.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t") for each in value)

    def to_python(self, value: Any) -> Any:
        lines = [line for line in clean(value or "").splitlines() if line]
        if len(lines) > MOST_SEPARATORS or any(len(line) > 50 for line in lines):
            raise ValidationError(_("At most ten separators of at most 50 characters."))
        marks = {"\\n": "\n", "\\t": "\t", "\\\\": "\\"}
        found = [line.replace("\\\\", "\0") for line in lines]
        return [
            line.replace("\\n", marks["\\n"]).replace("\\t", marks["\\t"]).replace("\0", marks["\\\\"])
            for line in found
        ]

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(self.prepare_value(initial) != data)


class CuttingForm(forms.ModelForm):
    """How documents are cut; by itself for a preview."""

    separators = SeparatorsField(
        label=_("Separators"),
        required=False,
        help_text=_("Where to cut first, one a line; \\n is a new line. Empty: by headings, paragraphs and sentences."),
    )

    class Meta:
        model = KnowledgeBase
        fields = ["chunk_size", "chunk_overlap", "parent_size", "separators"]
        widgets: ClassVar[dict[str, Any]] = {
            "chunk_size": forms.NumberInput(attrs={"min": LEAST, "max": MOST}),
            "chunk_overlap": forms.NumberInput(attrs={"min": 0, "max": MOST}),
            "parent_size": forms.NumberInput(attrs={"min": LEAST, "max": LARGEST_PARENT}),
        }
        help_texts = {
            "chunk_size": _(
                "Tokens of a chunk, which is what a search finds: 64 to 2048. Small ones are found exactly."
            ),
            "chunk_overlap": _("Tokens that neighbours share, fewer than half a chunk."),
            "parent_size": _("Tokens around a chunk that the model reads when it was found."),
        }

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        size, overlap, parent = (values.get(name) for name in ("chunk_size", "chunk_overlap", "parent_size"))
        if size and overlap is not None and overlap * 2 > size:
            self.add_error("chunk_overlap", _("At most half the size of a chunk."))
        if parent and parent > LARGEST_PARENT:
            self.add_error("parent_size", _("At most 8000 tokens."))
        return values

    @property
    def cut(self) -> Cut:
        chosen = self.cleaned_data
        sizes = chosen["chunk_size"], chosen["chunk_overlap"], chosen["parent_size"]
        return Cut(*sizes, tuple(chosen["separators"]))


class BaseForm(CuttingForm):
    embedder = forms.ChoiceField(
        label=_("Embedding model"),
        required=False,
        help_text=_("Finds by meaning. With another one, all chunks are embedded again; words find them meanwhile."),
    )

    class Meta(CuttingForm.Meta):
        fields = [
            "name",
            "description",
            "serves_all_agents",
            "agents",
            "is_shared",
            "embedder",
            *CuttingForm.Meta.fields,
        ]
        widgets = CuttingForm.Meta.widgets | {
            "agents": forms.CheckboxSelectMultiple,
            "description": forms.Textarea(attrs={"rows": 2}),
        }
        help_texts = CuttingForm.Meta.help_texts | {
            "is_shared": _("They may read and search it; only you can change it."),
            "serves_all_agents": _("Each agent looks into it when you ask something."),
            "agents": _("These look into it, too."),
        }
        labels = {"agents": _("Used by")}
        field_classes: ClassVar[dict[str, Any]] = {"agents": RowsField}

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        agents = self.fields["agents"]
        usable = agents.queryset.for_user(self.owner).unarchived()  # type: ignore[attr-defined]
        agents.queryset = usable  # type: ignore[attr-defined]
        if not usable.exists():
            del self.fields["agents"]
        choices = [
            ("", _("As the installation has it")),
            *((name, EMBEDDER_NAMES.get(name, name)) for name in settings.EMBEDDERS),
        ]
        self.fields["embedder"].choices = choices  # type: ignore[attr-defined]

    @property
    def owner(self) -> User:
        return self.instance.owner if self.instance.pk else self.user

    def clean_agents(self) -> list[Any]:
        """Those that can't be chosen here, archived ones among them, stay."""
        unseen = self.instance.agents.exclude(pk__in=self.fields["agents"].queryset) if self.instance.pk else ()  # type: ignore[attr-defined]
        return [*self.cleaned_data["agents"], *unseen]

    def clean_name(self) -> str:
        name = " ".join(clean(self.cleaned_data["name"]).split())
        others = KnowledgeBase.objects.kept().filter(owner=self.owner, name=name).exclude(pk=self.instance.pk)
        if not name:
            raise ValidationError(_("Give it a name."))
        if others.exists():
            raise ValidationError(_("There is a base of this name already."))
        return name

    @property
    def recuts(self) -> bool:
        """Whether documents would be cut otherwise than they are."""
        return bool({"chunk_size", "chunk_overlap", "parent_size", "separators"} & set(self.changed_data))

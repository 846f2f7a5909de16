from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from xiajiao.models import Provider
from xiajiao.secrets import encrypt


class ProviderForm(forms.ModelForm):
    key = forms.CharField(
        label=_("API key"),
        required=False,
        strip=True,
        max_length=1000,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
    )
    forget_key = forms.BooleanField(label=_("Forget the stored key"), required=False)
    model_names = forms.CharField(
        label=_("Models"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("One name per line. Testing the provider fills this in where the server lists its models."),
    )

    class Meta:
        model = Provider
        fields = ["name", "base_url", "key", "forget_key", "default_model", "model_names"]
        widgets = {"base_url": forms.TextInput(attrs={"placeholder": "https://api.openai.com/v1", "inputmode": "url"})}
        help_texts = {
            "base_url": _("Of an OpenAI-compatible server, mostly ending in /v1. Empty: OpenAI itself."),
            "default_model": _("Used by agents that name no model of their own."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["default_model"].widget.attrs["list"] = "known-models"
        if self.instance.encrypted_key:
            self.fields["key"].help_text = _("A key is stored, encrypted. Leave this empty to keep it.")
        else:
            self.fields["key"].help_text = _("Stored encrypted and never shown again. Local servers need none.")
            del self.fields["forget_key"]
        self.initial["model_names"] = "\n".join(self.instance.model_names)

    def clean_base_url(self) -> str:
        address = self.cleaned_data["base_url"].strip().rstrip("/").removesuffix("/chat/completions")
        if not address:
            return ""
        try:
            parts = urlsplit(address)
            is_web = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port or 1) > 0
        except ValueError:
            is_web = False
        if not is_web or parts.username or parts.query or parts.fragment:
            raise ValidationError(_("This is no address of a server. It looks like https://api.example.com/v1."))
        return address

    def clean_model_names(self) -> list[str]:
        lines = self.cleaned_data["model_names"].splitlines()
        return list(dict.fromkeys(name.strip()[:200] for name in lines if name.strip()))

    def save(self, commit: bool = True) -> Provider:
        if self.cleaned_data.get("forget_key"):
            self.instance.encrypted_key = ""
        if key := self.cleaned_data["key"]:
            self.instance.encrypted_key = encrypt(key)
        return super().save(commit)

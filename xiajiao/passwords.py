"""What Django says of passwords, in words of our own: its Chinese catalogue has lost the sentence of the length."""

from django.contrib.auth.password_validation import MinimumLengthValidator
from django.utils.translation import ngettext


class LengthValidator(MinimumLengthValidator):
    def get_error_message(self) -> str:
        text = ngettext(
            "Too short: a password has at least %(count)d character.",
            "Too short: a password has at least %(count)d characters.",
            self.min_length,
        )
        return text % {"count": self.min_length}

"""Why a page can't be fetched, in words for the person who asked."""

from __future__ import annotations

from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Failure(StrEnum):
    BAD_ADDRESS = "bad_address"
    FORBIDDEN_ADDRESS = "forbidden_address"
    NOT_FOUND = "not_found"
    UNREACHABLE = "unreachable"
    REFUSED = "refused"
    TOO_MANY_REDIRECTS = "too_many_redirects"
    TOO_LARGE = "too_large"
    WRONG_TYPE = "wrong_type"
    TIMED_OUT = "timed_out"


WORDS: dict[Failure, str | Promise] = {
    Failure.BAD_ADDRESS: _("This is no address of a web page. It must begin with http:// or https://."),
    Failure.FORBIDDEN_ADDRESS: _(
        "This address leads into a private network, so it is not fetched. Save the page as a file and upload that."
    ),
    Failure.NOT_FOUND: _("No such site is known. Check the address."),
    Failure.UNREACHABLE: _("The site can't be reached. Try again later, or save the page and upload it."),
    Failure.REFUSED: _("The site doesn't give out this page. If you can see it in a browser, save it and upload it."),
    Failure.TOO_MANY_REDIRECTS: _("The site sends from one address to the next without an end."),
    Failure.TOO_LARGE: _("The page is too large. Download it yourself and upload the part that you need."),
    Failure.WRONG_TYPE: _("This is no page and no document that can be read, but a picture, a film or a program."),
    Failure.TIMED_OUT: _("The site answers too slowly. Try again later, or save the page and upload it."),
}


class FetchError(Exception):
    """A page that is not to be had; `detail` is a fact, in English, for the log."""

    def __init__(self, code: Failure, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}" if detail else str(code))
        self.code = code
        self.detail = detail

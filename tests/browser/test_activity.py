"""The page of jobs in the four looks, and what changes on it by itself."""

import pytest
from playwright.sync_api import expect

from chat.models import ExtractionJob
from tests.browser.conftest import OpenPage
from tests.browser.pages import assert_accessible, assert_fits, sign_in
from tests.browser.remembering import speak
from tests.browser.test_shell import LOOKS
from tests.chat.extraction.test_activity import make_job
from tests.factories import make_user


@pytest.mark.parametrize("look", LOOKS)
def test_jobs_are_told_of_as_they_go(site: str, open_page: OpenPage, look: tuple[str, int, str]) -> None:
    page, say, mei = open_page(*look), speak(look[0]), make_user(username="mei")
    failed = make_job(
        mei, title="Where to live", reason="no_list", raw_reply="<b>No.</b>", candidates=[{"content": "x"}]
    )
    waiting = make_job(mei, title="Tea", state="waiting")
    sign_in(page, mei)
    page.goto("/activity/")
    assert_fits(page)
    assert_accessible(page)

    row = page.locator(f"#extraction-{failed.pk}")
    row.get_by_role("link", name=say("Details")).click()
    page.get_by_text(say("What the model answered")).click()
    expect(page.locator("#side pre")).to_have_text("<b>No.</b>")
    assert_accessible(page)
    ExtractionJob.objects.filter(pk=waiting.pk).update(state="done", candidates=[])
    expect(page.locator(f"#extraction-{waiting.pk}")).to_contain_text(say("nothing worth remembering"))
    expect(page.locator("#side pre")).to_be_visible()
    page.locator("[data-side-close]").click()
    row.get_by_role("button", name=say("Try again")).click()
    expect(row.locator(".activity-note")).to_have_count(0)

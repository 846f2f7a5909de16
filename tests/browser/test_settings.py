import pytest
from playwright.sync_api import Page, expect

from memories.models import Agent
from tests.browser.conftest import OpenPage
from tests.browser.pages import assert_accessible, assert_fits, sign_in
from tests.browser.test_shell import LOOKS
from tests.factories import make_agent, make_memory, make_provider, make_user
from tests.openai_stub import OpenAIStub, Reply
from xiajiao.models import User


@pytest.fixture
def staff(site: str) -> User:
    return make_user(username="mei", is_staff=True, is_superuser=True)


def test_a_saved_provider_is_tested_at_once(page: Page, staff: User) -> None:
    sign_in(page, staff)
    with OpenAIStub() as stub:
        stub.models = ["qwen3:8b", "llama3"]
        page.goto("/settings/models/add/")
        page.get_by_label("Name").fill("Mine")
        page.get_by_label("Base URL").fill(stub.base_url)
        page.get_by_role("button", name="Save and test").click()
        expect(page.get_by_text("It answers and offers 2 models")).to_be_visible()

        stub.models_reply = Reply(
            status=401, error={"message": "Incorrect API key provided", "code": "invalid_api_key"}
        )
        page.get_by_role("button", name="Test").click()
        expect(page.get_by_text("does not accept the key")).to_be_visible()
        expect(page.get_by_text("Incorrect API key provided")).to_be_visible()


def test_deleting_asks_first_in_the_pages_own_dialog(page: Page, staff: User) -> None:
    provider = make_provider(name="Mine")
    sign_in(page, staff)
    page.goto(f"/settings/models/{provider.pk}/")

    page.get_by_role("button", name="Delete this provider").click()
    expect(page.get_by_role("dialog")).to_contain_text("Delete Mine and its key?")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()

    page.get_by_role("button", name="Delete this provider").click()
    page.get_by_role("button", name="Yes, go on").click()
    expect(page.get_by_text("Mine is deleted, and its key with it.")).to_be_visible()


def test_an_agent_is_made_with_a_model_of_its_provider(page: Page, staff: User) -> None:
    make_provider(name="Ollama", model_names=["qwen3:8b"])
    sign_in(page, staff)
    page.goto("/agents/")
    page.get_by_role("link", name="New agent").first.click()

    page.get_by_label("Name", exact=True).fill("Translator")
    page.get_by_label("Provider").select_option(label="Ollama")
    expect(page.locator("#known-models option")).to_have_attribute("value", "qwen3:8b")
    page.get_by_label("Model", exact=True).fill("qwen3:8b")
    page.get_by_label("Forget a memory when asked to").uncheck()
    page.get_by_role("button", name="Create the agent").click()

    expect(page.get_by_text("Translator is ready to talk.")).to_be_visible()
    agent = Agent.objects.get()
    assert (agent.model_name, agent.allows("memory_delete"), agent.allows("memory_write")) == ("qwen3:8b", False, True)


def test_an_agent_goes_to_the_archive_and_comes_back(page: Page, staff: User) -> None:
    make_agent(owner=staff, name="Reviewer")
    sign_in(page, staff)
    page.goto("/agents/")

    page.get_by_role("button", name="Archive Reviewer").click()
    page.get_by_role("button", name="Yes, go on").click()
    expect(page.get_by_text("No agent yet")).to_be_visible()
    page.get_by_text("1 archived agent").click()
    page.get_by_role("button", name="Bring back").click()
    expect(page.get_by_role("link", name="Edit")).to_be_visible()


def test_the_admin_keeps_to_the_policy(page: Page, staff: User) -> None:
    sign_in(page, staff)
    for address in ["/admin/", "/admin/xiajiao/user/", f"/admin/xiajiao/user/{staff.pk}/change/"]:
        page.goto(address)
        expect(page.locator("#content")).to_be_visible()


@pytest.mark.parametrize(("language", "width", "theme"), LOOKS)
def test_settings_and_agents_fit_and_are_accessible(
    open_page: OpenPage, staff: User, language: str, width: int, theme: str
) -> None:
    provider = make_provider(name="A provider with a rather long name of its own", is_default=True)
    agent = make_agent(owner=staff, base_prompt="翻译" * 200, is_shared=True)
    make_memory(agent, "用户喜欢虾饺")
    make_agent(owner=staff, name="W" * 80)
    other = make_user(username="a" * 100)
    page = open_page(language, width, theme)
    sign_in(page, staff)
    for address in [
        "/agents/",
        "/agents/add/",
        f"/agents/{agent.pk}/",
        "/settings/models/",
        "/settings/models/add/",
        f"/settings/models/{provider.pk}/",
        "/settings/people/",
        "/settings/people/add/",
        f"/settings/people/{other.pk}/password/",
    ]:
        page.goto(address)
        assert_accessible(page)
        assert_fits(page)

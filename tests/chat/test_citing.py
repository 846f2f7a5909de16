"""`[M12]` in an answer leads to the memory where the answer knew it, and nowhere else."""

import pytest
from django.test import Client

from chat.citing import Known, find_known
from chat.markdown import render_markdown
from chat.models import ToolCall
from chat.turns import run_turn
from memories.gate import Draft, Origin, write
from tests.chat.turning import finish, make_answer
from tests.factories import make_agent
from tests.openai_stub import OpenAIStub
from xiajiao.models import User

KNOWN = Known(frozenset({12, 15}), frozenset({2, 3}), answer_id=7)
LINK = (
    '<a class="citation" href="/memories/{0}/" hx-get="/memories/{0}/" hx-target="#side" title="See and correct">'
    "M{0}</a>"
)


def cited(text: str) -> str:
    return render_markdown(text, KNOWN)


def test_what_the_answer_knew_becomes_a_link() -> None:
    assert f"You like tea [{LINK.format(12)}]." in cited("You like tea [M12].")
    assert f"[{LINK.format(12)}], [{LINK.format(15)}]" in cited("[M12], [M15]")
    assert f"[{LINK.format(12)}, M13、{LINK.format(15)}]" in cited("Tea [M12, M13、M15]")
    assert f"<strong>tea [{LINK.format(12)}]:</strong>" in cited("**tea [M12]:**")


@pytest.mark.parametrize(
    "text",
    [
        *(
            "[M13]",
            "[M120]",
            "[m12]",
            "[12]",
            "M12",
            "\\[M12]",
            "[M0012345678901234567890]",
            "[M12](https://a.example)",
        ),
        *("`[M12]`", "```\n[M12]\n```", "[see [M12]](https://a.example)", "$x[M12]$"),
        *('<span class="citation">M12</span>', "&lt;span class=&quot;citation&quot;&gt;M12&lt;/span&gt;"),
        '```html\n<span class="citation">M12</span>\n```',
    ],
)
def test_anything_else_stays_as_it_is(text: str) -> None:
    assert cited(text) == render_markdown(text)
    assert "/memories/" not in cited(text)


def test_markup_in_and_around_a_citation_is_inert() -> None:
    html = cited('[M12"onclick="x] [M12<img src=x onerror=y>] [M12]<script>alert(1)</script>')

    assert html.count("<a ") == 1
    assert "<script" not in html
    assert "<img" not in html


def test_what_the_memory_tools_named_is_known_too() -> None:
    calls = [
        ToolCall(name="memory_search", result="[M7] likes tea (semantic, user)\n[M8] says \\[M99] (semantic, user)"),
        ToolCall(name="memory_write", result="Remembered: [M9] likes milk (semantic, user)"),
        ToolCall(name="knowledge_search", result="[M5] of a document"),
    ]

    assert find_known([3, None], calls) == {3, 7, 8, 9}


@pytest.mark.django_db
def test_an_answer_links_what_it_recalled_in_its_own_turn(
    signed_in: Client, user: User, openai_stub: OpenAIStub
) -> None:
    agent = make_agent(owner=user, base_prompt="Helper.")
    manual = Origin(actor="person", source="manual")
    memory = write(agent, user.pk, Draft("The user drinks green tea."), manual).memory
    openai_stub.says(f"Green tea [M{memory.pk}], not [M{memory.pk + 1000}].")
    answer = make_answer("Which tea does the user drink?", agent=agent)
    list(run_turn(answer))

    page = signed_in.get(f"/conversations/{answer.conversation_id}/").content.decode()
    assert f"Green tea [{LINK.format(memory.pk)}], not [M{memory.pk + 1000}]." in page
    later = finish(make_answer("And?", conversation=answer.conversation), f"As said [M{memory.pk}].")
    page = signed_in.get(f"/conversations/{later.conversation_id}/").content.decode()
    assert f"As said [M{memory.pk}]." in page

"""kb_index: what a model names is indexed where it lies in the agent's workspace, and nothing else is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pytest_django import Settings

from knowledge.models import Chunk, Document, KnowledgeBase
from knowledge.tools import kb_index, kb_list, kb_search
from knowledge.workspaces import workspace_of
from memories.models import Agent
from tests.factories import make_agent, make_user
from tests.knowledge.documents import make_base
from tests.knowledge.zoo import locked_pdf
from xiajiao.tools import Scope, ToolError

pytestmark = pytest.mark.django_db

LIMITS = "# Limits\n\nAt most 60 requests a minute; beyond that the answer is 429."


@pytest.fixture
def agent(settings: Settings, tmp_path: Path) -> Agent:
    settings.WORKSPACES_DIR = tmp_path / "workspaces"
    (tmp_path / "secret.md").write_text("The password is swordfish.")
    agent = make_agent(name="Coder")
    folder = workspace_of(agent.pk)
    (folder / "docs").mkdir()
    (folder / "docs" / "api.md").write_text(LIMITS)
    return agent


def scope_of(agent: Agent) -> Scope:
    return Scope(agent_id=agent.pk, user_id=agent.owner_id)


def index(agent: Agent, path: str, **arguments: str) -> str:
    return kb_index.call(scope_of(agent), {"path": path} | arguments)


def test_a_file_is_indexed_into_a_base_of_the_agents_own_and_found(agent: Agent) -> None:
    said = index(agent, "docs/api.md", doc_id="api-ref")
    assert said == "Indexed 1 chunks from docs/api.md (doc_id: api-ref, base: Coder). kb_search finds them now."
    base = KnowledgeBase.objects.get()
    assert (base.owner, list(base.agents.all()), base.is_shared) == (agent.owner, [agent], False)
    scope = scope_of(agent)
    assert "60 requests" in kb_search.call(scope, {"query": "requests a minute", "doc_id": "api-ref", "top_k": "3"})
    assert "api-ref: api.md (1 chunks, in Coder)" in kb_list.call(scope, {})


def test_the_same_file_again_is_one_document(agent: Agent) -> None:
    index(agent, "docs/api.md")
    index(agent, "docs/api.md")
    (workspace_of(agent.pk) / "docs" / "api.md").write_text("Now 90 requests a minute.")
    index(agent, "docs/api.md")
    assert Document.objects.get().doc_id == "docs/api.md"
    assert "90" in Chunk.objects.get().text


def test_nothing_leads_out_of_the_workspace(agent: Agent, tmp_path: Path) -> None:
    folder, other = workspace_of(agent.pk), workspace_of(make_agent(owner=agent.owner).pk)
    (other / "theirs.md").write_text("x")
    (folder / "link.md").symlink_to(tmp_path / "secret.md")
    (folder / "out").symlink_to(tmp_path)
    (folder / "loop").symlink_to(folder / "loop")
    (folder / "inner.md").symlink_to(folder / "docs" / "api.md")
    os.mkfifo(folder / "pipe")
    paths = ["../secret.md", "../../secret.md", "docs/../../../secret.md", str(tmp_path / "secret.md"), "link.md"]
    paths += ["out/secret.md", "loop", "inner.md", "pipe", "docs", ".", "", " ", "~/x", "docs/api.md\0.txt", "a" * 5000]
    paths += [f"../{other.name}/theirs.md", "/dev/zero", "/proc/self/environ", "\udcff", "docs/api.md/x", "missing.md"]
    for path in paths:
        with pytest.raises(ToolError) as raised:
            index(agent, path)
        assert str(tmp_path) not in str(raised.value).replace(repr(path), ""), path
    assert not Document.objects.exists()
    with pytest.raises(ToolError, match=r"It holds 'inner.md', .*'docs/api.md'"):
        index(agent, "missing.md")


def test_a_file_that_is_too_large_is_refused(agent: Agent, settings: Settings) -> None:
    settings.KB_FILE_MAX_MB = 0
    with pytest.raises(ToolError, match="larger than 0 MB"):
        index(agent, "docs/api.md")


def test_a_file_that_can_not_be_read_says_why_and_is_tried_anew(agent: Agent) -> None:
    path = workspace_of(agent.pk) / "locked.pdf"
    path.write_bytes(locked_pdf("secret", "owner"))
    for _ in range(2):
        with pytest.raises(ToolError, match="opens with a password only"):
            index(agent, "locked.pdf")
    path.write_bytes(LIMITS.encode())
    assert "Indexed 1 chunks" in index(agent, "locked.pdf")


def test_of_several_bases_the_one_is_taken_that_is_meant(agent: Agent) -> None:
    everybodys = make_base(owner=agent.owner, name="All", serves_all_agents=True)
    assert "base: All" in index(agent, "docs/api.md", doc_id="a")
    code, prose = (make_base(owner=agent.owner, name=name) for name in ("Code", "Prose"))
    code.agents.add(agent)
    assert "base: Code" in index(agent, "docs/api.md", doc_id="b")
    prose.agents.add(agent)
    assert "base: All" in index(agent, "docs/api.md", doc_id="a")
    with pytest.raises(ToolError, match="base must be one of 'All', 'Code', 'Prose'"):
        index(agent, "docs/api.md", doc_id="c")
    assert "base: Prose" in index(agent, "docs/api.md", doc_id="c", base="prose")
    strangers = make_base(name="Strangers", is_shared=True, serves_all_agents=True)
    with pytest.raises(ToolError, match="base must be one of"):
        index(agent, "docs/api.md", base="Strangers")
    assert [everybodys.documents.count(), strangers.documents.count()] == [1, 0]


def test_who_only_talks_to_an_agent_reads_nothing_of_its_workspace(agent: Agent) -> None:
    Agent.objects.update(is_shared=True)
    with pytest.raises(ToolError, match="Only the owner"):
        kb_index.call(Scope(agent_id=agent.pk, user_id=make_user().pk), {"path": "docs/api.md"})


def test_a_large_file_is_left_to_a_worker(agent: Agent) -> None:
    (workspace_of(agent.pk) / "big.txt").write_text("tea and rice\n" * 200_000)
    assert "is being read" in index(agent, "big.txt")
    assert Document.objects.get().state == "queued"

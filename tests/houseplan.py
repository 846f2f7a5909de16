"""Read the tree for tests/test_house.py: every Python file parsed once, with what it imports and defines."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
APPS = ("xiajiao", "memories", "knowledge", "chat")
UNREAD = {".git", ".venv", "data", "__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis"}
# The layers of an app that are no domain modules; see "Inside an app" in docs/development.md.
DOORSTEPS = {"urls", "site_urls", "views", "forms", "tasks", "admin", "apps", "templatetags", "management"}
# The site's own wiring around requests.
DOORSTEPS_OF_THE_SITE = {"middleware", "context", "requests", "webserver"}


@dataclass(frozen=True)
class Import:
    """One imported name: `module` is `a.b` in `import a.b`, and `a.b.c` in `from a.b import c`."""

    module: str
    line: int
    where: ast.AST

    @property
    def top(self) -> str:
        return self.module.split(".")[0]


@dataclass(frozen=True)
class Source:
    """A Python file of the tree, parsed."""

    path: Path
    text: str
    tree: ast.Module

    @property
    def name(self) -> str:
        """The path as a person reads it in a message."""
        return self.path.relative_to(ROOT).as_posix()

    @property
    def parts(self) -> tuple[str, ...]:
        """The dotted name in parts; a package is named by its folder."""
        parts = self.path.relative_to(ROOT).with_suffix("").parts
        return parts[:-1] if parts[-1] == "__init__" else parts

    @property
    def module(self) -> str:
        return ".".join(self.parts)

    @property
    def app(self) -> str:
        return self.parts[0] if self.parts else ""

    @property
    def is_migration(self) -> bool:
        return "migrations" in self.parts

    @property
    def layer(self) -> str:
        """`views` of memories.views.agents; `` for an app itself."""
        return self.parts[1] if len(self.parts) > 1 else ""

    @property
    def is_domain(self) -> bool:
        outside = DOORSTEPS | {"models", ""} | (DOORSTEPS_OF_THE_SITE if self.app == "xiajiao" else set())
        return self.app in APPS and not self.is_migration and self.layer not in outside

    @cached_property
    def imports(self) -> list[Import]:
        return list(find_imports(self.tree, self.parts, self.path.name == "__init__.py"))

    @cached_property
    def functions(self) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
        return [node for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def find_imports(tree: ast.Module, parts: tuple[str, ...], is_package: bool) -> Iterator[Import]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, node.lineno, node) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                kept = parts[: len(parts) - node.level + is_package]
                base = ".".join([*kept, base] if base else kept)
            yield from (Import(f"{base}.{alias.name}", node.lineno, node) for alias in node.names)


@cache
def read_sources(*folders: str) -> list[Source]:
    """The Python files under these folders of the tree, parsed; all of the tree's where none is named."""
    tops = [ROOT / folder for folder in folders] or [ROOT]
    found = sorted(path for top in tops for path in top.rglob("*.py") if is_read(path))
    texts = [(path, path.read_text(encoding="utf-8")) for path in found]
    return [Source(path, text, ast.parse(text, str(path))) for path, text in texts]


def is_read(path: Path) -> bool:
    return not UNREAD & set(path.relative_to(ROOT).parts)


def ours() -> list[Source]:
    """The files of the four apps."""
    return read_sources(*APPS)


def resolve(imported: Import, known: set[str]) -> str | None:
    """The module of ours that this import loads: a name inside a module counts as that module."""
    if imported.module in known:
        return imported.module
    parent = imported.module.rpartition(".")[0]
    return parent if parent in known else None


def runtime_imports(source: Source) -> list[Import]:
    """Without those under `if TYPE_CHECKING:`, which never run."""
    checks = [
        node for node in ast.walk(source.tree) if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
    ]
    skipped = {id(inner) for check in checks for inner in ast.walk(check)}
    return [imported for imported in source.imports if id(imported.where) not in skipped]


def find_circle(graph: dict[str, set[str]]) -> list[str]:
    """One circle of the graph as a list that ends where it began; empty where there is none."""
    done: set[str] = set()
    for start in sorted(graph):
        circle = walk(graph, start, [], done)
        if circle:
            return circle
    return []


def walk(graph: dict[str, set[str]], node: str, trail: list[str], done: set[str]) -> list[str]:
    if node in trail:
        return [*trail[trail.index(node) :], node]
    if node in done:
        return []
    for following in sorted(graph.get(node, ())):
        circle = walk(graph, following, [*trail, node], done)
        if circle:
            return circle
    done.add(node)
    return []


def text_files(suffixes: Iterable[str]) -> Iterator[tuple[Path, str]]:
    """Files of the tree with one of these endings (a bare name counts as one), and their text."""
    endings = tuple(suffixes)
    for path in sorted(ROOT.rglob("*")):
        if path.is_file() and is_read(path) and path.name.endswith(endings):
            yield path, path.read_text(encoding="utf-8", errors="replace")

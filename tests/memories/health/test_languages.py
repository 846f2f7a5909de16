import pytest

from memories.health import recalls
from memories.health.languages import find_languages, is_foreign
from memories.health.sweeping import sweep
from memories.models import Memory
from tests.factories import make_agent, make_conversation
from tests.memories.health.keeping import keep, open_findings

ENGLISH = "The user likes to have coffee in the bookshop on the corner"
CHINESE = "用户喜欢在街角的书店里喝咖啡"


@pytest.mark.parametrize(
    ("text", "languages"),
    [
        (ENGLISH, {"en"}),
        (CHINESE, {"zh"}),
        ("用户喜欢用 Python 写 backend service，部署在 AWS EKS 上", {"zh"}),
        ("用户说 the deploy script is broken on staging，要先修好再发布", {"zh", "en"}),
        ("The user's cat is called 咪咪 and lives in 上海", {"en"}),
        ("ユーザーは東京に住んでいます、犬が好きです", {"other"}),
        ("Пользователь живёт в Москве", {"other"}),
    ],
)
def test_a_language_is_told_by_script_and_common_words(text: str, languages: set[str]) -> None:
    assert find_languages(text) == languages


@pytest.mark.parametrize(
    "text",
    [
        "",
        "用户怕冷",
        "Kubernetes Prometheus Grafana Loki",
        "scripts/deploy_prod.sh --env=prod && make release VERSION=v1.2.3",
        "`the code of a function is here`",
        "https://example.com/the/user/is/here",
        "PPR-9087 getUserById MAX_RETRIES",
    ],
)
def test_names_code_and_what_is_too_short_are_in_no_language(text: str) -> None:
    assert find_languages(text) == set()
    assert not is_foreign(text, {"zh"})
    assert not is_foreign(text, {"en"})


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "wrong"), [("zh-hans", ENGLISH), ("en", CHINESE)])
def test_a_memory_in_another_language_than_its_agents_is_found(language: str, wrong: str) -> None:
    agent = make_agent(language=language)
    for text in (ENGLISH, CHINESE):
        keep(agent, text)
    sweep(60)

    assert [finding.memory.content for finding in open_findings("language")] == [wrong]


@pytest.mark.django_db
def test_the_language_of_what_was_said_is_right_too() -> None:
    agent = make_agent(language="zh-hans")
    heard = make_conversation("I really like to have my coffee in the bookshop on the corner", agent=agent).leaf
    assert heard is not None
    keep(agent, ENGLISH, message_ids=[heard.pk])
    keep(agent, "The user lives in a small flat near the river", quote="I live in a small flat near the river")
    other = make_conversation("我喜欢在街角的书店里喝咖啡", agent=agent).leaf
    assert other is not None
    wrong = keep(agent, "The user would like to learn how to bake bread", message_ids=[other.pk])
    sweep(60)

    assert recalls.get_reader() is not None
    [finding] = open_findings("language")
    assert finding.memory == Memory.objects.get(pk=wrong.pk)
    assert finding.details == {"found": ["en"], "expected": ["zh"]}

import pytest

from memories.quoting import find_places, find_quote

FOUND = [
    ("The user works at a bakery.", "Hi there! I work at a bakery. What's the weather?", "I work at a bakery."),
    (
        "The user works at a bakery and has a dog named Milo.",
        "I work at a bakery. It's nice there. I have a dog named Milo. Bye.",
        "I work at a bakery.\nI have a dog named Milo.",
    ),
    ("用户喜欢吃饺子。", "你好，今天怎么样？我喜欢吃饺子。顺便问一下，天气如何？", "我喜欢吃饺子。"),
    ("用户偏好简短的回复。", "请回复简短一点，谢谢！", "请回复简短一点，谢谢！"),
    ("Reply to the user in short sentences.", "Keep replies short, please", "Keep replies short, please"),
    (
        "The user's project uses PostgreSQL 16.",
        "Line one\nMy project uses PostgreSQL 16.3 and v1.2.3 of foo_bar; it's big\nok",
        "My project uses PostgreSQL 16.3 and v1.2.3 of foo_bar;",
    ),
    ("I like tea", "Well, I like tea and cake", "I like tea"),
    ("The user likes dogs", 'He said: "I like dogs." Then he left.', 'He said: "I like dogs."'),
]
NOT_FOUND = [
    ("The user has a cat.", "What's the capital of France?"),
    ("The user lives in Shanghai", "我住在上海"),
    ("用户养了一只猫", "你好"),
    ("The user likes tea", ""),
    ("", "I like tea"),
    ("The user", "I am the user"),
    ("。。。", "！！！"),
]


@pytest.mark.parametrize(("content", "heard", "quote"), FOUND)
def test_the_sentences_with_most_of_the_words_are_quoted(content: str, heard: str, quote: str) -> None:
    assert find_quote(content, heard) == quote
    places = find_places(heard, quote)
    assert "\n".join(heard[start:end] for start, end in places) == quote


@pytest.mark.parametrize(("content", "heard"), NOT_FOUND)
def test_nothing_is_quoted_where_nothing_fits(content: str, heard: str) -> None:
    assert find_quote(content, heard) == ""


def test_a_book_is_read_in_no_time_and_its_sentence_found() -> None:
    book = "The weather was fine that day. " * 1_000 + "I keep bees. " + "It rained on. " * 1_000

    assert find_quote("The user keeps bees.", book) == "I keep bees."


def test_a_quote_that_is_not_there_has_no_place() -> None:
    assert find_places("I like tea", "I like coffee") == []
    assert find_places("I like tea", "") == []

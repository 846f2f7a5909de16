from memories.phrasing import in_third_person
from memories.queries import asks_for_everything, compose_queries
from memories.smalltalk import is_small_talk


def test_the_person_is_spoken_of_as_memories_speak_of_them() -> None:
    expected = {
        "我的狗叫什么？帮我想想": "用户的狗叫什么？帮我想想",
        "我们上次聊到哪了": "我们上次聊到哪了",
        "What do I like?": "What does the user like?",
        "I'm vegan, what can my son eat?": "the user is vegan, what can the user's son eat?",
        "Tell me what I’ve said about me": "Tell me what the user has said about the user",
        "What is quantum mechanics?": "What is quantum mechanics?",
    }
    assert {message: in_third_person(message) for message in expected} == expected


def test_short_messages_and_those_that_refer_back_are_also_searched_with_the_one_before() -> None:
    before = "推荐一家附近的川菜馆，要有包间，周六晚上六个人去"

    assert compose_queries("别的呢？", before) == ["别的呢？", f"{before}\n别的呢？"]
    assert (
        len(compose_queries("Could you please find another restaurant that has a terrace in the old town?", before))
        == 2
    )
    assert len(compose_queries("帮忙写一个程序，读取文件夹里面所有的图片，然后按照拍摄日期重新命名", before)) == 2
    assert (
        len(compose_queries("Write a program that reads all pictures of a folder and names each by date taken", before))
        == 1
    )
    assert len(compose_queries("别的呢？")) == 1


def test_nothing_is_asked_for_small_talk() -> None:
    assert compose_queries("好的，谢谢！", "我住哪里") == []
    assert compose_queries(" \x00 ") == []


def test_small_talk_is_nothing_but_small_talk() -> None:
    assert all(is_small_talk(text) for text in ["你好呀", "嗯嗯，好的", "HELLO!!", "Thanks, bye.", "👍", "what’s up?"])
    assert not any(
        is_small_talk(text) for text in ["你好，我叫小明", "ok, book the flight", "好吃的有什么", "晚安曲推荐"]
    )


def test_asking_for_everything_is_told_from_asking_for_something() -> None:
    everything = [
        "你都知道我些什么",
        "列出你记住的关于我的所有信息",
        "Do you remember me?",
        "What do you know about me?",
    ]
    something = ["你记得我的狗叫什么吗", "我知道了", "What do you know about Docker?", "你知道什么是协程吗"]

    assert all(asks_for_everything(text) for text in everything)
    assert not any(asks_for_everything(text) for text in something)

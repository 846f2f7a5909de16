"""What is taken out of a profile file where a memory or a subject is forgotten for good."""

from __future__ import annotations

import pytest

from memories.models import ProfileFile, ProfileRevision, Tombstone
from memories.profiles.editing import ProfileChange, change_file, make_key, read_file
from memories.profiles.forgetting import strip_text
from memories.profiles.places import count_files, scrub_files, scrub_revisions
from memories.profiles.tools import profile_add
from tests.factories import make_agent
from xiajiao.places import Forgotten, Kind
from xiajiao.tools import Scope, ToolError

BOAT = "The user's boat is called Vormelidax"
FILE = "## 船\r\n- My boat is called Vormelidax. I like tea.\r\n- 船叫 Vormelidax\r\n- The weather was bad\r\n"


def of_memory(*wordings: str, lines: tuple[str, ...] = ()) -> Forgotten:
    return Forgotten(1, 1, 1, wordings, lines=lines)


def of_topic(topic: str) -> Forgotten:
    return Forgotten(0, 0, 1, (topic,), kind=Kind.TOPIC)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"- {BOAT}\n- tea\n", "- tea\n"),
        ("- Boat: Vormelidax\n", ""),
        ("- My boat is called Vormelidax. I like tea.\n", "-  I like tea.\n"),
        ("- 09:30 the boat is called Vormelidax\n", ""),
        ("- The boat is blue\n", "- The boat is blue\n"),
        ("", ""),
    ],
)
def test_what_says_the_memory_goes_and_the_rest_stays(text: str, left: str) -> None:
    assert strip_text(text, of_memory(BOAT)).text == left


def test_of_a_subject_all_sentences_go_that_hold_its_words() -> None:
    assert strip_text(FILE, of_topic("vormelidax")).text == "## 船\r\n-  I like tea.\r\n- The weather was bad\r\n"
    assert strip_text("用户住在里斯本。用户爱喝茶。\n", of_topic("里斯本")).text == "用户爱喝茶。\n"
    assert strip_text("The boats are Ann's.\n", of_topic("ann boat")).text == ""


@pytest.mark.parametrize(
    ("topic", "text"),
    [
        ("Ann", "I planned a trip to Rome. The channel is open."),
        ("Go", "It was a good day."),
        ("李", "行李放在门口。"),
        ("me", "Call me at nine."),
        ("boat house", "The boat is blue."),
    ],
)
def test_a_subject_is_not_found_in_pieces_of_other_words(topic: str, text: str) -> None:
    assert strip_text(text, of_topic(topic)).text == text


def test_of_a_memory_that_is_one_word_only_what_says_no_more_goes() -> None:
    assert strip_text("- Python\n- Python is slow\n", of_memory("Python")).text == "- Python is slow\n"


def test_a_secret_that_is_struck_out_leaves_its_mark() -> None:
    struck = Forgotten(0, 1, 1, ("sk-12345",), mark="[API key removed]", kind=Kind.STRUCK)
    assert strip_text("- key: sk-12345 of mine", struck).text == "- key: [API key removed] of mine"


def test_lines_that_an_extraction_made_go_where_they_are_all_that_a_line_says() -> None:
    told = of_memory(lines=("Hello",))
    assert strip_text("- 09:30 Hello\n- 10:00 Hello again\n", told).text == "- 10:00 Hello again\n"


@pytest.mark.django_db
def test_it_goes_from_the_file_and_its_history_and_the_tools_do_not_bring_it_back() -> None:
    agent = make_agent()
    key = make_key(agent, "memory", agent.owner_id)
    text = FILE.replace("- 船叫 Vormelidax\r\n", "")
    change_file(key, lambda _text: text, ProfileChange("edited", "person"))
    told = Forgotten(1, agent.pk, agent.owner_id, (BOAT,), last_message_id=7)
    assert (count_files(told), scrub_files(told), scrub_revisions(told), count_files(told)) == (1, 1, 1, 0)
    assert "Vormelidax" not in "".join(ProfileRevision.objects.values_list("after", flat=True))
    assert (read_file(key).version, ProfileRevision.objects.get(version=2).action) == (2, "forgotten")
    assert "The weather was bad" in ProfileFile.objects.get().text
    assert Tombstone.objects.exists()

    old, new = (Scope(agent.pk, agent.owner_id, user_message_id=number) for number in (5, 8))
    said = {"content": "- My boat is called Vormelidax."}
    for arguments in (said, {"section": "My boat is called Vormelidax.", "content": "It is blue."}):
        with pytest.raises(ToolError, match="forgotten"):
            profile_add.call(old, arguments)
    assert "Vormelidax" in (profile_add.call(new, said) and read_file(key).text)

import pytest

from memories.metadata import MetadataError, parse_metadata


def test_an_object_is_read_as_it_is() -> None:
    assert parse_metadata('{"项目": {"since": 2026, "tags": [1, 2.5, null, true]}}') == {
        "项目": {"since": 2026, "tags": [1, 2.5, None, True]}
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": 1\n "b": 2}', "line 2, column 2: a comma or a closing bracket is missing here"),
        ("{a: 1}", "line 1, column 2: a name in double quotes is missing here"),
        ('{"a" 1}', "line 1, column 6: a colon is missing here"),
        ('{"a": }', "line 1, column 7: a value is missing here"),
        ('{"a": 1} x', "line 1, column 10: it goes on after its end"),
        ('{"a": "b}', "line 1, column 7: a text begins here and does not end"),
        ('{"a": "b\nc"}', "line 1, column 9: a line break or tab inside a text"),
        ('{"a": "\\x"}', "after a backslash"),
        ('{"a": "\\u12"}', "four hexadecimal digits"),
        ('{"a": 1,}', "line 1, column"),
        ("[1]", "must be a JSON object"),
        ("1", "must be a JSON object"),
        ('{"a": 1, "a": 2}', "“a” is there twice"),
        ('{"a": NaN}', "JSON knows no NaN"),
        ('{"a": -Infinity}', "JSON knows no -Infinity"),
        ('{"a": 1e999}', "1e999 is too large"),
        ('{"a": ' + "9" * 5000 + "}", "is too large"),
        ('{"a":' + "[" * 100 + "]" * 100 + "}", "nested more than 64 levels"),
        ('{"a":' + "[" * 6000, "nested more than 64 levels"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, said: str) -> None:
    with pytest.raises(MetadataError) as caught:
        parse_metadata(text)
    assert said in str(caught.value)

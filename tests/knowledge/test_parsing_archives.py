import io
import stat
import tempfile
import zipfile
from pathlib import Path

import pytest

from knowledge.parsing import Limits, ParseError, extract
from knowledge.parsing.archives import is_archive
from tests.hostile_zips import make_broken, make_encrypted
from tests.knowledge import zoo


def members(content: bytes, limits: Limits | None = None) -> dict[str, bytes]:
    with tempfile.NamedTemporaryFile() as file:
        file.write(content)
        file.flush()
        return {member.name: member.path.read_bytes() for member in extract(Path(file.name), "a.zip", limits)}


def reason(content: bytes, limits: Limits | None = None) -> str:
    with pytest.raises(ParseError) as caught:
        members(content, limits)
    return str(caught.value.code)


def test_members_come_under_the_names_that_they_have_inside() -> None:
    inner = zoo.zipped({"深/乙.txt": b"two"})

    found = members(zoo.zipped({"甲.txt": b"one", "more.zip": inner, "__MACOSX/._甲": b"x", "b/.DS_Store": b"x"}))

    assert found == {"甲.txt": b"one", "more.zip/深/乙.txt": b"two"}


def test_documents_that_are_zip_files_themselves_stay_whole() -> None:
    word = zoo.word()

    assert members(zoo.zipped({"a.docx": word})) == {"a.docx": word}


def test_names_are_never_paths(tmp_path: Path) -> None:
    names = ["../../escaped.txt", str(tmp_path / "absolute.txt"), "C:\\temp\\x.txt", "a/../../b.txt", "虾" * 100]

    assert list(members(zoo.zipped(dict.fromkeys(names, b"x")))) == names
    assert list(tmp_path.iterdir()) == []


def test_the_same_name_twice_is_two_documents() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as package:
        package.writestr("a.txt", b"1")
        with pytest.warns(UserWarning, match="Duplicate"):
            package.writestr("a.txt", b"2")
    with tempfile.NamedTemporaryFile() as on_disk:
        on_disk.write(file.getvalue())
        on_disk.flush()
        found = [member.path.read_bytes() for member in extract(Path(on_disk.name), "a.zip")]

    assert found == [b"1", b"2"]


def test_links_lead_nowhere() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as package:
        link = zipfile.ZipInfo("passwords.txt")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        package.writestr(link, "/etc/passwd")
        package.writestr("real.txt", b"x")

    assert members(file.getvalue()) == {"real.txt": b"x"}


def test_names_in_gbk_as_chinese_windows_writes_them_are_read() -> None:
    name = "虾饺菜单.txt"
    placeholder = "x" * len(name.encode("gbk"))
    content = zoo.zipped({placeholder: b"1"}).replace(placeholder.encode(), name.encode("gbk"))

    assert members(content) == {name: b"1"}


def test_bombs_go_off_nowhere() -> None:
    assert reason(zoo.bomb("a.txt")) == "too_large"
    assert reason(zoo.zipped({"in.zip": zoo.bomb("a.txt")})) == "too_large"
    assert reason(zoo.understated(zoo.zipped({"a.txt": bytes(51_000_000)}), 10)) == "corrupt"
    assert reason(zoo.zipped({f"{number}.txt": b"x" for number in range(20)}), Limits(members=10)) == "too_large"
    nested = zoo.zipped({"a.txt": b"x"})
    for _ in range(4):
        nested = zoo.zipped({"in.zip": nested})
    assert reason(nested) == "too_large"


def test_broken_locked_and_empty_archives_say_so() -> None:
    whole = zoo.zipped({"a.txt": b"x" * 1000, "b.txt": b"y"})
    assert reason(whole[: len(whole) // 2]) == "corrupt"
    assert reason(zoo.zipped({"folder/": b""})) == "empty"
    locked = bytearray(whole)
    locked[whole.find(b"PK\x01\x02") + 8] |= 1
    assert reason(bytes(locked)) == "encrypted"


def test_an_archive_is_known_by_its_content(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(zoo.zipped({"a.txt": b"x"}))
    assert is_archive(path, "renamed.docx")
    path.write_bytes(zoo.word())
    assert not is_archive(path, "word.zip")


def test_whatever_breaks_in_a_zip_file_is_told_as_damage() -> None:
    for what, content in make_broken("a.txt"):
        assert (what, reason(content)) == (what, "corrupt")
    assert reason(make_encrypted("a.txt")) == "encrypted"

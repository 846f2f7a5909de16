import os
import stat
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from xiajiao.datafolder import LONGEST_SOCKET_PATH, choose_socket_path, prepare_folder, read_or_make_secret


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_folder_is_closed_to_others(tmp_path: Path) -> None:
    assert mode(prepare_folder(tmp_path / "a" / "data")) == 0o700


def test_an_empty_folder_is_closed_and_a_used_one_left_as_it_is(tmp_path: Path) -> None:
    empty, used = tmp_path / "empty", tmp_path / "used"
    for folder in (empty, used):
        folder.mkdir()
        folder.chmod(0o755)
    (used / "file").touch()
    assert mode(prepare_folder(empty)) == 0o700
    assert mode(prepare_folder(used)) == 0o755


def test_a_linked_folder_is_known_by_its_real_name(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert prepare_folder(tmp_path / "link") == tmp_path / "real"


def test_all_who_start_at_once_share_one_secret(tmp_path: Path) -> None:
    path = tmp_path / "secret.key"
    with ThreadPoolExecutor(8) as pool:
        secrets = set(pool.map(lambda _: read_or_make_secret(path), range(64)))
    assert len(secrets) == 1
    assert len(secrets.pop()) >= 64
    assert mode(path) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_the_secret_stays(tmp_path: Path) -> None:
    path = tmp_path / "secret.key"
    assert read_or_make_secret(path) == read_or_make_secret(path)


def test_the_socket_lies_in_the_folder_where_its_path_is_short(tmp_path: Path) -> None:
    assert choose_socket_path(Path("/data")) == Path("/data/valkey/valkey.sock")


@pytest.fixture
def runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A runtime folder with a short name, as systems have it."""
    with tempfile.TemporaryDirectory(prefix="xj-", dir="/tmp") as folder:
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        yield Path(folder)


def test_a_deep_folder_gets_a_short_socket_of_its_own(runtime: Path) -> None:
    deep = Path("/", *(["深"] * 40))
    path = choose_socket_path(deep)
    assert path.is_relative_to(runtime)
    assert len(os.fsencode(path)) <= LONGEST_SOCKET_PATH
    assert mode(path.parent) == 0o700
    assert choose_socket_path(deep) == path
    assert choose_socket_path(deep / "other") != path


def test_a_deep_runtime_folder_does_not_help(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / ("deep" * 25)))
    path = choose_socket_path(tmp_path / ("deep" * 25))
    assert len(os.fsencode(path)) <= LONGEST_SOCKET_PATH
    assert mode(path.parent) == 0o700
    path.parent.rmdir()


def test_a_runtime_folder_open_to_others_is_refused(runtime: Path) -> None:
    deep = Path("/", *(["deep"] * 40))
    choose_socket_path(deep).parent.chmod(0o755)
    with pytest.raises(PermissionError, match="belongs to someone else"):
        choose_socket_path(deep)


def test_what_is_written_from_then_on_is_closed_too(tmp_path: Path) -> None:
    former = os.umask(0o022)
    try:
        folder = prepare_folder(tmp_path)
        (folder / "xiajiao.db").touch()
    finally:
        os.umask(former)
    assert mode(folder / "xiajiao.db") == 0o600


def test_a_secret_that_cannot_be_made_is_told_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"^XIAJIAO_DATA: .*Give this account the folder"):
        read_or_make_secret(tmp_path / "missing" / "secret.key")

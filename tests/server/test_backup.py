"""A server is backed up while its tables play, destroyed, and put back: everybody plays on."""

import gzip
import os
import shutil
import sys
import tarfile
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop.commands.command_line import main
from tabletop.files import folders
from tabletop.files.errors import BadFile, StorageError
from tabletop.files.ownership import Ownership, find_ownership
from tabletop.server import backup
from tabletop.server.backup import back_up, check, restore
from tests.net.loopback import Friend, plan, play_on, play_out, seated
from tests.private_files import is_private
from tests.server.table_server import table_server
from tests.storage.corpus import LATEST

OWNED = "" if sys.platform == "win32" else f", owned by {Ownership(os.geteuid(), 0).owner_name}"
"""What a restore says about the owner of the folder."""


@pytest.fixture(autouse=True)
def key(tmp_path: Path) -> Iterator[None]:
    """The server's folder holds its key, as `tabletop serve` sees to."""
    with folders.use_key_folder(tmp_path / "server"):
        yield


async def test_a_server_that_was_destroyed_goes_on_from_its_backup(tmp_path: Path) -> None:
    server, file = tmp_path / "server", tmp_path / "tonight.tar.gz"
    async with table_server(server) as host:
        port = host.port
        async with (
            seated(host, plan("sun", 2), (0,), (1,)) as friends,
            seated(host, plan("chains", 2, bots=1), (0,)) as more,
        ):
            play_on([*friends, *more])
            for friend in friends:
                await friend.until(lambda: host.metrics.moves > 12)
                friend.plays = False
            assert back_up(server, file) >= 5
            tickets = [friend.guest.ticket for friend in friends]
            print_ = host.certificate.fingerprint
    shutil.rmtree(server)
    assert restore(file, server).count >= 5
    found = check(server)
    assert (found.tables, found.matches, found.wrong) == (2, 2, [])
    async with table_server(server) as host:
        assert host.certificate.fingerprint == print_
        back = [Friend(host.port, print_, ticket=ticket) for ticket in tickets]
        for friend in back:
            await friend.inside()
            await friend.until(lambda friend=friend: friend.guest.own_seats)
        await play_out(back)
        assert port


async def test_a_backup_is_its_owners_alone(tmp_path: Path) -> None:
    async with table_server(tmp_path / "server"):
        pass
    file = tmp_path / "b.tar.gz"
    back_up(tmp_path / "server", file)
    restore(file, tmp_path / "restored")
    assert is_private(file)
    assert is_private(tmp_path / "restored" / "host.pem")


def test_a_backup_rests_for_its_own_work_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where others keep the processors busy, a backup that rested for all that time never ended."""
    (tmp_path / "server").mkdir()
    for number in range(3):
        (tmp_path / "server" / f"{number}.table").write_bytes(b"x")
    rests: list[float] = []
    work = iter([0.0, 0.25, 1.0, 1.0, 3.0, 3.0])
    monkeypatch.setattr(backup, "process_time", lambda: next(work))
    monkeypatch.setattr(backup, "sleep", rests.append)
    assert back_up(tmp_path / "server", tmp_path / "new" / "folder" / "b.tar.gz") == 3
    assert rests == [0.25, 2.0]


def test_nothing_is_put_where_something_is(tmp_path: Path) -> None:
    file, folder = tmp_path / "b.tar.gz", tmp_path / "there"
    (tmp_path / "server").mkdir()
    (tmp_path / "server" / "host.pem").write_bytes(b"x")
    back_up(tmp_path / "server", file)
    folder.mkdir()
    (folder / "mine").write_text("kept", "utf-8")
    with pytest.raises(StorageError, match="is not empty"):
        restore(file, folder)
    assert [path.name for path in folder.iterdir()] == ["mine"]


@pytest.mark.parametrize("name", ["../outside.table", "/etc/x.table", "page.html", "host.pem/.."])
def test_files_that_no_backup_holds_are_refused(name: str, tmp_path: Path) -> None:
    file = tmp_path / "odd.tar.gz"
    with tarfile.open(file, "w:gz") as tar:
        tar.addfile(tarfile.TarInfo("host.pem"))
        tar.addfile(tarfile.TarInfo(name))
    with pytest.raises(BadFile, match="is no backup"):
        restore(file, tmp_path / "new")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["odd.tar.gz"]


@pytest.mark.parametrize("cut", [0.0, 0.3, 0.95])
def test_half_a_backup_is_refused_whole(cut: float, tmp_path: Path) -> None:
    (tmp_path / "server").mkdir()
    (tmp_path / "server" / "host.pem").write_bytes(bytes(range(256)) * 200)
    file = tmp_path / "b.tar.gz"
    back_up(tmp_path / "server", file)
    content = file.read_bytes()
    file.write_bytes(content[: int(len(content) * cut)])
    with pytest.raises(BadFile, match="is no whole backup"):
        restore(file, tmp_path / "new")
    assert not (tmp_path / "new").exists()


async def test_check_names_what_is_wrong(tmp_path: Path) -> None:
    async with (
        table_server(tmp_path / "server") as host,
        seated(host, plan("sun", 2), (0,), (1,)) as friends,
    ):
        play_on(friends)
        await friends[0].until(lambda: host.metrics.moves > 3)
    folder = tmp_path / "server"
    (journal,) = folder.glob("*-1.tabletop")
    journal.write_bytes(journal.read_bytes()[:-200])
    damaged = check(folder)
    finished = folder / "finished"
    finished.mkdir(exist_ok=True)
    kept = finished / "AAAAAAAAAAAAAAAA-1.tabletop"
    content = (LATEST / "sun-2.tabletop").read_bytes()
    kept.write_bytes(content)
    assert check(folder).wrong == damaged.wrong, "a match that was kept is whole"
    lines = content.splitlines(keepends=True)
    kept.write_bytes(b"".join(lines[:8] + lines[9:]))
    assert any(kept.name in wrong for wrong in check(folder).wrong)
    kept.unlink()
    note = finished / "AAAAAAAAAAAAAAAA-1.finished"
    note.write_bytes(b"{")
    assert f'"{note.name}" says of no match how it ended.' in check(folder).wrong
    note.unlink()
    (folder / "host.pem").unlink()
    worse = check(folder)
    assert len(worse.wrong) == len(damaged.wrong) + 1
    assert '"host.pem" is missing.' in worse.wrong
    (folder / "seal.key").unlink(missing_ok=True)
    assert '"seal.key" is missing.' in check(folder).wrong


async def test_the_command_line_says_what_was_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # a backup lowers its process's priority for good
    monkeypatch.setattr("os.nice", lambda _: 0, raising=False)
    async with table_server(tmp_path / "server"):
        pass

    def tabletop(*words: str) -> tuple[int, str, str]:
        return main(["server", *words]), *capsys.readouterr()

    file, data = str(tmp_path / "b.tar.gz"), str(tmp_path / "server")
    assert tabletop("backup", file, "--data", data) == (0, "b.tar.gz: 1 files\n", "")
    other = str(tmp_path / "other")
    assert tabletop("restore", file, "--data", other) == (0, f"other: 1 files{OWNED}\n", "")
    again = tabletop("restore", file, "--data", other)
    assert again == (2, "", '"other" is not empty: nothing was restored.\n')
    missing = tabletop("check", "--data", str(tmp_path / "nowhere"))
    assert missing == (2, "", 'There is no folder "nowhere".\n')
    code, _, complaints = tabletop("check", "--data", other)
    assert (code, complaints) == (0, "")  # nothing was sealed yet


BOMB = 200 * 2**20
"""Bytes of zeros, which are 200 KiB in a backup."""


def bomb(file: Path, name: str, kind: bytes) -> None:
    """A backup whose one entry is far larger than any a server has."""
    entry = tarfile.TarInfo(name)
    entry.type, entry.size = kind, BOMB
    with gzip.open(file, "wb", compresslevel=1) as packed:
        packed.write(entry.tobuf())
        for _ in range(BOMB // 2**20):
            packed.write(bytes(2**20))


@pytest.mark.parametrize(
    "kind", [tarfile.REGTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE], ids=["file", "gnu", "pax"]
)
def test_a_bomb_fills_neither_memory_nor_disk(kind: bytes, tmp_path: Path) -> None:
    """14 MB took more than 2.5 GB of memory."""
    file = tmp_path / "bomb.tar.gz"
    bomb(file, "0123456789ab.table", kind)
    tracemalloc.start()
    try:
        with pytest.raises(BadFile, match="is no whole backup"):
            restore(file, tmp_path / "data")
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 16 * 2**20
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bomb.tar.gz"]


def test_names_as_long_as_the_disk_allows_are_taken(tmp_path: Path) -> None:
    (tmp_path / "server").mkdir()
    (tmp_path / "server" / "host.pem").write_bytes(b"x")
    name = "蔵" * 83
    file = tmp_path / f"{name}.gz.en"
    assert back_up(tmp_path / "server", file) == 1
    assert restore(file, tmp_path / f"{name}.newer").count == 1
    assert len(list(tmp_path.iterdir())) == 3


def test_a_restoration_that_is_broken_off_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "server").mkdir()
    (tmp_path / "server" / "host.pem").write_bytes(b"x")
    file = tmp_path / "b.tar.gz"
    back_up(tmp_path / "server", file)

    def broken_off(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("os.utime", broken_off)
        with pytest.raises(KeyboardInterrupt):
            restore(file, tmp_path / "data")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.tar.gz", "server"]
    killed = tmp_path / f".tabletop-{'0' * 16}"  # by a kill that nobody hears
    killed.mkdir()
    killed.with_name(f"{killed.name}.lock").touch()
    (killed / "host.pem").write_bytes(b"y")
    assert restore(file, tmp_path / "data").count == 1
    assert (tmp_path / "data" / "host.pem").read_bytes() == b"x"
    assert not killed.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="owners of POSIX")
@pytest.mark.parametrize("exists", [True, False])
def test_a_restoration_by_root_leaves_the_folder_to_its_service(
    exists: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder keeps owner and mode; a new one belongs to the owner of the folder it is in."""
    (tmp_path / "server").mkdir()
    (tmp_path / "server" / "host.pem").write_bytes(b"x")
    (tmp_path / "server" / "finished").mkdir()
    (tmp_path / "server" / "finished" / "a-1.finished").write_bytes(b"x")
    file, data = tmp_path / "b.tar.gz", tmp_path / "state" / "deep" / "tables"
    back_up(tmp_path / "server", file)
    if exists:
        data.mkdir(parents=True)
        data.chmod(0o750)
    given: dict[str, tuple[int, int]] = {}

    def chown(path: Path, user: int, group: int, follow_symlinks: bool) -> None:
        assert not follow_symlinks
        given[Path(os.path.normpath(path)).name] = user, group

    found = tmp_path.stat()
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "getegid", lambda: found.st_gid + 1)  # so that it isn't the same
    monkeypatch.setattr(os, "chown", chown)
    restored = restore(file, data)
    assert restored.count == 2
    assert restored.owner == Ownership(found.st_uid, 0).owner_name
    mine = found.st_uid, found.st_gid
    assert {"restored", "host.pem", "finished", "a-1.finished"} <= given.keys()
    assert exists or {"state", "deep"} <= given.keys()
    assert set(given.values()) == {mine}
    assert data.stat().st_mode & 0o777 == (0o750 if exists else 0o700)


@pytest.mark.skipif(sys.platform == "win32", reason="owners of POSIX")
def test_the_folder_of_another_user_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = Ownership(tmp_path.stat().st_uid, 0).owner_name
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
    with pytest.raises(StorageError, match=f"belongs to {owner}"):
        find_ownership(tmp_path)
    assert find_ownership(tmp_path / "new").user == os.geteuid()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root")
def test_root_restores_into_the_folder_of_a_real_service(tmp_path: Path) -> None:
    (tmp_path / "server").mkdir()
    (tmp_path / "server" / "host.pem").write_bytes(b"x")
    back_up(tmp_path / "server", tmp_path / "b.tar.gz")
    service = tmp_path / "service"
    service.mkdir()
    os.chown(service, 12345, 12345)
    assert restore(tmp_path / "b.tar.gz", service / "tables").owner == "12345"
    for path in (service / "tables", service / "tables" / "host.pem"):
        assert (path.stat().st_uid, path.stat().st_gid) == (12345, 12345)

"""The disk is full when a table is opened, or a seat taken: it is undone with a sentence, and works
once there is room."""

from pathlib import Path

import pytest

from tabletop.commands.headless import open_on_server
from tabletop.engine.model import AUDIENCE
from tabletop.net.host.table_disk import table_files_in
from tabletop.protocol.messages import Notice
from tests.net.hostile.full_disk import FULL, Files
from tests.net.loopback import Friend, hosting, opened, place_of, plan


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> Files:
    return Files(monkeypatch)


async def test_a_table_that_the_disk_refuses_is_not_open(tmp_path: Path, files: Files) -> None:
    async with hosting(tmp_path) as host:
        files.full = True
        friend = Friend(host.port, host.certificate.fingerprint)
        friend.guest.open_table(plan("sun", 2))
        assert (await friend.refusal()).text == FULL.text
        assert friend.refused[0].of == "open"
        assert not host.registry.tables
        files.full = False
        again = await opened(host, plan("sun", 2), 0)
        assert again.guest.ticket.owner
        assert len(table_files_in(tmp_path)) == 1


async def test_a_command_is_told_that_the_disk_is_full(tmp_path: Path, files: Files) -> None:
    async with hosting(tmp_path) as host:
        files.full = True
        table = plan("sun", 2, unattended=True)
        answer = await open_on_server(place_of(host), "", table, lambda line: None)
        assert answer.text == FULL.text


async def test_a_seat_that_the_disk_refuses_is_free(tmp_path: Path, files: Files) -> None:
    async with hosting(tmp_path) as host:
        friend = await opened(host, plan("sun", 2))
        files.full = True
        friend.guest.sit(0, "Hinata")
        await friend.until(lambda: any(isinstance(news, Notice) for news in friend.news))
        await friend.until(lambda: friend.guest.info.sitters[0].state == "free")
        assert friend.guest.seats == ()
        assert friend.guest.info.host == AUDIENCE
        files.full = False
        friend.guest.sit(0, "Hinata")
        await friend.until(lambda: friend.guest.seats == (0,))
        assert friend.guest.ticket.seats[0]
        assert friend.guest.info.host == 0

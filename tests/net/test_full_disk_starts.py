"""The disk is full when a match starts: all gather again and read why, at once."""

from pathlib import Path

import pytest

from tabletop.files.errors import StorageError
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.host import table_disk
from tabletop.protocol.messages import Notice
from tests.net.hostile.full_disk import FULL, Files
from tests.net.loopback import Friend, begin, hosting, opened, plan, play_out, ready_again, start


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> Files:
    return Files(monkeypatch)


def told(friend: Friend) -> list[str]:
    return [news.reason.text for news in friend.news if isinstance(news, Notice)]


@pytest.mark.parametrize("refused", ["table", "journal"])
async def test_a_start_that_the_disk_refuses_is_called_off(
    refused: str, tmp_path: Path, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_journal = table_disk.begin_journal

    def refuse(*args: object) -> object:
        if refused == "journal" and full:
            raise StorageError(FULL.text, file="x")
        return begin_journal(*args)

    full = True
    monkeypatch.setattr(table_disk, "begin_journal", refuse)
    async with hosting(tmp_path) as host:
        friends = [await opened(host, plan("sun", 2), 0)]
        friends.append(Friend(host.port, ticket=Ticket(code=friends[0].code)))
        await friends[1].sit(1)
        files.full = refused == "table"
        await start(friends)
        for friend in friends:
            await friend.until(lambda friend=friend: FULL.text in told(friend))
            await friend.until(lambda friend=friend: friend.guest.info.phase == "gathering")
        assert not any("Not every player" in text for friend in friends for text in told(friend))
        files.full = full = False
        await ready_again(friends)
        await begin(friends)
        await play_out(friends)
        for friend in friends:
            await friend.close()

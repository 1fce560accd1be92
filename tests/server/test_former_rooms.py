"""The tables of an older server's room, which had a key of its own, are the server's now."""

import shutil
from pathlib import Path

from tabletop.files import folders
from tabletop.net.guest.archive_query import fetch_record, list_finished
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.host.table_disk import disk_of
from tabletop.server.backup import check
from tests.net.loopback import Friend, place_of
from tests.server.table_server import table_server

FORMER = Path(__file__).with_name("with_rooms")
"""Written by version 0.2: one table in a match and one finished match, both of the room "friday",
whose lists were for its members."""
PLAYING, FINISHED = "3f4f8edfb56d", "46f4cf0a67d2"


async def test_tables_of_a_former_room_open_without_it(tmp_path: Path) -> None:
    folder = shutil.copytree(FORMER, tmp_path / "server")
    with folders.use_key_folder(folder):
        async with table_server(folder, key="own") as server:
            assert {*server.registry.tables} == {PLAYING, FINISHED}
            friend = Friend(server.port, ticket=Ticket(PLAYING, "C49K39"))
            await friend.inside()
            assert friend.guest.info.phase == "playing"
            hosted = server.hosted_tables[PLAYING]
            assert len(hosted.hosted_match.match.record) == 7
            await friend.close()
            hosted.save()
            await disk_of(hosted).wait_until_safe()
            assert '"room"' not in (folder / f"{PLAYING}.table").read_text("utf-8")
            listed = await list_finished(place_of(server))
            (match,) = (each.match for each in listed.matches)
            assert match.table == FINISHED
            record = await fetch_record(place_of(server), match, ())
            assert record.end is not None
        assert not check(folder).wrong

"""A person's own host serves tables, and lists none: that is for servers."""

from pathlib import Path

from tabletop.net.guest.archive_query import KEEPS_NONE, finished_at
from tabletop.net.guest.server_query import LISTS_NONE, tables_at
from tests.net.loopback import hosting, opened, place_of, plan


async def test_a_persons_own_host_lists_nothing(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host:
        friend = await opened(host, plan("sun", 2, listing="open"))
        assert await tables_at(place_of(host)) == LISTS_NONE
        assert await finished_at(place_of(host)) == KEEPS_NONE
        await friend.close()

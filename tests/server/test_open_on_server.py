"""A table on a server that others run: opened from the command line, left there, played, played
again, with nobody at it who hosts."""

import asyncio
from pathlib import Path

import pytest

from tabletop.files import folders
from tabletop.home.known_hosts import KnownHosts
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.host.opening_limits import NOT_ALLOWED, WRONG_KEY
from tabletop.net.limits import Limits
from tabletop.server.server import TableServer
from tests.net.loopback import Friend, opened, plan, play_out
from tests.server.server_command import told
from tests.server.table_server import table_server

KEY = "the club's key"


async def test_a_table_left_on_a_server_is_played_without_a_host(tmp_path: Path) -> None:
    async with table_server(tmp_path / "server") as host:
        opened = await told(host, tmp_path / "ann", "--detach")
        assert (opened.returncode, opened.stderr) == (0, "")
        code = opened.stdout.split()[1]
        (hosted,) = host.hosted_tables.values()
        link = f"link tabletop://127.0.0.1:{host.port}/{hosted.table}?code={code}"
        assert link in opened.stdout
        assert not hosted.guests

        friends = [Friend(host.port, ticket=Ticket(code=code)) for _ in range(2)]
        for seat, friend in enumerate(friends):
            await friend.sit(seat)
        await play_out(friends)

        friends[1].guest.gather_for_rematch()
        for seat, friend in enumerate(friends):
            await friend.until(lambda friend=friend: friend.guest.info.phase == "gathering")
            friend.proofs.clear()
            friend.guest.set_ready(seat)
        await play_out(friends)
        assert friends[0].guest.info.round == 2


async def test_a_guest_who_left_keeps_the_way_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with table_server(tmp_path / "server") as host:
        await told(host, tmp_path / "ann", "--detach")
        monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "ann"))
        (back,) = KnownHosts(folders.known_hosts()).rejoinable_tables
        assert back.game == "sun"
        ann = Friend(host.port, ticket=back.ticket)
        await ann.inside()
        assert ann.guest.is_host


@pytest.mark.parametrize(
    ("written", "status", "why"),
    [
        (KEY, 0, ""),
        ("another", 1, WRONG_KEY.text),
        ("", 2, '"key.txt" holds no key in its first line.'),
        (None, 1, NOT_ALLOWED.text),
    ],
)
async def test_a_server_with_a_key_opens_no_table_without_it(
    written: str | None, status: int, why: str, tmp_path: Path
) -> None:
    file = tmp_path / "key.txt"
    if written is not None:
        file.write_text(f"{written}\n", "utf-8")
    more = () if written is None else ("--key-file", str(file))
    async with table_server(tmp_path / "server", key=KEY) as host:
        opened = await told(host, tmp_path / "ann", "--detach", *more)
        assert opened.returncode == status
        assert opened.stderr.strip() == why
        assert len(host.hosted_tables) == (status == 0)


@pytest.mark.parametrize(
    ("fingerprint", "why"),
    [
        ("nonsense", "A fingerprint has 64 hexadecimal digits."),
        ("ab" * 32, "shows another certificate than before"),
    ],
)
async def test_a_server_must_show_the_certificate_that_was_named(
    fingerprint: str, why: str, tmp_path: Path
) -> None:
    async with table_server(tmp_path / "server") as host:
        refused = await told(host, tmp_path / "ann", "--fingerprint", fingerprint)
        assert refused.returncode != 0
        assert why in refused.stderr
        assert refused.stderr.count("\n") == 1
        good = await told(
            host, tmp_path / "ann", "--detach", "--fingerprint", host.certificate.fingerprint
        )
        assert good.returncode == 0


async def test_a_table_that_needs_no_host_lasts_while_nobody_is_there(tmp_path: Path) -> None:
    limits = Limits(empty_table_lifetime_s=0, unfinished_table_lifetime_s=3600)
    async with table_server(tmp_path, limits=limits) as host:
        for unattended in (True, False):
            ann = await opened(host, plan("sun", 2, unattended=unattended))
            await ann.close()
        await ann_gone(host)
        host.registry.close_abandoned_tables()
        host.registry.close_abandoned_tables()
        assert [hosted.plan.unattended for hosted in host.hosted_tables.values()] == [True]


async def ann_gone(host: TableServer) -> None:
    """Wait until nobody is at any table."""
    while any(hosted.guests for hosted in host.hosted_tables.values()):
        await asyncio.sleep(0)

"""Two servers behind one address, led to by HAProxy as `packaging/server` has it: tables on both
are played, and one server killed costs its own tables alone, until it is back."""

import asyncio
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tabletop.net.certificate import load_certificate
from tabletop.net.guest.join_attempt import Ticket
from tabletop.protocol.invitation import DEFAULT_PORT, PORT_SLOTS, generate_code, port_slot
from tabletop.server.reverse_proxy import parse_proxy_header
from tests.net.loopback import HANGS, Friend, begin, plan, play_on

ROOT = Path(__file__).parents[2]
CONFIG = ROOT / "packaging" / "server" / "haproxy.cfg"
HAPROXY = shutil.which("haproxy")


def free_slots(count: int) -> list[int]:
    """Ports that a code can name, of which nobody listens at any."""
    found = []
    for slot in range(PORT_SLOTS - 2, 0, -1):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", DEFAULT_PORT + slot)):
                found.append(slot)
        if len(found) == count:
            break
    return found


def led_to(slots: list[int], port: int, folder: Path) -> Path:
    """The configuration, with other ports."""
    text = CONFIG.read_text("utf-8").replace("bind :18920", f"bind 127.0.0.1:{port}")
    for number, slot in enumerate(slots, 1):
        text = text.replace(f"{DEFAULT_PORT + number}", f"{DEFAULT_PORT + slot}")
        text = text.replace(f" {number}.tabletop", f" {slot}.tabletop")
    file = folder / "haproxy.cfg"
    file.write_text(text, "utf-8")
    return file


async def served(folder: Path, slot: int, known_as: str) -> subprocess.Popen[str]:
    """A server of its own, once it listens."""
    where = ("--port", str(DEFAULT_PORT + slot), "--data", str(folder / f"server-{slot}"))
    front = ("--proxy", "127.0.0.1", "--known-as", known_as)
    process = subprocess.Popen(
        [sys.executable, "-m", "tabletop", "serve", "--bind", "127.0.0.1", *where, *front],
        cwd=ROOT,
        env=os.environ | {"TABLETOP_HOME": str(folder / "home")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    async with asyncio.timeout(HANGS):
        while "listening" not in (line := await asyncio.to_thread(process.stderr.readline)):
            assert line, "it ended"
    return process


async def opened(port: int) -> list[Friend]:
    """Two friends at a new table, somewhere behind the one address; they play."""
    first = Friend(port)
    first.guest.open_table(plan("chains", 2), "")
    await first.sit(0)
    second = Friend(port, ticket=Ticket(code=first.code), slot=port_slot(first.code))
    await second.sit(1)
    await begin([first, second])
    return [first, second]


@pytest.mark.skipif(HAPROXY is None, reason="the package haproxy is not installed")
async def test_killing_one_of_two_servers_spares_the_others_tables(tmp_path: Path) -> None:
    slots = free_slots(2)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    first = tmp_path / f"server-{slots[0]}"
    shutil.copytree(load_certificate(first).path.parent, tmp_path / f"server-{slots[1]}")
    known_as = f"127.0.0.1:{port}"
    servers = {slot: await served(tmp_path, slot, known_as) for slot in slots}
    proxy = subprocess.Popen([str(HAPROXY), "-db", "-f", led_to(slots, port, tmp_path)])
    tables: dict[int, list[Friend]] = {}
    try:
        while len(tables) < 2:
            friends = await opened(port)
            slot = port_slot(friends[0].code)
            assert friends[0].guest.invitation.port == port
            if slot in tables:
                for friend in friends:
                    await friend.close()
            else:
                tables[slot] = friends
        assert tables.keys() == set(slots)
        gone, stays = (tables[slot] for slot in slots)
        servers[slots[0]].kill()
        await asyncio.to_thread(servers[slots[0]].communicate)
        for friend in gone:
            await friend.until(lambda friend=friend: friend.guest.connection_state == "away")
        play_on(stays)
        for friend in stays:
            await friend.until(lambda friend=friend: friend.proofs)
            assert friend.guest.check_proof(friend.proofs[0]).fair
        assert all(friend.guest.connection_state != "inside" for friend in gone)
        late = await opened(port)  # at the server that is left
        assert port_slot(late[0].code) == slots[1]
        for friend in late:
            await friend.close()
        servers[slots[0]] = await served(tmp_path, slots[0], known_as)
        play_on(gone)
        for friend in gone:
            await friend.until(lambda friend=friend: friend.proofs)
            assert friend.guest.check_proof(friend.proofs[0]).fair
    finally:
        for friends in tables.values():
            for friend in friends:
                await friend.close()
        for process in (proxy, *servers.values()):
            process.kill()
            process.communicate()


def test_a_code_names_its_server(tmp_path: Path) -> None:
    for slot in (0, 1, 17, PORT_SLOTS - 2):
        assert port_slot(generate_code("192.168.1.7", DEFAULT_PORT + slot)) == slot
    assert port_slot(generate_code("192.168.1.7", 443)) == PORT_SLOTS - 1
    assert port_slot("") == -1


def test_a_proxy_says_whose_a_line_is() -> None:
    assert parse_proxy_header(b"PROXY TCP4 192.0.2.7 192.0.2.1 40000 18920\r\nrest") == (
        "192.0.2.7",
        44,
    )
    assert parse_proxy_header(b"PROXY TCP6 2001:db8::7 2001:db8::1 1 2\r\n") == ("2001:db8::7", 40)
    assert parse_proxy_header(b"PROXY UNKNOWN\r\n") == ("", 15)
    assert parse_proxy_header(b"PROXY TCP4 192.0.2.7") is None
    for bad in (b"PROXY TCP4 nobody x 1 2\r\n", b"GET / HTTP/1.1\r\n", b"x" * 200, b"\xff\r\n"):
        with pytest.raises(ValueError, match=r"PROXY|end|address|decode"):
            parse_proxy_header(bad)

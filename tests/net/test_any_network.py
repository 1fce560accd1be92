"""Any network: computers with several addresses, addresses that move, wrong hosts, firewalls.

Each test has computers of its own (`tests/net/namespaces.py`), so it needs root on Linux.
"""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest
from msgspec.structs import replace

from tabletop.net.guest import dial
from tabletop.protocol.invitation import DEFAULT_PORT, InviteLink, format_link, parse_link
from tests.net import unlucky_networks
from tests.net.loopback import HANGS, LONG
from tests.net.namespaces import Network, needs_namespaces, network

pytestmark = needs_namespaces

ONE, TWO, ANN = "10.77.0.11", "10.77.0.12", "10.77.0.13"
ANOTHER = "10.77.0.99"
DEAD_ENDS = ("172.17.0.1", "192.168.122.1")
"""Addresses that a host with Docker and libvirt has as well."""
HERE = Path(__file__).parents[2]


class Lab:
    """The computers of one test."""

    def __init__(self, net: Network, home: Path) -> None:
        self.net = net
        self._home = home

    def host(self, where: str = "one") -> InviteLink:
        """Host a table there, and return its link."""
        host = self.net.tabletop(where, self._home, "host", "chains", "--seats", "2")
        lines = iter(host.stdout.readline, "")
        link = next(line for line in lines if line.startswith("link ")).split()[1]
        return parse_link(link)

    def guest(self, where: str, link: InviteLink) -> "Heard":
        return Heard(self._run(where, "tests.net.namespace_guest", format_link(link), "0"))

    def impostor(self, where: str) -> None:
        """Pose as every host, on this computer."""
        folder = self._home / where / "posing"
        posing = self._run(where, "tests.net.namespace_impostor", str(folder), str(DEFAULT_PORT))
        assert posing.stdout.readline() == "ready\n"

    def _run(self, where: str, module: str, *words: str) -> subprocess.Popen[str]:
        command = self.net.at(where, "-m", module, *words)
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=HERE)
        self.net.running.append(process)
        return process

    def move(self, where: str, before: str, after: str) -> None:
        """Give a computer another address, as DHCP does."""
        self.net.change(where, "addr", "del", f"{before}/24", "dev", "eth0")
        self.net.change(where, "addr", "add", f"{after}/24", "dev", "eth0")
        self.net.change(where, "route", "add", "default", "dev", "eth0")

    def block(self, where: str, guest: str) -> None:
        """Let nothing of this computer reach the guest, as a firewall that drops packets."""
        self.net.change(where, "route", "add", "blackhole", f"{guest}/32")


class Heard:
    """The lines of a guest."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def next(self, *skipped: str) -> tuple[str, str]:
        """The next thing that happens, besides these: a word and a text."""
        while True:
            word, _, text = self._process.stdout.readline().strip().split(" ", 2)
            if word not in skipped:
                return word, text


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    with network() as net:
        yield Lab(net, tmp_path)


def test_dead_addresses_hold_nobody_up(lab: Lab) -> None:
    """The one that works is the last of three; it answers before the others have failed."""
    lab.net.add_dead_networks("one")
    link = lab.host()
    begun = monotonic()
    guest = lab.guest("ann", replace(link, host="172.31.0.9", more=("192.168.5.6", ONE)))
    assert guest.next() == ("inside", ONE)
    assert monotonic() - begun < HANGS


def test_a_link_names_no_bridge_and_no_tunnel_first(lab: Lab) -> None:
    """The usual way out is a VPN, or there is none."""
    lab.net.add_dead_networks("one")
    lab.net.change("one", "tuntap", "add", "tun0", "mode", "tun")
    lab.net.change("one", "addr", "add", "10.8.0.2/24", "dev", "tun0")
    lab.net.change("one", "link", "set", "tun0", "up")
    lab.net.change("one", "route", "replace", "default", "dev", "tun0")
    link = lab.host()
    assert (link.host, link.more) == (ONE, ("10.8.0.2",))
    lab.net.add_dead_networks("two")
    lab.net.change("two", "route", "del", "default")
    assert lab.host("two").host == TWO


long = pytest.mark.skipif(not LONG, reason="takes some ten seconds of waiting")


@pytest.mark.parametrize(
    "named", [pytest.param(True, marks=long), False], ids=["by its key", "by its code"]
)
def test_a_guest_that_meets_its_own_bridge_goes_on(lab: Lab, named: bool) -> None:
    """Host and guest both have the Docker address, and both host."""
    for each in ("one", "ann"):
        lab.net.add_dead_networks(each)
    link = lab.host()
    lab.host("ann")
    shown = link.fingerprint if named else ""
    guest = lab.guest("ann", replace(link, host=DEAD_ENDS[0], more=(ANN, ONE), fingerprint=shown))
    assert guest.next("lost") == ("inside", ONE)


@long
def test_a_host_that_moves_is_found_again(lab: Lab) -> None:
    """Another host has its address meanwhile; nobody takes that for an alarm."""
    link = lab.host()
    guest = lab.guest("ann", link)
    assert guest.next() == ("inside", ONE)
    lab.host("two")
    lab.move("one", ONE, ANOTHER)
    lab.move("two", TWO, ONE)
    assert guest.next("lost") == ("inside", ANOTHER)


@long
def test_a_link_leads_to_a_host_that_has_moved(lab: Lab) -> None:
    link = lab.host()
    lab.move("one", ONE, ANOTHER)
    assert lab.guest("ann", link).next("lost") == ("inside", ANOTHER)


def test_an_impostor_raises_the_alarm_and_others_do_not(lab: Lab) -> None:
    link = lab.host()
    lab.impostor("two")
    elsewhere = replace(link, fingerprint="ab" * 32)
    assert lab.guest("ann", elsewhere).next("lost")[0] == "alarm"  # it has the table by another key
    strange = replace(elsewhere, table="another")
    word, text = lab.guest("ann", strange).next("lost")
    assert (word, text.split()[0]) == ("ended", "other_host")
    posing = lab.guest("bea", replace(link, host=TWO, more=()))
    assert posing.next("lost") == ("inside", ONE)  # which announces itself
    unknown = replace(link, host=TWO, more=(), fingerprint="ab" * 32)
    assert lab.guest("bea", unknown).next("lost")[0] == "alarm"


@long
def test_a_firewall_is_named_before_a_wrong_host(lab: Lab) -> None:
    link = lab.host()
    lab.host("two")
    lab.block("one", ANN)
    guest = lab.guest("ann", replace(link, host=TWO, more=(ONE,), fingerprint=""))
    word, text = guest.next("lost")
    assert (word, text.split()[0]) == ("ended", "blocked")
    assert ONE in text


@long
def test_nothing_but_ipv6_will_do(tmp_path: Path) -> None:
    with network("") as net:
        for number, name in enumerate(("one", "ann"), start=1):
            net.change(name, "addr", "add", f"fd77::{number}/64", "dev", "eth0", "nodad")
        lab = Lab(net, tmp_path)
        link = lab.host()
        assert link.host == "fd77::1"
        assert lab.guest("ann", link).next("lost") == ("inside", "fd77::1")


TAKEN = """
import socket, sys
taken = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
taken.bind(("", 5353))
print("ready", flush=True)
sys.stdin.read()
"""


@long
def test_a_code_leads_to_the_table_without_announcements(lab: Lab, tmp_path: Path) -> None:
    """Another program has port 5353 to itself."""
    command = lab.net.at("ann", "-c", TAKEN)
    pipe = subprocess.PIPE
    taken = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)
    lab.net.running.append(taken)
    assert taken.stdout.readline() == "ready\n"
    link = lab.host()
    bot = ("--bot", "--seats", "2", "--name", "Ann")
    guest = lab.net.tabletop("ann", tmp_path, "join", link.code, *bot)
    out, _ = guest.communicate(timeout=HANGS)
    assert out == "Shuffle and dice verified.\n"


WATCH = """
import asyncio, sys
from ui.online.host_watch import watch_for_hosts
from tabletop.protocol.invitation import places_in, read_link

print("looking", flush=True)
wanted = {"table": places_in(read_link(sys.argv[1]))}
asyncio.run(watch_for_hosts(wanted, lambda table, _: print(table)))
"""


@long
def test_a_host_that_stops_is_noticed_when_it_is_back(lab: Lab) -> None:
    """It has another address by then, and another host has its own."""
    link = lab.host()
    lab.net.running[-1].kill()
    lab.net.running[-1].wait()
    lab.move("one", ONE, ANOTHER)
    lab.host("two")
    lab.move("two", TWO, ONE)
    command = lab.net.at("ann", "-c", WATCH, format_link(link))
    watching = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=HERE)
    lab.net.running.append(watching)
    assert watching.stdout.readline() == "looking\n"
    lab.host()
    assert watching.communicate(timeout=HANGS)[0] == "table\n"


def test_unlucky_networks_lose_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Accidents and impostors at random, with a quicker heart. How long it takes is looked at by
    hand, in hundreds of them."""
    monkeypatch.setattr(dial, "PING_INTERVAL_S", 0.5)
    monkeypatch.setattr(dial, "PING_TIMEOUT_S", 2.0)
    monkeypatch.setattr(unlucky_networks, "UNPLUGGED", 5.0)
    monkeypatch.setattr(unlucky_networks, "SOON", HANGS / 4)
    wrong = unlucky_networks.play(20, seed=3, lanes=20)
    assert [(each.faults, each.said) for each in wrong] == []

"""Tables are found on a real network: computers are namespaces of this one, joined by a switch.

It needs the rights of root and iproute2. Two hosts, three guests: they find each other by
announcements; where the switch carries no multicast, a code and an address still lead to the table.
"""

import subprocess
from pathlib import Path

import pytest

from tabletop.net.host.admission import WRONG_CODE
from tests.net.loopback import HANGS, LONG
from tests.net.namespaces import Network, needs_namespaces, network

pytestmark = needs_namespaces


def hosted(on: Network, where: str, home: Path, game: str, seats: int) -> tuple[str, str]:
    """Host a table there: its code, and its address with the port."""
    host = on.tabletop(where, home, "host", game, "--seats", str(seats))
    code = host.stdout.readline().split()[1]
    _, address, _, port = host.stdout.readline().split()
    while not host.stdout.readline().startswith("link "):
        pass
    return code, f"{address}:{port}"


def all_well(guests: list[subprocess.Popen[str]]) -> None:
    for guest in guests:
        out, error = guest.communicate(timeout=HANGS)
        assert (guest.returncode, out) == (0, "Shuffle and dice verified.\n")
        assert error in ("", f"{WRONG_CODE.text}\n")  # the other host may be asked first


FE80 = pytest.mark.skipif(not LONG, reason="one in four hears nothing of fe80:: at first")


@pytest.mark.parametrize(
    "ipv4", ["169.254.9.{}/16", pytest.param("", marks=FE80)], ids=["169.254.x", "fe80::"]
)
def test_on_a_bare_cable_a_code_and_a_link_lead_to_the_table(ipv4: str, tmp_path: Path) -> None:
    with network(ipv4) as net:
        host = net.tabletop("one", tmp_path, "host", "chains", "--seats", "2")
        code = host.stdout.readline().split()[1]
        lines = iter(host.stdout.readline, "")
        link = next(line for line in lines if line.startswith("link ")).split()[1]
        assert ("169.254.9.11" if ipv4 else "[fe80::") in link
        all_well(
            [
                net.tabletop("ann", tmp_path, "join", code, "--bot", "--name", "Ann"),
                net.tabletop("bea", tmp_path, "join", link, "--bot", "--name", "Bea"),
            ]
        )


LOOK = """
import asyncio, sys
from contextlib import suppress
from tabletop.lan.discovery import Finder

async def look():
    names, both = set(), asyncio.Event()

    def hear(found):
        names.update(each.listed.name for each in found)
        if len(names) == 2:
            both.set()

    finder = Finder(hear)
    await finder.start()
    with suppress(TimeoutError):
        await asyncio.wait_for(both.wait(), int(sys.argv[1]))
    await finder.close()
    print(sorted(names))

asyncio.run(look())
"""


@pytest.mark.parametrize("blocked", [False, True], ids=["multicast", "no multicast"])
def test_two_hosts_and_three_guests_find_each_other(blocked: bool, tmp_path: Path) -> None:
    """Announcements are seen by everybody or by nobody; codes and addresses lead there."""
    with network() as net:
        if blocked:
            net.block_multicast()
        one, _ = hosted(net, "one", tmp_path, "chains", 2)
        two, address = hosted(net, "two", tmp_path, "sun", 2)
        looking = [
            subprocess.Popen(
                net.at(where, "-c", LOOK, "3" if blocked else str(HANGS)),
                stdout=subprocess.PIPE,
                text=True,
            )
            for where in ("ann", "bea", "cat")
        ]
        net.running += looking
        seen = [process.communicate(timeout=2 * HANGS)[0].strip() for process in looking]
        both = "['Chains', 'Children of the Sun']"
        assert seen == ["[]" if blocked else both] * 3
        all_well(
            [
                net.tabletop("ann", tmp_path, "join", one, "--bot", "--name", "Ann"),
                net.tabletop("bea", tmp_path, "join", one, "--bot", "--name", "Bea"),
                net.tabletop(
                    *("cat", tmp_path, "join", address, "--code", two),
                    *("--bot", "--name", "Cat", "--seats", "2"),
                ),
            ]
        )

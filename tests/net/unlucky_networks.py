"""Hostile and unlucky networks at random: does every guest come back, or hear a true sentence?

    python -m tests.net.unlucky_networks [COUNT] [SEED] [LANES]

Each sequence is a host, a guest with its link, and some accidents: a cable that is pulled, an
address that moves, another host or an impostor at the one before, a firewall, addresses that lead
nowhere. The guest has to be inside within ten seconds after it has noticed, or has to be told why
not. Without an impostor there is no alarm; where one keeps the guest from its host, there is. One
that claims nothing, as it greets and then is mute, is no more than a host that hangs.

All computers are threads of this process, each in a network namespace of its own; it needs root.
"""

import asyncio
import ctypes
import os
import queue
import random
import sys
import tempfile
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any

from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.commands.headless import TableOpener, plan
from tabletop.net.guest.connection import Connection
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.guest.reconnect_policy import Destination
from tabletop.net.guest.session import Guest
from tabletop.net.host.host import Host
from tabletop.protocol.invitation import DEFAULT_PORT, Address, InviteLink, addresses_in, parse_link
from tabletop.protocol.messages import Refused, TableJoined
from tabletop.table.connection_events import ChangedCertificate, Event, Lost, News
from tests.net.impostor import Act, only_greets, posing
from tests.net.namespace_impostor import claim, take
from tests.net.namespaces import Network

CLONE_NEWNET = 0x40000000
SOON = 10.0
"""Seconds after a loss was noticed until a guest is back."""
NOTICED = 12.0
"""Seconds until a loss is noticed, and a bit for a busy machine."""
UNPLUGGED = 9.0
"""Seconds without a cable: long enough to be noticed."""
ONE, TWO, ANN = "10.77.0.11", "10.77.0.12", "10.77.0.13"
FREE = ("10.77.0.97", "10.77.0.98", "10.77.0.99")
NOWHERE = "172.31.0.9"
IMPOSTOR = ("impostor", "guessing", "unanswered")
POSING: dict[str, Act] = {"impostor": claim, "taker": take, "mute": only_greets}
CHEATS = ("impostor", "taker")
"""Those who claim to have the table; who only greets doesn't."""


class Computer:
    """A thread with an event loop, in a network namespace."""

    def __init__(self, namespace: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._space = os.open(f"/run/netns/{namespace}", os.O_RDONLY)
        self._thread = Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        if ctypes.CDLL(None, use_errno=True).setns(self._space, CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "no such network")
        self._loop.run_forever()

    def do(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Do this there, and return its result."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(60)

    def close(self) -> None:
        """End all that runs there."""

        async def end() -> None:
            rest = asyncio.all_tasks() - {asyncio.current_task()}
            for task in rest:
                task.cancel()
            await asyncio.gather(*rest, return_exceptions=True)

        try:
            self.do(end())
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()
            os.close(self._space)


class Witness:
    """A guest, and all that happens to it as words with the time."""

    def __init__(self, link: InviteLink) -> None:
        self.heard: queue.Queue[tuple[str, str, float]] = queue.Queue()
        (place,) = addresses_in(link)
        destination = Destination(place, table=link.table, is_pinned=bool(link.fingerprint))
        self.line = Connection(destination, self._hear)
        self.guest = Guest(catalogue.load, self.line.send)
        self.guest.listen(self._note)
        self.guest.join(Ticket(link.table, link.code, fingerprint=link.fingerprint))

    async def start(self) -> None:
        self.line.start()

    def _tell(self, word: str, text: str) -> None:
        self.heard.put((word, text, monotonic()))

    def _hear(self, event: Event) -> None:
        self.guest.on_event(event)
        match event:
            case ChangedCertificate(fingerprint=found):
                self._tell("alarm", found)
            case Lost(reason=reason, retry_in_s=None):
                self._tell("ended", reason.code)
            case Lost(reason=reason):
                self._tell("lost", reason.code)

    def _note(self, news: News) -> None:
        match news:
            case TableJoined():
                self._tell("inside", self.line.address.hosts[0])
            case Refused(reason=reason) if self.guest.is_wrong_host(news):
                self.line.reject_host(reason, self.guest.host_fingerprint)
            case Refused(reason=reason):
                self._tell("ended", reason.code)


class Sequence:
    """One host, one guest, and their accidents."""

    def __init__(self, number: int, seed: int) -> None:
        self.said: list[str] = []
        """What happened, to be read where something went wrong."""
        self.faults: list[str] = []
        self._chance = random.Random(f"{seed}/{number}")
        self._net = Network(f"tt{os.getpid()}n{number}")
        self._computers: dict[str, Computer] = {}
        self._hosts: list[tuple[Computer, Host]] = []
        self._at = {"one": ONE, "two": TWO}
        self._free = list(FREE)
        self._key = ""

    def play(self) -> "Sequence":
        """Play it; `faults` says what went wrong."""
        with tempfile.TemporaryDirectory() as home, ExitStack() as ending:
            ending.callback(self._net.remove)
            self._net.build("10.77.0.{}/24")
            for name in ("one", "two", "ann"):  # fe80:: would outlive all accidents
                self._net.change(name, "-6", "addr", "flush", "dev", "eth0")
                self._computers[name] = Computer(self._net.prefix + name)
                ending.callback(self._computers[name].close)
            ending.callback(self._close_hosts)
            self._play(Path(home))
        return self

    def _close_hosts(self) -> None:
        for computer, host in self._hosts:
            computer.do(host.close())

    def _play(self, home: Path) -> None:
        chance = self._chance
        link = self._host("one", home)
        self._key = link.fingerprint
        second = chance.choice(("nobody", "host", *POSING))
        if second == "host":
            self._host("two", home)
        elif second != "nobody":
            self._computers["two"].do(self._pose(home / "posing", POSING[second]))
        others = chance.sample((NOWHERE, TWO), chance.randint(0, 2))
        first, *more = chance.sample((ONE, *others), 1 + len(others))
        keyed, blocked = chance.random() < 0.7, chance.random() < 0.15
        if blocked:
            self._net.change("one", "route", "add", "blackhole", f"{ANN}/32")
        self.said.append(f"{second} {first} {more} keyed={keyed} blocked={blocked}")
        shown = link.fingerprint if keyed else ""
        guest = Witness(replace(link, host=first, more=tuple(more), fingerprint=shown))
        begun = monotonic()
        self._computers["ann"].do(guest.start())
        cheated = second in CHEATS and TWO in others
        if blocked:
            self._judge(guest, begun, inside=False, cheated=cheated)
        elif self._judge(guest, begun, inside=True, cheated=False):
            for _ in range(chance.randint(1, 2)):
                if not self._accident(guest, second):
                    break
        self._computers["ann"].do(guest.line.close())

    def _host(self, where: str, home: Path) -> InviteLink:
        return self._computers[where].do(self._open_table(where, home / where))

    async def _open_table(self, where: str, home: Path) -> InviteLink:
        host = Host(home, key="own", is_announced=True)
        await host.start(None, DEFAULT_PORT)
        self._hosts.append((self._computers[where], host))
        place = Address(("127.0.0.1",), DEFAULT_PORT, host.certificate.fingerprint)
        lines: list[str] = []
        table = plan(catalogue.load("chains"), 2, 0, "", "", {})
        opener = TableOpener(place, "own", table, lines.append)
        assert await opener.opened is None
        return parse_link(lines[-1].split()[1])

    async def _pose(self, folder: Path, act: Act) -> None:
        ready = asyncio.Event()

        async def pose() -> None:
            async with posing(folder, act, "0.0.0.0", DEFAULT_PORT):
                ready.set()
                await asyncio.Event().wait()

        self._posing = asyncio.create_task(pose())
        await ready.wait()

    def _accident(self, guest: Witness, second: str) -> bool:
        """Let something happen; whether the guest has come back."""
        net, what = self._net, self._chance.choice(("move", "move", "swap", "cable"))
        self.said.append(what)
        cheated = False
        if what == "cable":
            net.change("one", "link", "set", "eth0", "down")
            sleep(UNPLUGGED)
            net.change("one", "link", "set", "eth0", "up")
            net.change("one", "route", "add", "default", "dev", "eth0")
        else:
            before, after = self._at["one"], self._free.pop(0)
            self._move("one", after)
            if what == "swap":  # who was somewhere else has its address now
                self._move("two", before)
                cheated = second in CHEATS
        return self._judge(guest, 0.0, inside=True, cheated=cheated)

    def _move(self, where: str, after: str) -> None:
        self._net.change(where, "addr", "del", f"{self._at[where]}/24", "dev", "eth0")
        self._net.change(where, "addr", "add", f"{after}/24", "dev", "eth0")
        self._net.change(where, "route", "replace", "default", "dev", "eth0")
        self._at[where] = after

    def _judge(self, guest: Witness, begun: float, inside: bool, cheated: bool) -> bool:
        """Wait for how it ends, and judge it; whether the guest is inside. `begun`: 0.0 for the
        time at which a loss is noticed."""
        noticed = begun
        while True:
            try:
                word, text, at = guest.heard.get(timeout=NOTICED + SOON)
            except queue.Empty:
                self.faults.append("nothing was heard")
                return False
            noticed = noticed or at
            self.said.append(f"{word} {text} {at - noticed:.1f}")
            if word != "lost":
                break
        if at - noticed > SOON:
            self.faults.append(f"took {at - noticed:.1f} s")
        alarmed = word == "alarm" or text in IMPOSTOR
        if word == "inside":
            if guest.line.address.fingerprint != self._key:
                self.faults.append(f"inside at {text}, which is another host")
        elif alarmed != cheated:
            self.faults.append("a false alarm" if alarmed else "an impostor without an alarm")
        elif inside and not cheated:
            self.faults.append("not inside")
        return word == "inside"


def play(count: int, seed: int, lanes: int) -> list[Sequence]:
    """Play so many sequences, some side by side; return those that went wrong."""
    one = partial(_play_one, seed=seed)
    with ThreadPoolExecutor(lanes) as pool:
        return [each for each in pool.map(one, range(count)) if each.faults]


def _play_one(number: int, seed: int) -> Sequence:
    sequence = Sequence(number, seed)
    try:
        return sequence.play()
    except Exception as error:
        sequence.faults.append(repr(error))
        return sequence


if __name__ == "__main__":
    numbers = [int(each) for each in sys.argv[1:]] + [300, 1, 6][len(sys.argv) - 1 :]
    wrong = play(*numbers)
    for each in wrong:
        print(each.faults, *each.said, sep="\n  ")
    print(f"{numbers[0]} sequences, {len(wrong)} went wrong")
    sys.exit(bool(wrong))

"""A host without a window: `tabletop serve` and `tabletop host`, and a guest without one."""

import asyncio
import logging
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tabletop.bots.random import RandomBot
from tabletop.engine.model import Reason, Value
from tabletop.games import catalogue
from tabletop.games.catalogue import Kit
from tabletop.net.client import Event, Line, Stranger, Visit
from tabletop.net.guest import Guest, Lost, News, Ticket
from tabletop.net.host import Host
from tabletop.net.invitation import Link, Place, format_link
from tabletop.net.limits import Limits
from tabletop.net.protocol import Chair, Invitation, Plan, Proof, Refused
from tabletop.net.seats import new_token


def log_lines(level: int = logging.INFO) -> None:
    """Have what happens told on standard error: a time, a level, an event and its key=value."""
    lines = logging.StreamHandler()
    form = logging.Formatter("%(asctime)sZ %(levelname)s %(message)s", "%Y-%m-%dT%H:%M:%S")
    form.converter = time.gmtime
    lines.setFormatter(form)
    log = logging.getLogger("tabletop.net")
    log.addHandler(lines)
    log.setLevel(level)


async def serve(folder: Path, bind: str | None, port: int, tables: int) -> None:
    """Serve at most so many tables until the program is told to stop.

    Raises:
        OSError: it cannot listen there.
        StorageError: the folder cannot be written.
    """
    log_lines()
    many_files()
    limits = Limits(tables=tables, tables_per_address=tables)
    host = Host(folder, limits=limits, announced=True)
    await host.start(bind, port)
    await told_to_stop()
    await host.close()


async def host_one(
    folder: Path, table: Plan, port: int | None, tell: Callable[[str], None]
) -> None:
    """Host one table for others until the program is told to stop; `tell` what they need to come.

    It starts by itself as soon as everybody is ready.

    Raises:
        OSError: it cannot listen.
    """
    key = new_token()
    host = Host(folder, key=key, announced=True)
    await host.start(None, port)
    line = Line(Place(("127.0.0.1", "::1"), host.port, host.certificate.fingerprint), _ignore)
    guest = Guest(catalogue.load, line.send)
    told = False

    def hear(event: Event) -> None:
        nonlocal told
        visit.hear(event)
        if guest.invitation is not None and not told:
            told = True
            for line_ in told_to_others(guest.invitation):
                tell(line_)
        room = guest.room
        if room is None or room.phase != "gathering" or not guest.hosts:
            return
        if all(sitter.state in ("ready", "bot") for sitter in room.sitters):
            guest.start()

    visit = Visit(guest)
    line.hear = hear
    guest.open(table, key)
    line.start()
    await told_to_stop()
    await line.close()
    await host.close()


async def join(link: Link, name: str) -> Reason | None:
    """Sit down at the first free seat and play at random to the end; why not, where it failed."""
    done: asyncio.Future[Reason | None] = asyncio.get_running_loop().create_future()
    line = Line(Place((link.host,), link.port, link.fingerprint), _ignore)
    guest = Guest(catalogue.load, line.send)
    visit, bot = Visit(guest), RandomBot()
    asked = False

    def end(reason: Reason | None) -> None:
        if not done.done():
            done.set_result(reason)

    def hear(event: Event) -> None:
        nonlocal asked
        visit.hear(event)
        match event:
            case Lost(reason=reason, again=None) | Stranger(reason=reason):
                end(reason)
            case Refused(reason=reason, of="hello" | "enter" | "sit"):
                end(reason)
            case Proof():
                end(None)
        room = guest.room
        if room is None or guest.standing != "inside":
            return
        if room.phase == "gathering" and not asked:
            free = [n for n, sitter in enumerate(room.sitters) if sitter.state == "free"]
            if free:
                asked = True
                guest.sit(free[0], name)
        for seat in guest.seats:
            if room.phase == "gathering" and room.sitters[seat].state == "here":
                guest.ready(seat)
        for link in guest.links.values():
            if room.phase == "playing" and link.sent is None and link.offers:
                must = [a for a in link.view.asks if a.id in link.offers and not a.optional]
                if must:
                    link.send(bot.answer(link, must[0]))

    line.hear = hear
    guest.enter(Ticket(link.table, link.code))
    line.start()
    try:
        return await done
    finally:
        await line.close()


def plan(kit: Kit, seats: int, bots: int, name: str, options: dict[str, Value]) -> Plan:
    """A table whose last seats are bots'."""
    chairs = (Chair(),) * (seats - bots) + (Chair("bot"),) * bots
    return Plan(kit.id, chairs, name or kit.box.title, options)


def told_to_others(invitation: Invitation) -> Iterator[str]:
    """What others need to come, line by line."""
    yield f"code {invitation.code}"
    here = invitation.addresses or ("127.0.0.1",)
    for address in here:
        yield f"address {address} port {invitation.port}"
    link = Link(here[0], invitation.port, "", invitation.code, invitation.fingerprint)
    yield f"link {format_link(link)}"


async def told_to_stop() -> None:
    """Wait until the system or the person at the keyboard wants the program to end."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(number, stop.set)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop.set))
    await stop.wait()


def many_files() -> None:
    """Let the program have as many files and lines open as the system allows it."""
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _ignore(event: News | Event) -> None:
    """Before the guest is there to hear, nothing comes."""

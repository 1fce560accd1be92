"""Serve phones and other browsers."""

import asyncio
import logging
import os
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from msgspec.structs import replace

from tabletop.background import faults, threads
from tabletop.background.tasks import Tasks, run_reporting_faults, wait_for_first
from tabletop.commands.arguments import Folder, UsageError, flag, value_option
from tabletop.commands.network import Fingerprint
from tabletop.commands.server_trust import server_place
from tabletop.commands.window import screens
from tabletop.files import crash_log, folders
from tabletop.lan.interfaces import addresses
from tabletop.language.words import Words
from tabletop.protocol.invitation import PORT as HOST_PORT
from tabletop.protocol.invitation import (
    Address,
    BadInvitation,
    InviteLink,
    bracket,
    places_in,
    read_code,
    read_hint,
    read_invitation,
    read_server,
)

log = logging.getLogger("tabletop.web")
LINK = "TABLETOP_WEB_LINK"
"""The environment variable with the link, so that its code isn't in a list of processes."""
NEEDS_HOST = "--public-page and --fingerprint need --host, and no code."
PORT = 18980
ALL = ("0.0.0.0", "::")
"""Values of --bind that mean all addresses of IPv4, and of IPv6; without --bind it is both."""
LOOKS = 2.0
"""Seconds between two looks at this computer's addresses."""
LOOPBACK = "127.0.0.1"
LOOPBACKS = (LOOPBACK, "localhost", "::1")
"""Names of this very computer; from a host here a table's game is always taken."""


def web(
    where: Annotated[
        str,
        typer.Argument(metavar="[LINK]", help="The table's link, or its code on this computer."),
    ] = "",
    host: Annotated[
        str, value_option("ADDR", "Serve any table of this host; browsers enter the code.")
    ] = "",
    port: Annotated[
        int, value_option("PORT", "Port to listen on, or the next free one.", min=0, max=65535)
    ] = PORT,
    bind: Annotated[str, value_option("ADDR", "Listen on this address only.")] = "",
    tls: Annotated[bool, flag("--tls", "Serve HTTPS with this computer's certificate.")] = False,
    name: Annotated[
        list[str] | None, value_option("NAME", "Another host name of this computer; repeatable.")
    ] = None,
    public_page: Annotated[
        bool, flag("--public-page", "Show the server's open tables and finished matches to anyone.")
    ] = False,
    fingerprint: Fingerprint = "",
    data: Folder = None,
    take_games: Annotated[
        bool, flag("--take-games", "Download missing games without code from the host.")
    ] = False,
    static: Annotated[Path | None, value_option("DIR", "Serve the page's files from here.")] = None,
    with_parent: Annotated[bool, flag("--with-parent", "Stop when standard input closes.")] = False,
) -> None:
    """Let phones and other browsers join tables."""
    link = table_of(where or os.environ.get(LINK, ""), host)
    if fingerprint or public_page:
        if not public_page or not host or link.code:
            raise UsageError(NEEDS_HOST)
        link = replace(link, fingerprint=server_place(host, fingerprint).fingerprint)
    drawing = _make_drawer()
    work = partial(
        _serve,
        link=link,
        bind=bind,
        port=port,
        names=tuple(name or ()),
        certified=(data or folders.hosted()) if tls else None,
        static=static or screens("ui.style.asset_folder").PAGE,
        public_page=public_page,
        take_games=take_games or link.host in LOOPBACKS,
        with_parent=with_parent,
    )
    crash_log.enable("gateway")
    try:
        if drawing is not None:
            drawing.run(work)
        else:
            asyncio.run(run_reporting_faults(work(None)))
    except OSError as error:
        raise UsageError(f"Can't listen there: {error.strerror or error}.") from error
    finally:
        crash_log.disable()


def table_of(where: str, host: str) -> InviteLink:
    """The host and the table that the arguments name.

    Raises:
        UsageError: they name none.
    """
    try:
        link = read_invitation(where) if where else InviteLink("")
        if host:
            typed = read_server(host)
            link = replace(link, host=typed.hosts[0], port=typed.port)
        if link.code:
            link = replace(link, code=read_code(link.code))
    except BadInvitation as error:
        raise UsageError(str(error)) from error
    return link if link.host else replace(link, host=LOOPBACK, port=_port_of(link.code))


def _port_of(code: str) -> int:
    """The port of this computer that a code hints at, if a host may be there; else the usual."""
    hint = read_hint(code, LOOPBACK) if code else None
    if hint is not None:
        with suppress(OSError), socket.create_connection((LOOPBACK, hint[1]), timeout=1):
            return hint[1]
    return HOST_PORT


def _make_drawer() -> Any:
    """Return the drawer for the page; None where Qt cannot be loaded."""
    try:
        return screens("ui.phones.drawing")
    except UsageError as error:
        log.warning("nothing can be drawn: %s", error)
        return None


async def _serve(
    drawer: Any,
    *,
    link: InviteLink,
    bind: str,
    port: int,
    names: tuple[str, ...],
    certified: Path | None,
    static: Path,
    public_page: bool,
    take_games: bool,
    with_parent: bool,
) -> None:
    """Serve browsers until the program is stopped. `certified`: speak TLS, by the certificate in
    this folder; the others as in a `Gateway`.

    Raises:
        OSError: it can't listen there.
    """
    from tabletop.bots.bot_pool import BotPool
    from tabletop.catalogue import catalogue
    from tabletop.home.known_hosts import KnownHosts
    from tabletop.net.certificate import certificate
    from tabletop.net.event_loop import raise_open_file_limit, stop_requested
    from tabletop.web.gateway.gateway import Gateway
    from tabletop.web.gateway.sessions import Sessions
    from tabletop.web.https_redirect import RedirectingContext

    raise_open_file_limit()
    known = KnownHosts(folders.known_hosts())
    (place,) = places_in(link)
    if not place.fingerprint:
        place = replace(place, fingerprint=known.fingerprint_of(place.name))
    pool = BotPool(catalogue.load_bot_parts)
    sessions = Sessions(
        place,
        drawer,
        code=link.code,
        bot_pool=pool,
        trust=partial(known.trust, place.name),
        public_page=public_page,
        takes_games=take_games,
    )
    gateway = Gateway(
        sessions,
        static=static,
        names=names,
        certificate=partial(certificate(certified).context, RedirectingContext)
        if certified is not None
        else None,
        visited=lambda address: _print(f"visitor {address}"),
    )
    await gateway.start(bind, port)
    told = partial(_told_place, gateway.scheme, gateway.port, bind, link.code, public_page)
    first = told()
    _print(first)
    looking = Tasks()
    looking.start(_look_for(place, bool(link.fingerprint)))
    looking.start(_follow(told, first))
    if with_parent:
        faults.add_listener(lambda trace: _print(f"fault {msgspec.json.encode(trace).decode()}"))
        await wait_for_first(stop_requested(), _parent_gone())
    else:
        await stop_requested()
    await looking.cancel()
    await gateway.close()
    pool.close()


def _told_place(scheme: str, port: int, bind: str, code: str, public_page: bool) -> str:
    """Return where the page is now, as lines: the port, and every address."""
    here = reachable_addresses(bind)
    lines = [f"listening {port}"]
    lines += [f"address {shown_address(scheme, address, port, code)}" for address in here]
    if public_page:
        lines += [f"tables {shown_address(scheme, address, port, '')}tables" for address in here]
    return "\n".join(lines)


async def _follow(told: Callable[[], str], before: str) -> None:
    """Print where the page is once more whenever this computer has got other addresses."""
    while True:
        await asyncio.sleep(LOOKS)
        now = told()
        if now != before:
            _print(now)
        before = now


def reachable_addresses(bind: str) -> list[str]:
    """Return the addresses at which a phone reaches this computer; only `bind` where it is one, and
    only those of its kind where it is all of one kind."""
    if bind not in ("", *ALL):
        return [bind]
    usable = (each for each in addresses() if not each.startswith("fe80:"))
    found = [each for each in usable if not bind or (":" in each) == (":" in bind)]
    return found or ["::1" if bind == "::" else LOOPBACK]


def shown_address(scheme: str, address: str, port: int, code: str) -> str:
    """Return the address to type, or to scan; the code is in the part that no server is ever
    sent."""
    return f"{scheme}://{bracket(address)}:{port}/" + (f"#{code}" if code else "")


async def _look_for(place: Address, invited: bool) -> None:
    """Print a warning where the host can't be reached. `invited`: its certificate is named by an
    invitation, so another computer at its address is no alarm."""
    from websockets.exceptions import WebSocketException

    from tabletop.net.guest.dial import CHANGED, UNREACHABLE, WrongCertificate, dial
    from tabletop.net.guest.wrong_host import OTHER_HOST

    try:
        socket = await dial(place)
    except WrongCertificate:
        why = OTHER_HOST if invited else CHANGED
        _print(f"trouble {Words('en')(why.text, place=place.name)}")
    except (OSError, TimeoutError, WebSocketException):
        _print(f"trouble {Words('en')(UNREACHABLE.text, place=place.name)}")
    else:
        await socket.close()


async def _parent_gone() -> None:
    """Wait until standard input is closed: the parent process has ended."""
    loop, gone = asyncio.get_running_loop(), asyncio.Event()

    def wait() -> None:
        stream = sys.stdin.buffer if sys.stdin is not None else None
        while stream is not None and stream.read(1):
            pass
        if not loop.is_closed():
            loop.call_soon_threadsafe(gone.set)

    threads.start(wait, "parent")
    await gone.wait()


def _print(line: str) -> None:
    """Print a line for the parent process, which need not read it."""
    with suppress(OSError, ValueError):
        print(line, flush=True)

"""Serve phones and other browsers."""

import asyncio
import logging
import os
import socket
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer
from msgspec.structs import replace

from tabletop.background import faults, threads
from tabletop.background.tasks import Tasks, run_reporting_faults, wait_for_first
from tabletop.commands.agreement import permitted_ids_in
from tabletop.commands.arguments import UsageError, flag, value_option
from tabletop.commands.network import Fingerprint
from tabletop.commands.server_trust import parse_fingerprint, trusted_server
from tabletop.commands.window import import_ui_module
from tabletop.files import crash_log, folders
from tabletop.files.errors import StorageError
from tabletop.lan.interfaces import addresses
from tabletop.language.words import Words
from tabletop.net.certificate import read_fingerprint
from tabletop.protocol.invitation import DEFAULT_PORT as HOST_PORT
from tabletop.protocol.invitation import (
    BadInvitation,
    InviteLink,
    addresses_in,
    bracket_ipv6,
    hinted_address,
    parse_code,
    parse_invitation,
    parse_server,
)

if TYPE_CHECKING:
    from tabletop.web.gateway.sessions import Sessions
    from tabletop.web.http_proxy import HttpProxy

log = logging.getLogger("tabletop.web")
LINK_VARIABLE = "TABLETOP_WEB_LINK"
"""The environment variable with the table's link, which keeps its code out of process lists."""
NEEDS_HOST = "--public-page needs --host, and no code."
OTHER_CERTIFICATE = (
    "the host has another certificate fingerprint=%s; phones need the table's code. If it is your "
    "host, start with --fingerprint %s"
)
NEEDS_ORIGIN = "--proxy needs --origin, the page's public URL."
BAD_ORIGIN = "--origin needs a URL such as https://cards.example.org, and --proxy an IP address."
FOLDER_REFUSED = "The public page can't be in a folder of a site: leave the folder out of --origin."
PORT = 18980
WILDCARD_ADDRESSES = ("0.0.0.0", "::")
"""The values of --bind for all addresses of IPv4 or of IPv6; the default means both."""
ADDRESS_CHECK_INTERVAL_S = 2.0
"""How often this computer's addresses are checked for changes, in seconds."""
LOOPBACK = "127.0.0.1"
LOOPBACK_NAMES = (LOOPBACK, "localhost", "::1")
"""Host names of this computer itself; missing games are always downloaded from such a host."""


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
    origin: Annotated[
        str, value_option("URL", "The page's public URL, if a reverse proxy serves it.")
    ] = "",
    proxy: Annotated[
        list[str] | None, value_option("ADDR", "Trust this proxy's X-Forwarded-For; repeatable.")
    ] = None,
    public_page: Annotated[
        bool, flag("--public-page", "Show the server's open tables and finished matches to anyone.")
    ] = False,
    fingerprint: Fingerprint = "",
    data: Annotated[
        Path | None, value_option("DIR", "Folder of the host on this computer, as for `serve`.")
    ] = None,
    take_games: Annotated[
        bool, flag("--take-games", "Download missing games without code from the host.")
    ] = False,
    games: Annotated[
        list[Path] | None,
        value_option("DIR", "Also show tables that play the games in this folder; repeatable."),
    ] = None,
    static: Annotated[Path | None, value_option("DIR", "Serve the page's files from here.")] = None,
    with_parent: Annotated[bool, flag("--with-parent", "Stop when standard input closes.")] = False,
) -> None:
    """Let phones and other browsers join tables."""
    link = link_from_arguments(where or os.environ.get(LINK_VARIABLE, ""), host)
    if public_page and (not host or link.code):
        raise UsageError(NEEDS_HOST)
    if fingerprint:
        link = replace(link, fingerprint=parse_fingerprint(fingerprint))
    is_local = link.host in LOOPBACK_NAMES or link.host in addresses()
    vouched_fingerprints = partial(_read_fingerprints, data, is_local)
    if not link.fingerprint and data is not None and is_local:
        link = replace(link, fingerprint=next(iter(vouched_fingerprints()), ""))
    if public_page and not link.fingerprint:
        place = trusted_server(host, vouched=vouched_fingerprints())
        link = replace(link, fingerprint=place.fingerprint)
    for each in games or ():
        permitted_ids_in(each)
    behind = _parse_proxy(origin, proxy or (), public_page)
    drawing = _make_drawer()
    work = partial(
        _serve,
        link=link,
        bind=bind,
        port=port,
        names=tuple(name or ()),
        proxy=behind,
        certificate_folder=(data or folders.hosted()) if tls else None,
        static=static or import_ui_module("ui.style.asset_folder").PHONE_PAGE_FOLDER,
        public_page=public_page,
        take_games=take_games or link.host in LOOPBACK_NAMES,
        vouched_fingerprints=vouched_fingerprints,
        with_parent=with_parent,
    )
    crash_log.enable("gateway")
    try:
        if drawing is not None:
            drawing.run_with_drawer(work)
        else:
            asyncio.run(run_reporting_faults(work(None)))
    except OSError as error:
        raise UsageError(f"Can't listen there: {error.strerror or error}.") from error
    finally:
        crash_log.disable()


def _read_fingerprints(data: Path | None, is_local: bool) -> tuple[str, ...]:
    """Return the fingerprints that the host's certificate may have, because its key is on this
    computer: in the folder `data`, or the window's if the host `is_local`.

    A folder that can't be read is logged.
    """
    folder = data or (folders.hosted() if is_local else None)
    if folder is None:
        return ()
    try:
        found = read_fingerprint(folder)
    except StorageError as error:
        log.warning("the host's certificate can't be read why=%s", error)
        return ()
    return (found,) if found else ()


def _parse_proxy(origin: str, proxies: Iterable[str], public_page: bool) -> "HttpProxy":
    """Return the settings for a reverse proxy.

    Raises:
        UsageError: the arguments aren't valid.
    """
    from tabletop.web.http_proxy import NO_PROXY, parse_http_proxy

    if not origin:
        if proxies:
            raise UsageError(NEEDS_ORIGIN)
        return NO_PROXY
    try:
        proxy = parse_http_proxy(origin, proxies)
    except ValueError as error:
        raise UsageError(BAD_ORIGIN) from error
    if proxy.path and public_page:
        raise UsageError(FOLDER_REFUSED)
    return proxy


def link_from_arguments(where: str, host: str) -> InviteLink:
    """Return the link to the host and table that the arguments specify.

    Raises:
        UsageError: the arguments aren't valid.
    """
    try:
        link = parse_invitation(where) if where else InviteLink("")
        if host:
            typed = parse_server(host)
            link = replace(link, host=typed.hosts[0], port=typed.port)
        if link.code:
            link = replace(link, code=parse_code(link.code))
    except BadInvitation as error:
        raise UsageError(str(error)) from error
    return link if link.host else replace(link, host=LOOPBACK, port=_port_of(link.code))


def _port_of(code: str) -> int:
    """Return the port encoded in `code` if it accepts connections on this computer.

    Otherwise, return the default port.
    """
    hint = hinted_address(code, LOOPBACK) if code else None
    if hint is not None:
        with suppress(OSError), socket.create_connection((LOOPBACK, hint[1]), timeout=1):
            return hint[1]
    return HOST_PORT


def _make_drawer() -> Any:
    """Return the module that draws for the page; None if Qt can't be loaded."""
    try:
        return import_ui_module("ui.phones.drawing")
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
    proxy: "HttpProxy",
    certificate_folder: Path | None,
    static: Path,
    public_page: bool,
    take_games: bool,
    vouched_fingerprints: Callable[[], tuple[str, ...]],
    with_parent: bool,
) -> None:
    """Serve browsers until the program is stopped.

    Args:
        certificate_folder: the folder with the certificate for HTTPS; None for HTTP.
        with_parent: whether to stop when the parent process ends, and to print faults for it.

    See `Sessions` and `Gateway` for the other arguments.

    Raises:
        OSError: the gateway can't listen on its address and port.
    """
    from tabletop.bots.bot_pool import BotPool
    from tabletop.catalogue import catalogue
    from tabletop.home.known_hosts import KnownHosts
    from tabletop.net.certificate import load_certificate
    from tabletop.net.event_loop import raise_open_file_limit, wait_for_stop
    from tabletop.web.gateway.gateway import Gateway
    from tabletop.web.gateway.sessions import Sessions
    from tabletop.web.https_redirect import RedirectingContext

    raise_open_file_limit()
    (place,) = addresses_in(link)
    learned = KnownHosts(folders.known_hosts()).fingerprint_of(place.name)
    pool = BotPool(catalogue.load_bot_parts)
    sessions = Sessions(
        place,
        drawer,
        code=link.code,
        bot_pool=pool,
        learned_fingerprint=learned,
        vouched_fingerprints=vouched_fingerprints,
        public_page=public_page,
        takes_games=take_games,
    )
    gateway = Gateway(
        sessions,
        static=static,
        names=names,
        proxy=proxy,
        certificate=partial(
            load_certificate(certificate_folder).make_tls_context, RedirectingContext
        )
        if certificate_folder is not None
        else None,
        visited=lambda address: _print(f"visitor {address}"),
    )
    await gateway.start(bind, port)
    address_lines = partial(
        _address_lines, gateway.scheme, gateway.port, bind, link.code, public_page, proxy.url
    )
    first = address_lines()
    _print(first)
    tasks = Tasks()
    tasks.start(_warn_if_unreachable(sessions, learned))
    tasks.start(_print_address_changes(address_lines, first))
    if with_parent:
        faults.add_listener(lambda trace: _print(f"fault {msgspec.json.encode(trace).decode()}"))
        await wait_for_first(wait_for_stop(), _wait_for_parent_exit())
    else:
        await wait_for_stop()
    await tasks.cancel()
    await gateway.close()
    pool.close()


def _address_lines(
    scheme: str, port: int, bind: str, code: str, public_page: bool, public_url: str = ""
) -> str:
    """Return the lines that tell the parent process the port and the URLs of the page."""
    here = reachable_addresses(bind)
    roots = [page_url(scheme, address, port, "") for address in here]
    if public_url:
        roots.insert(0, public_url)
    lines = [f"listening {port}"]
    lines += [f"address {root}" + (f"#{code}" if code else "") for root in roots]
    if public_page:
        lines += [f"tables {root}tables" for root in roots]
    return "\n".join(lines)


async def _print_address_changes(address_lines: Callable[[], str], before: str) -> None:
    """Print `address_lines()` whenever its result changes; `before` is the previous result."""
    while True:
        await asyncio.sleep(ADDRESS_CHECK_INTERVAL_S)
        now = address_lines()
        if now != before:
            _print(now)
        before = now


def reachable_addresses(bind: str) -> list[str]:
    """Return the addresses at which phones can reach this computer.

    If `bind` is a single address, return only that address. If it means all of IPv4 or all of IPv6,
    return only addresses of that kind.
    """
    if bind not in ("", *WILDCARD_ADDRESSES):
        return [bind]
    usable = (each for each in addresses() if not each.startswith("fe80:"))
    found = [each for each in usable if not bind or (":" in each) == (":" in bind)]
    return found or ["::1" if bind == "::" else LOOPBACK]


def page_url(scheme: str, address: str, port: int, code: str) -> str:
    """Return the URL of the page, to be typed or scanned.

    The code is in the fragment, which browsers don't send to servers.
    """
    return f"{scheme}://{bracket_ipv6(address)}:{port}/" + (f"#{code}" if code else "")


async def _warn_if_unreachable(sessions: "Sessions", learned: str) -> None:
    """Print a warning if the host can't be reached or has another certificate.

    `learned`: the fingerprint of the certificate on an earlier visit. It isn't required if the
    operator has named another one.
    """
    from websockets.exceptions import WebSocketException

    from tabletop.net.guest.dial import (
        CERTIFICATE_CHANGED,
        UNREACHABLE,
        WrongCertificate,
        dial,
        peer_fingerprint,
    )
    from tabletop.net.guest.wrong_host import OTHER_HOST

    place, invited = sessions.place, bool(sessions.place.fingerprint)
    try:
        socket = await dial(place if invited else replace(place, fingerprint=learned))
    except WrongCertificate as error:
        if sessions.trusts(error.fingerprint):
            return
        why = OTHER_HOST if invited else CERTIFICATE_CHANGED
        _print(f"trouble {Words('en')(why.text, place=place.name)}")
        log.warning(OTHER_CERTIFICATE, error.fingerprint, error.fingerprint)
    except (OSError, TimeoutError, WebSocketException):
        _print(f"trouble {Words('en')(UNREACHABLE.text, place=place.name)}")
    else:
        sessions.trusts(peer_fingerprint(socket))
        await socket.close()


async def _wait_for_parent_exit() -> None:
    """Wait until standard input is closed, which means that the parent process has ended."""
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
    """Print lines for the parent process, ignoring a closed pipe."""
    with suppress(OSError, ValueError):
        print(line, flush=True)

"""Trust of the command line in a server's certificate: named, met before, or agreed to."""

import asyncio
import sys
from collections.abc import Coroutine
from typing import Any, TypeVar

from msgspec.structs import replace
from websockets.exceptions import WebSocketException

from tabletop.commands.arguments import UsageError, refuse
from tabletop.engine.model import Reason
from tabletop.files import folders
from tabletop.home.known_hosts import KnownHosts
from tabletop.language.words import Words
from tabletop.net.guest.dial import (
    CERTIFICATE_CHANGED,
    NO_HOST,
    UNREACHABLE,
    WrongCertificate,
    dial,
    peer_fingerprint,
    with_host_name,
)
from tabletop.protocol.invitation import Address, BadInvitation, parse_server

Answer = TypeVar("Answer")
HERE = ("localhost", "127.0.0.1", "::1")
DIGITS = 64
"""The digits of a fingerprint: a SHA-256 as hexadecimal text."""


def server_place(typed: str, fingerprint: str = "") -> Address:
    """The server at a typed address, with the certificate that it must show.

    An unknown server is confirmed on a terminal; without one it has to be named.

    Raises:
        UsageError: it isn't an address, nobody answers there, or its certificate isn't trusted.
    """
    try:
        place = parse_server(typed)
    except BadInvitation as error:
        raise UsageError(str(error)) from error
    known = KnownHosts(folders.known_hosts())
    if fingerprint:
        return replace(place, fingerprint=_read(fingerprint))
    if before := known.fingerprint_of(place.name):
        return replace(place, fingerprint=before)
    try:
        shown_there = asyncio.run(_shown_at(place))
    except WebSocketException as error:
        raise UsageError(NO_HOST.text.format(place=place.name)) from error
    except (OSError, TimeoutError) as error:
        raise UsageError(UNREACHABLE.text.format(place=place.name)) from error
    if place.hosts[0] not in HERE and not _ask_trust(place, shown_there):
        raise UsageError("Nothing was said to the server: its certificate is not trusted.")
    known.trust(place.name, shown_there)
    return replace(place, fingerprint=shown_there)


def answer_of(place: Address, question: Coroutine[Any, Any, Answer | Reason]) -> Answer | None:
    """The server's answer; None, after the reason was printed, where there is none."""
    try:
        answer = asyncio.run(question)
    except WrongCertificate:
        answer = with_host_name(CERTIFICATE_CHANGED, place)
    if isinstance(answer, Reason):
        refuse(Words("en").reason(answer))
        return None
    return answer


def _read(fingerprint: str) -> str:
    digits = fingerprint.replace(":", "").replace(" ", "").lower()
    if len(digits) != DIGITS or any(sign not in "0123456789abcdef" for sign in digits):
        raise UsageError(f"A fingerprint has {DIGITS} hexadecimal digits.")
    return digits


async def _shown_at(place: Address) -> str:
    line = await dial(place)
    fingerprint = peer_fingerprint(line)
    await line.close()
    return fingerprint


def _ask_trust(place: Address, fingerprint: str) -> bool:
    if not (sys.stdin and sys.stdin.isatty()):
        raise UsageError(
            f'"{place.name}" was not met before. If its certificate is {fingerprint}, '
            f"say --fingerprint {fingerprint}"
        )
    print(
        f'"{place.name}" was not met before. The fingerprint of its certificate is\n  {fingerprint}'
    )
    return input("Is that the server you mean? [y/N] ").strip().lower() in ("y", "yes")

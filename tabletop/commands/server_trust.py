"""Verification of a server's certificate on the command line.

The expected fingerprint is given as an option, already known, or confirmed by the user.
"""

import asyncio
import sys
from collections.abc import Collection, Coroutine
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
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
FINGERPRINT_DIGITS = 64
"""The number of hexadecimal digits in a fingerprint, which is a SHA-256 hash."""


def trusted_server(typed: str, fingerprint: str = "", vouched: Collection[str] = ()) -> Address:
    """Return the address of the server `typed`, with its expected certificate fingerprint.

    The user is asked in the terminal to confirm an unknown server's certificate. Without a
    terminal, `fingerprint` is required. Certificates with a `vouched` fingerprint need no question.

    Raises:
        UsageError: `typed` isn't an address, no server answers, or its certificate isn't trusted.
    """
    try:
        place = parse_server(typed)
    except BadInvitation as error:
        raise UsageError(str(error)) from error
    known = KnownHosts(folders.known_hosts())
    if fingerprint:
        return replace(place, fingerprint=parse_fingerprint(fingerprint))
    if before := known.fingerprint_of(place.name):
        return replace(place, fingerprint=before)
    try:
        shown_fingerprint = asyncio.run(_fetch_fingerprint(place))
    except WebSocketException as error:
        raise UsageError(NO_HOST.text.format(place=place.name)) from error
    except (OSError, TimeoutError) as error:
        raise UsageError(UNREACHABLE.text.format(place=place.name)) from error
    known_here = place.hosts[0] in LOOPBACK_NAMES or shown_fingerprint in vouched
    if not known_here and not _ask_trust(place, shown_fingerprint):
        raise UsageError("Nothing was said to the server: its certificate is not trusted.")
    known.trust(place.name, shown_fingerprint)
    return replace(place, fingerprint=shown_fingerprint)


def run_query(place: Address, question: Coroutine[Any, Any, Answer | Reason]) -> Answer | None:
    """Run `question` and return the server's answer; if it fails, print why and return None."""
    try:
        answer = asyncio.run(question)
    except WrongCertificate:
        answer = with_host_name(CERTIFICATE_CHANGED, place)
    if isinstance(answer, Reason):
        refuse(Words("en").reason(answer))
        return None
    return answer


def parse_fingerprint(fingerprint: str) -> str:
    """Return the fingerprint that the user typed as lower-case digits.

    Raises:
        UsageError: the text isn't a fingerprint.
    """
    digits = fingerprint.replace(":", "").replace(" ", "").lower()
    if len(digits) != FINGERPRINT_DIGITS or any(sign not in "0123456789abcdef" for sign in digits):
        raise UsageError(f"A fingerprint has {FINGERPRINT_DIGITS} hexadecimal digits.")
    return digits


async def _fetch_fingerprint(place: Address) -> str:
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

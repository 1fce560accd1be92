"""Invitations to a table: a code of six characters, or a link that holds everything.

The code is read aloud; it lets guests in and opens no seat. Fourteen of its thirty bits may hint at
the host's address, so that on a small network the code alone finds the way even where computers
cannot announce themselves; the other sixteen nobody can guess within the few attempts that a host
allows.
"""

import re
import secrets
from ipaddress import IPv4Address, ip_address
from urllib.parse import parse_qs, urlencode, urlsplit

from msgspec import Struct

from tabletop.engine.model import Reason
from tabletop.text.phrases import filled

PORT = 18920
"""The port of a host, or the next free port after it."""
SIGNS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""No 0 O 1 I: thirty-two characters that cannot be mistaken for one another."""
LENGTH = 6
SCHEME = "tabletop"
CODE = re.compile(f"[{SIGNS}]{{{LENGTH}}}")
SLOTS = 64
"""A code can hint at this many ports from PORT on; the last means: some other port."""
_MIXED = 0x2B5AD39
_ZONE = re.compile("%25(?=.)")
"""A link's spelling of the % before the network of a link-local address (RFC 6874)."""


class BadInvitation(ValueError):
    """A text that is neither a link nor an address."""

    def __init__(self, text: str, /, **args: str) -> None:
        super().__init__(filled(text, args))
        self.reason = Reason(text, dict(args))


class Address(Struct, frozen=True):
    """A host's location: addresses that are tried in turn, and the certificate it must show."""

    hosts: tuple[str, ...]
    port: int = PORT
    fingerprint: str = ""
    """Empty: the first one that it shows is trusted, and must stay the same."""
    slot: int = -1
    """Which of several servers behind one address is meant (`slot_of` a code); -1 for any."""

    @property
    def label(self) -> str:
        """The server name of the TLS handshake (SNI), readable by a proxy that leads to several
        servers."""
        return f"{self.slot}.{SCHEME}" if self.slot >= 0 else SCHEME

    @property
    def name(self) -> str:
        """The place as a person reads it."""
        return f"{bracketed(self.hosts[0])}:{self.port}" if self.hosts else ""


class InviteLink(Struct, frozen=True):
    """All that a guest needs to join a table; unknown parts are empty.

    `claim` is the secret that reserves `seat`.
    """

    host: str
    port: int = PORT
    table: str = ""
    code: str = ""
    fingerprint: str = ""
    seat: int = -1
    claim: str = ""


def new_code(address: str = "", port: int = 0) -> str:
    """A new code; given an IPv4 address and port of the host, one that hints at them."""
    number = secrets.randbits(30)
    slot = port - PORT if 0 <= port - PORT < SLOTS - 1 else SLOTS - 1
    if address:
        last = int(IPv4Address(address)) & 0xFF
        number = ((number >> 14) << 14 | slot << 8 | last) ^ _mask(number >> 14)
    return "".join(SIGNS[number >> shift & 31] for shift in range(25, -1, -5))


def read_code(text: str) -> str:
    """The code as the host knows it: what was typed, in capitals and without gaps.

    Raises:
        BadInvitation: it is none.
    """
    code = as_written(text)
    if len(code) != LENGTH or any(sign not in SIGNS for sign in code):
        raise BadInvitation("A code has six characters, like {example}.", example="K7MPQ2")
    return code


def as_written(text: str) -> str:
    """Normalise a typed code: in capitals and without gaps."""
    return "".join(text.upper().split()).replace("-", "")


def slot_of(code: str) -> int:
    """The port from PORT on of the host of this code; -1 without a code. It reveals none of the
    secret bits."""
    return _hint(code) >> 8 if code else -1


def hinted(code: str, here: str) -> tuple[str, int] | None:
    """The address and port that a code may hint at, seen from a computer whose own IPv4 address is
    `here`."""
    slot, last = slot_of(code), _hint(code) & 0xFF
    if slot == SLOTS - 1:
        return None
    return str(IPv4Address(int(IPv4Address(here)) & ~0xFF | last)), PORT + slot


def _hint(code: str) -> int:
    number = 0
    for sign in code:
        number = number << 5 | SIGNS.index(sign)
    return (number ^ _mask(number >> 14)) & 0x3FFF


def _mask(secret: int) -> int:
    """Hides the hint, so that two codes of one host do not look alike."""
    return (secret * _MIXED >> 7) & 0x3FFF


def bracketed(host: str) -> str:
    """A host in the form for a port after it: an IPv6 address in brackets."""
    try:
        return f"[{host}]" if ip_address(host.partition("%")[0]).version == 6 else host
    except ValueError:
        return host


def format_link(link: InviteLink) -> str:
    """The link as text: tabletop://host:port/table?code=...&fp=..."""
    host = bracketed(link.host.replace("%", "%25"))
    words = {"code": link.code, "fp": link.fingerprint}
    if link.claim:
        words |= {"seat": str(link.seat), "key": link.claim}
    query = urlencode({word: value for word, value in words.items() if value})
    return f"{SCHEME}://{host}:{link.port}/{link.table}" + (f"?{query}" if query else "")


def read_link(text: str) -> InviteLink:
    """The link, or the address `host`, `host:port` or `[v6]:port`, that somebody typed or pasted.

    Raises:
        BadInvitation: it is neither.
    """
    typed = text.strip()
    whole = typed if typed.startswith(f"{SCHEME}://") else f"{SCHEME}://{bracketed(typed)}"
    try:
        parts = urlsplit(whole)
        host, port = _ZONE.sub("%", parts.hostname or ""), parts.port
        words = {word: values[-1] for word, values in parse_qs(parts.query).items()}
        code = read_code(words["code"]) if "code" in words else ""
        seat = int(words.get("seat", "-1"))
    except ValueError as error:
        raise BadInvitation(
            '"{text}" isn\'t an address or an invitation.', text=typed[:80]
        ) from error
    if not host or parts.username or any(not c.isprintable() or c.isspace() for c in whole):
        raise BadInvitation('"{text}" isn\'t an address or an invitation.', text=typed[:80])
    return InviteLink(
        host,
        PORT if port is None else port,
        parts.path.strip("/"),
        code,
        words.get("fp", "").lower(),
        seat,
        words.get("key", ""),
    )


def read_invitation(text: str) -> InviteLink:
    """Read an invitation: a link, an address, or a code alone, whose link has no host.

    Raises:
        BadInvitation: it is none of these.
    """
    try:
        return InviteLink("", code=read_code(text))
    except BadInvitation:
        return read_link(text)

"""Invitations to a table: a code of six characters, or a link that holds everything.

The code is read aloud; it lets guests in and opens no seat. Fourteen of its thirty bits may hint at
the host's address, so that on a small network the code alone finds the way even where computers
cannot announce themselves; the other sixteen nobody can guess within the few attempts that a host
allows.
"""

import re
import secrets
import unicodedata
from contextlib import suppress
from ipaddress import IPv4Address, ip_address
from urllib.parse import SplitResult, parse_qs, unquote, urlencode, urlsplit

from msgspec import Struct
from msgspec.structs import replace

from tabletop.engine.model import Reason
from tabletop.text.normalisation import TooManyMarks, normalise
from tabletop.text.phrases import fill_gaps

DEFAULT_PORT = 18920
"""The port of a host, or the next free port after it."""
CODE_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""No 0 O 1 I: thirty-two characters that cannot be mistaken for one another."""
CODE_LENGTH = 6
MAX_TEXT_CHARACTERS = 10_000
"""Characters of a text that are searched for an invitation: those of a long mail."""
_MAX_ENCODINGS = 8
"""How often a link is decoded that others have encoded, each time within the next."""
SCHEME = "tabletop"
CODE = re.compile(f"[{CODE_ALPHABET}]{{{CODE_LENGTH}}}")
MAX_EXTRA_ADDRESSES = 3
"""Addresses in a link besides the first; more would only make its picture harder to read."""
PORT_SLOTS = 64
"""A code can hint at this many ports from PORT on; the last means: some other port."""
_MIXED = 0x2B5AD39
_UNUSED_SIGNS = "0O1I"
"""Not in CODE_ALPHABET. Somebody who types one of them has misread the code."""
_MISREAD = re.compile(
    rf"(?=.*[{_UNUSED_SIGNS}])(?=.*\d)[{CODE_ALPHABET}{_UNUSED_SIGNS}]{{{CODE_LENGTH}}}"
)
_GAPS = "-\u2212\u30fc\"'"
"""Characters that people write in or around a code, besides spaces, brackets, quotes and dashes:
hyphen, minus, the long vowel of a Japanese keyboard, straight quotes."""
_IN_TEXT = re.compile(
    rf"(?:{SCHEME}|https?)://(?:[\w.:%\[\]-]+(?=/))?(?:(?a:\w)|[.~:/?#\[\]@%&=+$-])+", re.IGNORECASE
)
"""A link within a sentence: all characters that `format_link` writes for a table of this program;
the name of a host may have letters of any language."""
_COLON = rf"(?:{SCHEME}|https?)(?:%(?:25)*3a|:%(?:25)*2f)"
"""The start of a link whose colon, or what follows it, was encoded."""
_IN_OTHER_LINK = re.compile(rf"(?<=\S)(?:{SCHEME}://|{_COLON})", re.IGNORECASE)
"""The start of a link within another one, as programs write it that check links first."""
_ENCODED = re.compile(
    rf"{_COLON}[^\s&]+|{SCHEME}://[^\s?&]*%(?:25)*(?:2f|3a|3f)[^\s&]+",
    re.IGNORECASE,
)
"""A link, or its end, with % for the signs that part it. The link around it goes on with an &."""
_BESIDE_CODE = ".,;:!?<>*`~_/#\u3001\u3002\u2026"
"""Characters that a sentence or a chat has at either end of a code."""
_AROUND = ("Pd", "Ps", "Pe", "Pi", "Pf")
"""Categories of dashes, brackets and quotes."""
_AFTER_LINK = ".:?"
"""Characters that end a sentence but no link."""
_PLACE_IN_TEXT = re.compile(
    r"(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?|\[[0-9a-f:.]+(?:%\w+)?\](?::\d{1,5})?)(?![\w:])",
    re.ASCII | re.IGNORECASE,
)
_NAME_IN_TEXT = re.compile(
    r"(?:(?<=://)|(?<![\w.:/@-]))(?:(?:[a-z0-9-]+\.)+[a-z]{2,}|localhost)(?::\d{1,5})?(?![\w:@]|[/.-]\w)",
    re.ASCII,
)
"""In small letters; with a dot, unless it is this computer."""
_CODE_IN_TEXT = re.compile(
    rf"(?<![^\W_])(?:[{CODE_ALPHABET}]{{{CODE_LENGTH}}}"
    rf"|[{CODE_ALPHABET}]{{3}}[ -][{CODE_ALPHABET}]{{3}})(?![^\W_])",
    re.ASCII,
)
"""In capitals, as hosts show it. Japanese may go on at either side without a space."""
_BEFORE_WORD = re.compile(r"^[^\w\[:]+")
"""What may stand before an address or a code: quotes, brackets, marks of emphasis."""
_AFTER_WORD = re.compile(r"[^\w\]:/]+$")
"""What may stand after an address or a code: the same, and the end of the sentence."""
_STOP_IN_NUMBER = re.compile(r"(?<=\d)\u3002(?=\d)")
"""The Japanese full stop that a keyboard writes for the dot of an address."""
_SPACED_COLON = re.compile(r"(?<=[\w\]])\s*:\s*(?=\d)")
_PORT_IN_TEXT = re.compile(r"(?<![\w.])\d{5}(?![\w.:])", re.ASCII)
"""A port written separately from its address."""
_NAME = re.compile(r"(?=.{1,253}$)(?:(?!-)[\w-]{1,63}(?<!-)[.\u3002])*(?!-|\d+$)[\w-]{1,63}(?<!-)")
"""The name of a computer. One that ends with a number is an address that isn't whole: the system
would fill it up, and ask another computer."""
_ZONE = re.compile("%25(?=.)")
"""A link's spelling of the % before the network of a link-local address (RFC 6874)."""
_FINGERPRINT = re.compile("[0-9a-f]{64}")


class BadInvitation(ValueError):
    """A text that is neither a link nor an address."""

    def __init__(self, text: str, /, **args: str) -> None:
        super().__init__(fill_gaps(text, args))
        self.reason = Reason(text, dict(args))


class Address(Struct, frozen=True):
    """A host's location: its addresses, and the certificate it must show."""

    hosts: tuple[str, ...]
    """The addresses: names or numbers."""
    port: int = DEFAULT_PORT
    """The port, the same at all addresses."""
    fingerprint: str = ""
    """The fingerprint of its certificate. Empty: the first one that it shows is trusted, and must
    stay the same."""
    slot: int = -1
    """Which of several servers behind one address is meant (`port_slot` a code); -1 for any."""

    @property
    def label(self) -> str:
        """The server name of the TLS handshake (SNI), readable by a proxy that leads to several
        servers."""
        return f"{self.slot}.{SCHEME}" if self.slot >= 0 else SCHEME

    @property
    def name(self) -> str:
        """The place as a person reads it."""
        return f"{bracket_ipv6(self.hosts[0])}:{self.port}" if self.hosts else ""


class InviteLink(Struct, frozen=True):
    """All that a guest needs to join a table; unknown parts are empty."""

    host: str
    """The first address of the host."""
    port: int = DEFAULT_PORT
    """The port at all addresses."""
    table: str = ""
    """The id of the table."""
    code: str = ""
    """The code for joining it."""
    fingerprint: str = ""
    """The fingerprint of the host's certificate."""
    seat: int = -1
    """The reserved seat; -1 for any."""
    claim: str = ""
    """The secret that reserves the seat."""
    more: tuple[str, ...] = ()
    """Other addresses of the host, with the same port. Older programs skip them."""


def addresses_in(link: InviteLink) -> tuple[Address, ...]:
    """The place that a link leads to; none for a code alone."""
    hosts = (link.host, *link.more)
    place = Address(hosts, link.port, link.fingerprint, port_slot(link.code))
    return (place,) if link.host else ()


def generate_code(address: str = "", port: int = 0) -> str:
    """A new code; given an IPv4 address and port of the host, one that hints at them."""
    number = secrets.randbits(30)
    slot = port - DEFAULT_PORT if 0 <= port - DEFAULT_PORT < PORT_SLOTS - 1 else PORT_SLOTS - 1
    if address:
        last = int(IPv4Address(address)) & 0xFF
        number = ((number >> 14) << 14 | slot << 8 | last) ^ _mask(number >> 14)
    return "".join(CODE_ALPHABET[number >> shift & 31] for shift in range(25, -1, -5))


def parse_code(text: str) -> str:
    """The code as the host knows it: what was typed, in capitals and without gaps.

    Raises:
        BadInvitation: it is none.
    """
    code = normalise_code(text).strip(_BESIDE_CODE)
    if len(code) == CODE_LENGTH and all(sign in CODE_ALPHABET + _UNUSED_SIGNS for sign in code):
        misread = next((sign for sign in code if sign in _UNUSED_SIGNS), "")
        if misread:
            raise BadInvitation(
                "A code never has “{sign}”: 0, O, 1 and I aren't used. Look at it again.",
                sign=misread,
            )
    if len(code) != CODE_LENGTH or any(sign not in CODE_ALPHABET for sign in code):
        raise BadInvitation("A code has six characters, like {example}.", example="K7MPQ2")
    return code


def extract_code(text: str) -> str:
    """The code of an invitation in any form.

    Raises:
        BadInvitation: it has none.
    """
    try:
        code = parse_invitation(text).code
    except BadInvitation:
        if has_link(text):
            raise
        code = ""  # the person meant it as a code
    return code or parse_code(text)


def has_link(text: str) -> bool:
    """Whether there is a link in a text, and not only an address or a code."""
    with suppress(BadInvitation):
        return "://" in _plain_form(text)
    return False


def has_invitation(text: str) -> bool:
    """Whether there is an invitation in a text: a link, even one that isn't whole, or a code."""
    with suppress(BadInvitation):
        if f"{SCHEME}://" in _plain_form(text).lower():
            return True
        return bool(parse_invitation(text).code)
    return False


def normalise_code(text: str) -> str:
    """Normalise a typed code: in plain capitals, without gaps, brackets and quotes. It is empty if
    the text can't be an invitation."""
    with suppress(BadInvitation):
        return "".join(sign for sign in _plain_form(text).upper() if not _is_gap(sign))
    return ""


def _is_gap(sign: str) -> bool:
    return sign in _GAPS or sign.isspace() or unicodedata.category(sign) in _AROUND


def _plain_form(text: str) -> str:
    """A text without full-width forms of Latin letters, digits and punctuation, and without
    invisible characters, which chats put around a link.

    Raises:
        BadInvitation: it isn't written in any language.
    """
    try:
        plain = normalise("NFKC", text, MAX_TEXT_CHARACTERS)
    except TooManyMarks as error:
        raise _no_invitation(text) from error
    plain = "".join(sign for sign in plain if unicodedata.category(sign) != "Cf")
    plain = _ENCODED.sub(_decode, _IN_OTHER_LINK.sub(r" \g<0>", plain))
    return _SPACED_COLON.sub(":", _STOP_IN_NUMBER.sub(".", plain)).strip()


def _decode(encoded: re.Match[str]) -> str:
    """A link as it was before others encoded it, perhaps more than once. What it encodes itself
    stands after its question mark."""
    link = encoded[0]
    for _ in range(_MAX_ENCODINGS):
        if not _ENCODED.match(link):
            break
        link = unquote(link)
    return f"{link} "


def port_slot(code: str) -> int:
    """The port from PORT on of the host of this code; -1 without a code. It reveals none of the
    secret bits."""
    return _decode_hint(code) >> 8 if code else -1


def hinted_address(code: str, here: str) -> tuple[str, int] | None:
    """The address and port that a code may hint at, seen from a computer whose own IPv4 address is
    `here`."""
    slot, last = port_slot(code), _decode_hint(code) & 0xFF
    if slot == PORT_SLOTS - 1:
        return None
    return str(IPv4Address(int(IPv4Address(here)) & ~0xFF | last)), DEFAULT_PORT + slot


def _decode_hint(code: str) -> int:
    number = 0
    for sign in code:
        number = number << 5 | CODE_ALPHABET.index(sign)
    return (number ^ _mask(number >> 14)) & 0x3FFF


def _mask(secret: int) -> int:
    """Hides the hint, so that two codes of one host do not look alike."""
    return (secret * _MIXED >> 7) & 0x3FFF


def bracket_ipv6(host: str) -> str:
    """A host in the form for a port after it: an IPv6 address in brackets."""
    try:
        return f"[{host}]" if ip_address(host.partition("%")[0]).version == 6 else host
    except ValueError:
        return host


def format_link(link: InviteLink) -> str:
    """The link as text: tabletop://host:port/table?code=...&fp=..."""
    place = f"{bracket_ipv6(link.host.replace('%', '%25'))}:{link.port}" if link.host else ""
    words = {"code": link.code, "fp": link.fingerprint}
    if link.claim:
        words |= {"seat": str(link.seat), "key": link.claim}
    more = [("at", host) for host in link.more if link.host]
    query = urlencode([*((word, value) for word, value in words.items() if value), *more])
    return f"{SCHEME}://{place}/{link.table}" + (f"?{query}" if query else "")


def parse_link(text: str) -> InviteLink:
    """The link, or the address `host`, `host:port` or `[v6]:port`, that somebody typed or pasted.

    Raises:
        BadInvitation: it is neither.
    """
    link = _read_link(text)
    if not link.host:
        raise _no_invitation(text)
    return link


def _read_link(text: str) -> InviteLink:
    """The same; a link with a code may be without a host."""
    typed = _plain_form(text)
    scheme, found, rest = typed.partition("://")
    is_link = scheme.lower() == SCHEME and bool(found)
    if found and not is_link:
        raise _no_invitation(typed)
    whole = f"{SCHEME}://{rest if is_link else _with_brackets(typed)}"
    try:
        parts = urlsplit(whole)
        host, port = _ZONE.sub("%", parts.hostname or ""), _port_in(parts.netloc)
        given = parse_qs(parts.query)
        words = {word: values[-1] for word, values in given.items()}
        code = parse_code(words["code"]) if "code" in words else ""
        seat = int(words.get("seat", "-1"))
    except ValueError as error:
        raise _no_invitation(typed) from error
    if not 0 < port < 1 << 16:
        raise BadInvitation("A port is a number from 1 to 65535.")
    lost = not _is_host(host) if host else not code or parts.netloc
    if lost or parts.username or any(not c.isprintable() or c.isspace() for c in whole):
        raise _no_invitation(typed)
    fingerprint = words.get("fp", "").lower()
    if fingerprint and not _FINGERPRINT.fullmatch(fingerprint):
        raise BadInvitation("The link isn't whole. Copy it again, from its beginning to its end.")
    return InviteLink(
        host,
        port,
        parts.path.strip("/"),
        code,
        fingerprint,
        seat,
        words.get("key", ""),
        tuple(filter(_is_address, given.get("at", ())[:MAX_EXTRA_ADDRESSES])) if host else (),
    )


def _no_invitation(text: str) -> BadInvitation:
    return BadInvitation('"{text}" isn\'t an address or an invitation.', text=text.strip()[:80])


def _with_brackets(typed: str) -> str:
    """A typed place: an IPv6 address gets the brackets that a link has, whether a port follows or
    not."""
    place = _AFTER_WORD.sub("", _BEFORE_WORD.sub("", typed))
    if _is_ipv6(place):
        return f"[{place}]"
    host, _, port = place.rpartition(":")
    return f"[{host}]:{port}" if _is_ipv6(host) else place


def _is_ipv6(text: str) -> bool:
    bare, _, zone = text.partition("%")
    return ":" in bare and ":" not in zone and _is_address(bare)


def _port_in(netloc: str) -> int:
    """The port behind a host; none is the usual one.

    Raises:
        ValueError: it is no number.
    """
    text = netloc.rpartition("]")[2].partition(":")[2]
    return int(text) if text else DEFAULT_PORT


def _is_host(host: str) -> bool:
    """Whether it is an address, or can be the name of a computer."""
    with suppress(ValueError):
        return bool(ip_address(host))
    with suppress(UnicodeError):
        return _NAME.fullmatch(host) is not None and bool(host.isascii() or host.encode("idna"))
    return False


def _is_address(text: str) -> bool:
    bare = text.partition("%")[0]
    with suppress(ValueError):
        return text.isascii() and bool(ip_address(bare))
    return False


def parse_address_or_invitation(text: str) -> InviteLink:
    """Read what was typed where an address belongs: an address, whose name may look like a code, or
    an invitation in any form.

    Raises:
        BadInvitation: it is neither.
    """
    try:
        return parse_link(text)
    except BadInvitation:
        return parse_invitation(text)


def parse_server(text: str) -> Address:
    """Read the server that was typed where an address belongs.

    Raises:
        BadInvitation: the text names none.
    """
    link = parse_address_or_invitation(text)
    if not link.host:
        raise _no_invitation(text)
    return Address((link.host,), link.port)


def parse_invitation(text: str) -> InviteLink:
    """Read an invitation: a link, an address, or a code alone, whose link has no host. A sentence
    may be around it, as in a message of a chat.

    Raises:
        BadInvitation: it is none of these.
    """
    with suppress(BadInvitation):
        return InviteLink("", code=parse_code(text))
    if _MISREAD.fullmatch(normalise_code(text)) and text == text.upper():
        parse_code(text)
    plain = _plain_form(text).replace("&amp;", "&")
    links = [_cut_end(link) for link in _IN_TEXT.findall(plain)]
    for link in sorted(links, key=lambda each: not each.lower().startswith(SCHEME)):
        if link.lower().startswith(SCHEME):
            return _read_wrapped(plain) or _read_link(link)
        if fragment := _split_address(link).fragment:  # a link for phones, which ends with the code
            return InviteLink("", code=parse_code(fragment))
        if link == _cut_end(plain):  # the address of a web page
            return parse_link(_split_address(link).netloc)
    if plain.isascii() and not any(sign.isspace() for sign in plain):
        with suppress(BadInvitation):
            return parse_link(plain)
    places = dict.fromkeys(_PLACE_IN_TEXT.findall(plain))
    codes = _codes_in(plain)
    names = dict.fromkeys(_NAME_IN_TEXT.findall(plain))
    if not places and len(names) == 1:
        places = names
    if len(places) > 1 or len(codes) > 1 or not (places or codes):
        return parse_link(plain)
    at = parse_link(*places) if places else InviteLink("")
    ports = _PORT_IN_TEXT.findall(plain)
    if places and len(ports) == 1 and not _port_follows(*places):
        at = parse_link(f"{bracket_ipv6(at.host)}:{ports[0]}")
    return replace(at, code=next(iter(codes), ""))


def _split_address(link: str) -> SplitResult:
    """Return the parts of a web address.

    Raises:
        BadInvitation: it isn't whole.
    """
    try:
        return urlsplit(link)
    except ValueError as error:
        raise _no_invitation(link) from error


def _read_wrapped(text: str) -> InviteLink | None:
    """The link that a text is when its lines are put together, as a mail has wrapped it; None where
    the link within is whole, or where they make none."""
    first, *rest = text.split()
    if not rest or not first.lower().startswith(SCHEME):
        return None
    with suppress(BadInvitation):
        if _read_link(first).fingerprint:
            return None
    with suppress(BadInvitation):
        link = _read_link(_cut_end("".join((first, *rest))))
        return link if link.fingerprint else None
    return None


def _port_follows(place: str) -> bool:
    return ":" in place.rpartition("]")[2]


def _cut_end(link: str) -> str:
    """A link without what ends the sentence around it."""
    link = link.rstrip(_AFTER_LINK)
    while link.endswith("]") and link.count("]") > link.count("["):
        link = link[:-1].rstrip(_AFTER_LINK)
    return link


def _codes_in(text: str) -> set[str]:
    """The codes within a sentence. A word may look like one: a code with a digit comes first, and
    one in small letters last."""
    found = {normalise_code(code) for code in _CODE_IN_TEXT.findall(text)}
    capitals = {code for code in found if not code.isalpha()} or found
    small = {normalise_code(code) for code in _CODE_IN_TEXT.findall(text.upper())}
    return capitals or {code for code in small if not code.isalpha()}

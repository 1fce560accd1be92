"""Invitations to a table: a code of six characters, or a link that contains everything.

A code is made to be read aloud. It admits to a table, but doesn't reserve a seat. Fourteen of its
thirty bits may hint at the host's address, so that on a small network the code alone leads to the
host even if computers can't announce themselves. The other sixteen bits are secret; a host allows
too few attempts to guess them.
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
"""The default port of a host. If it is taken, the host uses the next free port."""
CODE_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""The 32 characters of codes: digits and letters without 0, O, 1 and I,
which are easily confused.
"""
CODE_LENGTH = 6
MAX_TEXT_CHARACTERS = 10_000
"""The maximum number of characters searched for an invitation, enough for a long mail."""
_MAX_ENCODINGS = 8
"""How many nested percent-encodings of a link are decoded at most."""
SCHEME = "tabletop"
CODE = re.compile(f"[{CODE_ALPHABET}]{{{CODE_LENGTH}}}")
MAX_EXTRA_ADDRESSES = 3
"""The maximum number of further addresses in a link. More would make its QR code harder to scan."""
PORT_SLOTS = 64
"""The number of port slots in a code. Slot n stands for port `DEFAULT_PORT` + n; the last slot
stands for any other port.
"""
_MASK_MULTIPLIER = 0x2B5AD39
_MISREAD_CHARACTERS = "0O1I"
"""Characters outside the alphabet that users type when they misread a code."""
_MISREAD_CODE = re.compile(
    rf"(?=.*[{_MISREAD_CHARACTERS}])(?=.*\d)[{CODE_ALPHABET}{_MISREAD_CHARACTERS}]{{{CODE_LENGTH}}}"
)
_IGNORED_CHARACTERS = "-\u2212\u30fc\"'"
"""Characters that users write in or around a code, besides spaces, brackets, quotes and dashes:
hyphen, minus, the long vowel mark of Japanese keyboards, straight quotes.
"""
_LINK_IN_TEXT = re.compile(
    rf"(?:{SCHEME}|https?)://(?:[\w.:%\[\]-]+(?=/))?(?:(?a:\w)|[.~:/?#\[\]@%&=+$-])+", re.IGNORECASE
)
"""A link within a sentence, with every character that `format_link` produces. Host names may have
letters of any language.
"""
_ENCODED_SCHEME = rf"(?:{SCHEME}|https?)(?:%(?:25)*3a|:%(?:25)*2f)"
"""The start of a link whose colon or slashes are percent-encoded."""
_NESTED_LINK = re.compile(rf"(?<=\S)(?:{SCHEME}://|{_ENCODED_SCHEME})", re.IGNORECASE)
"""The start of a link inside another link, as link checkers rewrite links."""
_ENCODED_LINK = re.compile(
    rf"{_ENCODED_SCHEME}[^\s&]+|{SCHEME}://[^\s?&]*%(?:25)*(?:2f|3a|3f)[^\s&]+",
    re.IGNORECASE,
)
"""A link, or its end, with percent-encoded separators.
An "&" ends the link and continues the outer one.
"""
_PUNCTUATION_AT_CODE = ".,;:!?<>*`~_/#\u3001\u3002\u2026"
"""Punctuation that a sentence or a chat program adds before or after a code."""
_IGNORED_CATEGORIES = ("Pd", "Ps", "Pe", "Pi", "Pf")
"""Unicode categories of dashes, brackets and quotes."""
_PUNCTUATION_AFTER_LINK = ".:?"
"""Punctuation that ends a sentence but never a link."""
_ADDRESS_IN_TEXT = re.compile(
    r"(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?|\[[0-9a-f:.]+(?:%\w+)?\](?::\d{1,5})?)(?![\w:])",
    re.ASCII | re.IGNORECASE,
)
_HOST_NAME_IN_TEXT = re.compile(
    r"(?:(?<=://)|(?<![\w.:/@-]))(?:(?:[a-z0-9-]+\.)+[a-z]{2,}|localhost)(?::\d{1,5})?(?![\w:@]|[/.-]\w)",
    re.ASCII,
)
"""A host name in lower case, with a dot unless it is "localhost"."""
_CODE_IN_TEXT = re.compile(
    rf"(?<![^\W_])(?:[{CODE_ALPHABET}]{{{CODE_LENGTH}}}"
    rf"|[{CODE_ALPHABET}]{{3}}[ -][{CODE_ALPHABET}]{{3}})(?![^\W_])",
    re.ASCII,
)
"""A code in capitals, as hosts show codes. Japanese text may follow or precede
the code without a space.
"""
_CODE_IN_PAGE_LINK = re.compile(
    rf"(?:(?:#|%23)([{CODE_ALPHABET}]{{{CODE_LENGTH}}})(?!\w)|^([{CODE_ALPHABET}]{{{CODE_LENGTH}}})(?=[?&]))"
    r"(?:[?&/]\S*)?",
    re.ASCII | re.IGNORECASE,
)
"""The code in a link to a phone's page, or the link's end. Other apps encode the # and append
parameters of their own.
"""
_PUNCTUATION_BEFORE = re.compile(r"^[^\w\[:]+")
"""Quotes, brackets and emphasis marks before an address or a code."""
_PUNCTUATION_AFTER = re.compile(r"[^\w\]:/]+$")
"""Quotes, brackets, emphasis marks and sentence punctuation after an address or a code."""
_IDEOGRAPHIC_STOP_IN_NUMBER = re.compile(r"(?<=\d)\u3002(?=\d)")
"""The Japanese full stop that some keyboards produce in place of the dots of an IP address."""
_SPACED_COLON = re.compile(r"(?<=[\w\]])\s*:\s*(?=\d)")
_PORT_IN_TEXT = re.compile(r"(?<![\w.])\d{5}(?![\w.:])", re.ASCII)
"""A port written separately from its address."""
_HOST_NAME = re.compile(
    r"(?=.{1,253}$)(?:(?!-)[\w-]{1,63}(?<!-)[.\u3002])*(?!-|\d+$)[\w-]{1,63}(?<!-)"
)
"""A host name. Names that end with a number are incomplete IP addresses: the system would fill in
the rest and contact another computer.
"""
_ENCODED_ZONE = re.compile("%25(?=.)")
"""A percent sign, encoded in a link, before the zone of a link-local address (RFC 6874)."""
_FINGERPRINT = re.compile("[0-9a-f]{64}")


class BadInvitation(ValueError):
    """Raised if a text isn't a valid invitation or address. `reason` says why."""

    def __init__(self, text: str, /, **args: str) -> None:
        super().__init__(fill_gaps(text, args))
        self.reason = Reason(text, dict(args))


class Address(Struct, frozen=True):
    """The address of a host, and the certificate to expect there."""

    hosts: tuple[str, ...]
    """Host names or IP addresses."""
    port: int = DEFAULT_PORT
    """The port, the same at all addresses."""
    fingerprint: str = ""
    """The fingerprint of the certificate; empty to trust and pin the first certificate received."""
    slot: int = -1
    """The port slot of the server, if several servers share the address
    (`port_slot`); -1 for any.
    """

    @property
    def label(self) -> str:
        """The TLS server name (SNI) by which a proxy selects one of several servers."""
        return f"{self.slot}.{SCHEME}" if self.slot >= 0 else SCHEME

    @property
    def name(self) -> str:
        """The first address with its port, for display."""
        return f"{bracket_ipv6(self.hosts[0])}:{self.port}" if self.hosts else ""


class InviteLink(Struct, frozen=True):
    """The contents of an invitation; unknown parts are empty."""

    host: str
    """The first address of the host."""
    port: int = DEFAULT_PORT
    """The port at all addresses."""
    table: str = ""
    """The ID of the table."""
    code: str = ""
    """The code of the table."""
    fingerprint: str = ""
    """The fingerprint of the host's certificate."""
    seat: int = -1
    """The reserved seat; -1 for any."""
    claim: str = ""
    """The secret that reserves the seat."""
    more: tuple[str, ...] = ()
    """Further addresses of the host with the same port. Older programs ignore them."""


def addresses_in(link: InviteLink) -> tuple[Address, ...]:
    """Return the host's address in `link`; an empty tuple if the link has only a code."""
    hosts = (link.host, *link.more)
    place = Address(hosts, link.port, link.fingerprint, port_slot(link.code))
    return (place,) if link.host else ()


def generate_code(address: str = "", port: int = 0) -> str:
    """Return a random code. If the host's IPv4 `address` is given, the code
    hints at it and at `port`.
    """
    number = secrets.randbits(30)
    slot = port - DEFAULT_PORT if 0 <= port - DEFAULT_PORT < PORT_SLOTS - 1 else PORT_SLOTS - 1
    if address:
        last = int(IPv4Address(address)) & 0xFF
        number = ((number >> 14) << 14 | slot << 8 | last) ^ _hint_mask(number >> 14)
    return "".join(CODE_ALPHABET[number >> shift & 31] for shift in range(25, -1, -5))


def parse_code(text: str) -> str:
    """Return the code typed as `text`, in capitals and without spaces and punctuation.

    Raises:
        BadInvitation: `text` isn't a code.
    """
    code = normalise_code(text).strip(_PUNCTUATION_AT_CODE)
    if len(code) == CODE_LENGTH and all(
        char in CODE_ALPHABET + _MISREAD_CHARACTERS for char in code
    ):
        misread = next((char for char in code if char in _MISREAD_CHARACTERS), "")
        if misread:
            raise BadInvitation(
                "A code never has “{sign}”: 0, O, 1 and I aren't used. Look at it again.",
                sign=misread,
            )
    if len(code) != CODE_LENGTH or any(char not in CODE_ALPHABET for char in code):
        raise BadInvitation("A code has six characters, like {example}.", example="K7MPQ2")
    return code


def extract_code(text: str) -> str:
    """Return the code in `text`, which may be any kind of invitation.

    Raises:
        BadInvitation: `text` has no code.
    """
    try:
        code = parse_invitation(text).code
    except BadInvitation:
        if has_link(text):
            raise
        code = ""  # the user typed a code
    return code or parse_code(text)


def has_link(text: str) -> bool:
    """Return whether `text` contains a link, rather than only an address or a code."""
    with suppress(BadInvitation):
        return "://" in _normalise_text(text)
    return False


def has_invitation(text: str) -> bool:
    """Return whether `text` contains a link, even an incomplete one, or a code."""
    with suppress(BadInvitation):
        if f"{SCHEME}://" in _normalise_text(text).lower():
            return True
        return bool(parse_invitation(text).code)
    return False


def normalise_code(text: str) -> str:
    """Return `text` in plain capitals, without spaces, brackets and quotes; "" if `text` can't be
    an invitation.
    """
    with suppress(BadInvitation):
        return "".join(char for char in _normalise_text(text).upper() if not _is_ignored(char))
    return ""


def _is_ignored(char: str) -> bool:
    return (
        char in _IGNORED_CHARACTERS
        or char.isspace()
        or unicodedata.category(char) in _IGNORED_CATEGORIES
    )


def _normalise_text(text: str) -> str:
    """Return `text` in NFKC form, without invisible characters and with encoded links decoded.

    Raises:
        BadInvitation: `text` has too many combining marks to be text.
    """
    try:
        plain = normalise("NFKC", text, MAX_TEXT_CHARACTERS)
    except TooManyMarks as error:
        raise _not_an_invitation(text) from error
    plain = "".join(char for char in plain if unicodedata.category(char) != "Cf")
    plain = _CODE_IN_PAGE_LINK.sub(lambda link: f"#{link[1] or link[2]} ", plain)
    plain = _ENCODED_LINK.sub(_decode_link, _NESTED_LINK.sub(r" \g<0>", plain))
    return _SPACED_COLON.sub(":", _IDEOGRAPHIC_STOP_IN_NUMBER.sub(".", plain)).strip()


def _decode_link(encoded: re.Match[str]) -> str:
    """Undo the percent-encoding that mail or chat programs have added to a
    link, perhaps repeatedly.

    The link's own encoding, which is in its query, is kept.
    """
    link = encoded[0]
    for _ in range(_MAX_ENCODINGS):
        if not _ENCODED_LINK.match(link):
            break
        link = unquote(link)
    return f"{link} "


def port_slot(code: str) -> int:
    """Return the port slot of `code`; -1 if `code` is empty.
    The slot reveals none of the secret bits.
    """
    return _decode_hint(code) >> 8 if code else -1


def hinted_address(code: str, here: str) -> tuple[str, int] | None:
    """Return the address and port that `code` hints at; None for a port outside the slots.

    `here` is the IPv4 address of this computer on the host's network.
    """
    slot, last = port_slot(code), _decode_hint(code) & 0xFF
    if slot == PORT_SLOTS - 1:
        return None
    return str(IPv4Address(int(IPv4Address(here)) & ~0xFF | last)), DEFAULT_PORT + slot


def _decode_hint(code: str) -> int:
    number = 0
    for char in code:
        number = number << 5 | CODE_ALPHABET.index(char)
    return (number ^ _hint_mask(number >> 14)) & 0x3FFF


def _hint_mask(secret: int) -> int:
    """Return a mask that makes the address hints of one host's codes look different."""
    return (secret * _MASK_MULTIPLIER >> 7) & 0x3FFF


def bracket_ipv6(host: str) -> str:
    """Return `host`, with brackets around it if it is an IPv6 address."""
    try:
        return f"[{host}]" if ip_address(host.partition("%")[0]).version == 6 else host
    except ValueError:
        return host


def format_link(link: InviteLink) -> str:
    """Return the link as text: tabletop://host:port/table?code=...&fp=..."""
    netloc = f"{bracket_ipv6(link.host.replace('%', '%25'))}:{link.port}" if link.host else ""
    fields = {"code": link.code, "fp": link.fingerprint}
    if link.claim:
        fields |= {"seat": str(link.seat), "key": link.claim}
    extra = [("at", host) for host in link.more if link.host]
    query = urlencode([*((key, value) for key, value in fields.items() if value), *extra])
    return f"{SCHEME}://{netloc}/{link.table}" + (f"?{query}" if query else "")


def parse_link(text: str) -> InviteLink:
    """Parse a link or an address such as `host`, `host:port` or `[v6]:port`.

    Raises:
        BadInvitation: `text` is neither a link nor an address.
    """
    link = _parse_link_or_code(text)
    if not link.host:
        raise _not_an_invitation(text)
    return link


def _parse_link_or_code(text: str) -> InviteLink:
    """Parse a link or an address. A link with a code may lack a host.

    Raises:
        BadInvitation: `text` is neither a link nor an address.
    """
    typed = _normalise_text(text)
    scheme, found, rest = typed.partition("://")
    is_link = scheme.lower() == SCHEME and bool(found)
    if found and not is_link:
        raise _not_an_invitation(typed)
    url = f"{SCHEME}://{rest if is_link else _bracket_typed_address(typed)}"
    try:
        parts = urlsplit(url)
        host, port = _ENCODED_ZONE.sub("%", parts.hostname or ""), _parse_port(parts.netloc)
        query = parse_qs(parts.query)
        fields = {word: values[-1] for word, values in query.items()}
        code = parse_code(fields["code"]) if "code" in fields else ""
        seat = int(fields.get("seat", "-1"))
    except ValueError as error:
        raise _not_an_invitation(typed) from error
    if not 0 < port < 1 << 16:
        raise BadInvitation("A port is a number from 1 to 65535.")
    invalid = not _is_host_name_or_address(host) if host else not code or parts.netloc
    if invalid or parts.username or any(not c.isprintable() or c.isspace() for c in url):
        raise _not_an_invitation(typed)
    fingerprint = fields.get("fp", "").lower()
    if fingerprint and not _FINGERPRINT.fullmatch(fingerprint):
        raise BadInvitation("The link isn't whole. Copy it again, from its beginning to its end.")
    return InviteLink(
        host,
        port,
        parts.path.strip("/"),
        code,
        fingerprint,
        seat,
        fields.get("key", ""),
        tuple(filter(_is_address, query.get("at", ())[:MAX_EXTRA_ADDRESSES])) if host else (),
    )


def _not_an_invitation(text: str) -> BadInvitation:
    return BadInvitation('"{text}" isn\'t an address or an invitation.', text=text.strip()[:80])


def _bracket_typed_address(typed: str) -> str:
    """Return `typed` with brackets around an IPv6 address, with or without a port after it."""
    place = _PUNCTUATION_AFTER.sub("", _PUNCTUATION_BEFORE.sub("", typed))
    if _is_ipv6(place):
        return f"[{place}]"
    host, _, port = place.rpartition(":")
    return f"[{host}]:{port}" if _is_ipv6(host) else place


def _is_ipv6(text: str) -> bool:
    bare, _, zone = text.partition("%")
    return ":" in bare and ":" not in zone and _is_address(bare)


def _parse_port(netloc: str) -> int:
    """Return the port of `netloc`, or `DEFAULT_PORT`.

    Raises:
        ValueError: the port isn't a number.
    """
    text = netloc.rpartition("]")[2].partition(":")[2]
    return int(text) if text else DEFAULT_PORT


def _is_host_name_or_address(host: str) -> bool:
    with suppress(ValueError):
        return bool(ip_address(host))
    with suppress(UnicodeError):
        return _HOST_NAME.fullmatch(host) is not None and bool(
            host.isascii() or host.encode("idna")
        )
    return False


def _is_address(text: str) -> bool:
    bare = text.partition("%")[0]
    with suppress(ValueError):
        return text.isascii() and bool(ip_address(bare))
    return False


def parse_address_or_invitation(text: str) -> InviteLink:
    """Parse the content of an address field: an address, or an invitation in any form.

    An address comes first, because the name of a host may look like a code.

    Raises:
        BadInvitation: `text` is neither.
    """
    try:
        return parse_link(text)
    except BadInvitation:
        return parse_invitation(text)


def parse_server(text: str) -> Address:
    """Parse the address of a server.

    Raises:
        BadInvitation: `text` has no address.
    """
    link = parse_address_or_invitation(text)
    if not link.host:
        raise _not_an_invitation(text)
    return Address((link.host,), link.port)


def parse_invitation(text: str) -> InviteLink:
    """Parse a link, an address or a code, possibly within a sentence such as a chat message.

    A code alone gives a link without a host.

    Raises:
        BadInvitation: `text` contains none of them, or several.
    """
    with suppress(BadInvitation):
        return InviteLink("", code=parse_code(text))
    if _MISREAD_CODE.fullmatch(normalise_code(text)) and text == text.upper():
        parse_code(text)
    plain = _normalise_text(text).replace("&amp;", "&")
    links = [_strip_sentence_end(link) for link in _LINK_IN_TEXT.findall(plain)]
    for link in sorted(links, key=lambda each: not each.lower().startswith(SCHEME)):
        if link.lower().startswith(SCHEME):
            return _parse_wrapped_link(plain) or _parse_link_or_code(link)
        if fragment := _split_url(link).fragment:  # a link for phones, which ends with the code
            return InviteLink("", code=parse_code(fragment))
        if link == _strip_sentence_end(plain):  # the address of a web page
            return parse_link(_split_url(link).netloc)
    if plain.isascii() and not any(char.isspace() for char in plain):
        with suppress(BadInvitation):
            return parse_link(plain)
    places = dict.fromkeys(_ADDRESS_IN_TEXT.findall(plain))
    codes = _find_codes(plain)
    names = dict.fromkeys(_HOST_NAME_IN_TEXT.findall(plain))
    if not places and len(names) == 1:
        places = names
    if len(places) > 1 or len(codes) > 1 or not (places or codes):
        return parse_link(plain)
    at = parse_link(*places) if places else InviteLink("")
    ports = _PORT_IN_TEXT.findall(plain)
    if places and len(ports) == 1 and not _has_port(*places):
        at = parse_link(f"{bracket_ipv6(at.host)}:{ports[0]}")
    return replace(at, code=next(iter(codes), ""))


def _split_url(link: str) -> SplitResult:
    """Return the parts of a URL.

    Raises:
        BadInvitation: `link` isn't a valid URL.
    """
    try:
        return urlsplit(link)
    except ValueError as error:
        raise _not_an_invitation(link) from error


def _parse_wrapped_link(text: str) -> InviteLink | None:
    """Return the link that the lines of `text` form together, if a mail program wrapped it.

    Return None if the first line is a complete link, or if the lines don't form a link.
    """
    first, *rest = text.split()
    if not rest or not first.lower().startswith(SCHEME):
        return None
    with suppress(BadInvitation):
        if _parse_link_or_code(first).fingerprint:
            return None
    with suppress(BadInvitation):
        link = _parse_link_or_code(_strip_sentence_end("".join((first, *rest))))
        return link if link.fingerprint else None
    return None


def _has_port(place: str) -> bool:
    return ":" in place.rpartition("]")[2]


def _strip_sentence_end(link: str) -> str:
    """Return `link` without the punctuation of the sentence around it."""
    link = link.rstrip(_PUNCTUATION_AFTER_LINK)
    while link.endswith("]") and link.count("]") > link.count("["):
        link = link[:-1].rstrip(_PUNCTUATION_AFTER_LINK)
    return link


def _find_codes(text: str) -> set[str]:
    """Return the codes in a sentence.

    Words may look like codes, so codes with a digit take precedence, and lower case counts only if
    no code in capitals is found.
    """
    found = {normalise_code(code) for code in _CODE_IN_TEXT.findall(text)}
    capitals = {code for code in found if not code.isalpha()} or found
    small = {normalise_code(code) for code in _CODE_IN_TEXT.findall(text.upper())}
    return capitals or {code for code in small if not code.isalpha()}

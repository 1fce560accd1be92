"""The networks of this computer as its person knows them: Wi-Fi, 192.168.1.x."""

from tabletop.lan.interface_kinds import Kind
from tabletop.lan.interfaces import Network
from tabletop.language.words import Words
from tabletop.protocol.invitation import Address
from tabletop.text.phrases import phrase

KINDS: dict[Kind, str] = {
    "wifi": phrase("Wi-Fi"),
    "ethernet": phrase("Ethernet"),
    "tunnel": phrase("VPN"),
    "bridge": phrase("Virtual network"),
    "unknown": phrase("Network"),
}
WHOLE = 24
"""The size of most networks at home: addresses in one begin with the same three numbers."""


def network_name(words: Words, network: Network) -> str:
    """The name of a network: its kind, and its addresses."""
    address = network.address
    if "." in address and network.prefix >= WHOLE:
        address = address.rpartition(".")[0] + ".x"
    return words("{kind}, {addresses}", kind=words(KINDS[network.kind]), addresses=address)


def network_place(words: Words, network: Network, place: Address) -> str:
    """The kind of a network, and the host's address in it."""
    return words("{kind}, {addresses}", kind=words(KINDS[network.kind]), addresses=place.name)

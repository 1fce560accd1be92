"""Addresses of this computer, and the networks by which it reaches others."""

import errno
import socket
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from ipaddress import ip_address, ip_interface

import ifaddr
from msgspec import Struct

from tabletop.lan.interface_kinds import Kind, interface_kind, interfaces_with_neighbours

MAX_NAMED_HOSTS = 3
"""The greatest number of a host's addresses that are named; more would only confuse."""


class Network(Struct, frozen=True):
    """An address of this computer, with the network that it is in."""

    address: str
    prefix: int
    name: str
    """The interface's name, as the system shows it."""
    kind: Kind

    def contains(self, address: str) -> bool:
        """Whether an address is of the same network."""
        return ip_address(address) in ip_interface(f"{self.address}/{self.prefix}").network


def networks() -> tuple[Network, ...]:
    """The addresses of this computer, those that others reach most likely first: cable and Wi-Fi,
    private before public, the usual way out, where other computers were seen; then tunnels, then
    bridges that lead to no cable (Docker, virtual machines), last fe80::."""
    found = {
        address: Network(address, ip.network_prefix, adapter.nice_name, kind)
        for adapter in ifaddr.get_adapters()
        for kind in [interface_kind(adapter.name, adapter.nice_name)]
        for ip in adapter.ips
        for address in [str(ip.ip) if ip.is_IPv4 else str(ip.ip[0])]
        if not ip_address(address).is_loopback
    }
    rank = partial(_rank, _default_address(), interfaces_with_neighbours())
    return tuple(sorted(found.values(), key=rank))


def addresses() -> tuple[str, ...]:
    """The addresses of this computer, in the order of `networks`."""
    return tuple(network.address for network in networks())


def best_hosts(ranked: Iterable[str]) -> tuple[str, ...]:
    """The few of these addresses of a host that are worth naming to others. Of several IPv6
    addresses in one network one is enough; fe80::, and this computer's own bridges to no cable, are
    for want of better."""
    own = {network.address: _RANKS[network.kind] for network in networks()}
    chosen: dict[object, str] = {}
    for host in ranked:
        six = ip_address(host).packed if is_ip_address(host) and ":" in host else b""
        poor = own.get(host) == _RANKS["bridge"] or (six and ip_address(host).is_link_local)
        if not (chosen and poor):
            chosen.setdefault(six[:8] or host, host)
    return tuple(chosen.values())[:MAX_NAMED_HOSTS]


def _rank(usual: str, seen: frozenset[str], network: Network) -> tuple[int, bool, bool, bool, bool]:
    ip = ip_address(network.address)
    kind, four = _RANKS[network.kind], ip.version == 4
    if ip.is_link_local:
        kind = 2 if four and kind == 0 else 5
    other, alone = network.address != usual, four and network.name not in seen
    return kind, not four, not ip.is_private, other, alone


_RANKS: dict[Kind, int] = {"ethernet": 0, "wifi": 0, "unknown": 1, "tunnel": 3, "bridge": 4}
"""2 is for 169.254.x.y on a cable, 5 for fe80:: anywhere."""


def is_ip_address(host: str) -> bool:
    """Whether a host is named by its address, which need not be looked up."""
    with suppress(ValueError):
        ip_address(host.partition("%")[0])
        return True
    return False


def is_loopback(host: str) -> bool:
    """Whether a host is this computer itself."""
    return host == "localhost" or (is_ip_address(host) and ip_address(host).is_loopback)


def nearest_first(hosts: Iterable[str]) -> tuple[str, ...]:
    """Return the addresses of a host in the order in which to dial them: those in networks of this
    computer first; last those that are this computer's own, as each Docker has the same."""
    here = networks()
    own = {network.address for network in here}

    def distance(host: str) -> int:
        bare = host.partition("%")[0]
        if bare in own:
            return 3
        if not is_ip_address(bare):
            return 1
        ip = ip_address(bare)
        if ip.is_loopback:
            return 0
        ranks = [_RANKS[each.kind] for each in here if each.contains(bare)]
        if ip.version == 6 and ip.is_link_local:
            return 2
        return (0 if min(ranks) <= 1 else 2) if ranks else 1

    return tuple(sorted(hosts, key=distance))


def expand_link_local(host: str) -> tuple[str, ...]:
    """Return the addresses to try in turn for a host.

    A link-local IPv6 address is valid on each network of this computer, and another computer can't
    know which one is meant (the part after %): such an address gives one for each network, the
    named one first. Everything else is gone to as it is.
    """
    bare, _, named = host.partition("%")
    try:
        ip = ip_address(bare)
    except ValueError:
        return (host,)
    if ip.version == 4 or not ip.is_link_local:
        return (host,)
    networks = {
        ip.ip[2]: adapter.name
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
        if ip.is_IPv6 and ip_address(ip.ip[0]).is_link_local
    }
    order = sorted(networks, key=lambda number: named not in (str(number), networks[number]))
    return tuple(f"{bare}%{number}" for number in order) or (host,)


def _default_address() -> str:
    """The address from which this computer would connect to others; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return ""


def server_socket(bind: str, port: int) -> socket.socket:
    """A socket that listens; on all addresses of both kinds where none is named.

    Raises:
        OSError: it cannot, or another program listens there.
    """
    both = not bind and socket.has_dualstack_ipv6()
    family = socket.AF_INET6 if both else socket.AF_UNSPEC if bind else socket.AF_INET
    passive = socket.AI_PASSIVE
    at = socket.getaddrinfo(bind or None, port, family, socket.SOCK_STREAM, flags=passive)[0]
    listener = socket.socket(*at[:3])
    try:
        # Connections inherit the option; asyncio sets it only where it knows their protocol, never
        # on Windows.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if sys.platform == "win32":  # otherwise another program could take over the port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if at[0] == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, not both)
        listener.bind(at[4])
        listener.listen()
        listener.setblocking(False)
    except OSError:
        listener.close()
        raise
    return listener


def is_port_taken(error: OSError) -> bool:
    """Whether another program listens at the port. Windows says EACCES where that has it alone, or
    the system keeps it for itself."""
    here_too = (errno.EACCES,) if sys.platform == "win32" else ()
    return error.errno in (errno.EADDRINUSE, *here_too)

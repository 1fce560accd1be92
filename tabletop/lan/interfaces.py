"""This computer's network addresses, ranked by how likely other computers can reach them."""

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
"""The maximum number of a host's addresses to pass on to others. More would only confuse."""


class Network(Struct, frozen=True):
    """One of this computer's addresses, with its network."""

    address: str
    prefix: int
    """The length of the network's prefix in bits."""
    name: str
    """The interface's name as the system displays it."""
    kind: Kind

    def contains(self, address: str) -> bool:
        """Return whether `address` belongs to this network."""
        return ip_address(address) in ip_interface(f"{self.address}/{self.prefix}").network


def networks() -> tuple[Network, ...]:
    """Return this computer's addresses. Those that others can most likely reach come first.

    Ethernet and Wi-Fi come first. Among them, private addresses come before public
    ones, then the one used for outgoing connections, then interfaces on which other
    computers were seen. Tunnels follow, then virtual bridges (Docker, virtual
    machines), and link-local IPv6 addresses come last.
    """
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
    """Return this computer's addresses in the order of `networks`."""
    return tuple(network.address for network in networks())


def best_hosts(ranked: Iterable[str]) -> tuple[str, ...]:
    """Return the few of a host's addresses that are worth passing
    on to others, in the order of `ranked`.

    One IPv6 address per network is enough. Link-local addresses and this computer's virtual bridges
    are included only if there is nothing better.
    """
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
"""The rank of each kind of interface.

`_rank` also uses 2 for 169.254.x.y on Ethernet, and 5 for fe80::.
"""


def is_ip_address(host: str) -> bool:
    """Return whether `host` is an IP address rather than a host name."""
    with suppress(ValueError):
        ip_address(host.partition("%")[0])
        return True
    return False


def is_loopback(host: str) -> bool:
    """Return whether `host` is a loopback address or "localhost"."""
    return host == "localhost" or (is_ip_address(host) and ip_address(host).is_loopback)


def nearest_first(hosts: Iterable[str]) -> tuple[str, ...]:
    """Return a host's addresses in the order in which to try them.

    Addresses in this computer's networks come first. This computer's own addresses come last,
    because every computer with Docker has the same ones.
    """
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
    """Return the addresses to try for `host`, in order.

    A link-local IPv6 address is valid on every network, and its zone (the part after %) is
    meaningful only on the computer that wrote it. Such an address is returned once for each of this
    computer's networks, the named zone first. Any other host is returned unchanged.
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
    """Return the address that this computer uses for outgoing
    connections, without sending anything.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return ""


def server_socket(bind: str, port: int) -> socket.socket:
    """Return a listening socket for the local address `bind`.

    An empty `bind` listens on all IPv4 and IPv6 addresses.

    Raises:
        OSError: the system refuses, or another program is listening on the port.
    """
    both = not bind and socket.has_dualstack_ipv6()
    family = socket.AF_INET6 if both else socket.AF_UNSPEC if bind else socket.AF_INET
    passive = socket.AI_PASSIVE
    at = socket.getaddrinfo(bind or None, port, family, socket.SOCK_STREAM, flags=passive)[0]
    listener = socket.socket(*at[:3])
    try:
        # connections inherit the option; asyncio doesn't set it on Windows
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
    """Return whether `error` means that another program is listening on the port.

    Windows reports EACCES if that program has exclusive use of the port, or the system reserves it.
    """
    windows_codes = (errno.EACCES,) if sys.platform == "win32" else ()
    return error.errno in (errno.EADDRINUSE, *windows_codes)

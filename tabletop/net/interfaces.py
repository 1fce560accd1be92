"""Addresses of this computer, and the networks by which it reaches others."""

import errno
import socket
import sys
from contextlib import suppress
from ipaddress import ip_address

import ifaddr


def addresses() -> tuple[str, ...]:
    """The addresses of this computer: the usual way out first, IPv4 before IPv6, and last those
    that work on one cable alone (169.254.x.y, fe80::)."""
    all_addresses = [
        str(ip.ip) if ip.is_IPv4 else str(ip.ip[0])
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
    ]
    usual = _usual_address()
    reachable = [each for each in dict.fromkeys(all_addresses) if not ip_address(each).is_loopback]

    def rank(address: str) -> tuple[bool, bool, bool]:
        return address != usual, ip_address(address).is_link_local, ":" in address

    return tuple(sorted(reachable, key=rank))


def by_each_network(host: str) -> tuple[str, ...]:
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


def _usual_address() -> str:
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
        # Connections inherit it; asyncio sets it where it knows their protocol, on Windows never.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if sys.platform == "win32":  # else another program could take the same port from it
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


def is_taken(error: OSError) -> bool:
    """Whether another program listens at the port. Windows says EACCES where that has it alone, or
    the system keeps it for itself."""
    here_too = (errno.EACCES,) if sys.platform == "win32" else ()
    return error.errno in (errno.EADDRINUSE, *here_too)

"""Kinds of network interfaces: Ethernet, Wi-Fi, tunnels and virtual bridges.

Linux reports the kind in /sys; on other systems it is guessed from the name.
"""

import re
from contextlib import suppress
from pathlib import Path
from typing import Literal

Kind = Literal["ethernet", "wifi", "tunnel", "bridge", "unknown"]

SYSFS_NET = Path("/sys/class/net")
ARP_TABLE = Path("/proc/net/arp")
TUNNEL_TYPES = frozenset({512, 768, 769, 776, 778, 823, 65534})
"""ARPHRD hardware types of tunnels: PPP, IP, GRE, and interfaces without
a hardware address such as WireGuard and TUN.
"""
NEIGHBOUR_COMPLETE = 0x2
"""The ARP flag of a neighbour that has answered a request."""
_NAMES: dict[Kind, re.Pattern[str]] = {
    "tunnel": re.compile(
        r"(tun|tap|utun|wg|ppp|ipsec|gre|sit|tailscale|zt|nordlynx|proton|mullvad)\w*\d*$"
        r"|.*\b(vpn|wireguard|tap-windows|tailscale|zerotier|wintun|tunnel)",
        re.IGNORECASE,
    ),
    "bridge": re.compile(
        r"(docker|virbr|br-|veth|vmnet|vboxnet|lxc|lxd|podman|cni|incus|bridge\d|vethernet|awdl|llw)"
        r"|.*\b(hyper-v|virtualbox|vmware|host-only|wsl)",
        re.IGNORECASE,
    ),
    "wifi": re.compile(
        r"(wl|wifi|wlan|ath\d|ra\d)|.*\b(wi-?fi|wireless|802\.11|wlan)", re.IGNORECASE
    ),
    "ethernet": re.compile(
        r"(eth|en|em|eno|lan|br\d|bond)\w*\d|.*\bethernet|.*\bgbe\b", re.IGNORECASE
    ),
}
"""Patterns of interface names for each kind.

The first match wins, because Windows calls bridges Ethernet too.
"""


def interface_kind(name: str, shown: str) -> Kind:
    """Return the kind of the interface `name`; `shown`: its name as the system displays it."""
    return _kind_by_system(SYSFS_NET / name) or _kind_by_name(shown)


def interfaces_with_neighbours() -> frozenset[str]:
    """Return the names of the interfaces on which another computer has answered recently.

    Empty on systems other than Linux.
    """
    found = set()
    with suppress(OSError, ValueError, IndexError):
        for line in ARP_TABLE.read_text().splitlines()[1:]:
            words = line.split()
            if int(words[2], 16) & NEIGHBOUR_COMPLETE:
                found.add(words[5])
    return frozenset(found)


def _kind_by_system(folder: Path) -> Kind | None:
    """Return the kind that Linux reports, or None if it is unknown."""
    about = _text(folder / "uevent")
    if "DEVTYPE=wlan" in about or (folder / "wireless").exists():
        return "wifi"
    if (folder / "bridge").exists():  # a bridge with a physical port leads to the network
        ports = (folder / "brif").glob("*")
        return (
            "ethernet"
            if any((SYSFS_NET / port.name / "device").exists() for port in ports)
            else "bridge"
        )
    hardware = _text(folder / "type").strip()
    if (folder / "tun_flags").exists() or "DEVTYPE=wireguard" in about:
        return "tunnel"
    if hardware.isdecimal() and int(hardware) in TUNNEL_TYPES:
        return "tunnel"
    return "ethernet" if (folder / "device").exists() else None


def _text(path: Path) -> str:
    with suppress(OSError, ValueError):
        return path.read_text()
    return ""


def _kind_by_name(shown: str) -> Kind:
    return next((kind for kind, names in _NAMES.items() if names.match(shown)), "unknown")

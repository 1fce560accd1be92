"""The addresses of a computer: which others are told, and in which order they are dialled."""

from pathlib import Path

import pytest

from tabletop.engine.model import Reason
from tabletop.lan import interface_kinds, interfaces
from tabletop.lan.interface_kinds import interface_kind
from tabletop.lan.interfaces import Network, best_hosts, nearest_first
from tabletop.net.guest.dial import BLOCKED, UNREACHABLE, routes_of
from tabletop.net.guest.join_attempt import IMPOSTOR
from tabletop.net.guest.wrong_host import OTHER_HOST, most_useful_reason
from tabletop.net.host.admission import WRONG_CODE
from tabletop.protocol.invitation import Address, InviteLink, addresses_in, format_link, parse_link

OWN = (
    Network("192.168.1.20", 24, "wlan0", "wifi"),
    Network("10.8.0.2", 24, "tun0", "tunnel"),
    Network("172.17.0.1", 16, "docker0", "bridge"),
    Network("fe80::2", 64, "wlan0", "wifi"),
)


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interfaces, "networks", lambda: OWN)


@pytest.mark.usefixtures("own")
def test_no_bridge_is_named_where_there_is_better() -> None:
    assert best_hosts(each.address for each in OWN) == ("192.168.1.20", "10.8.0.2")
    assert best_hosts(("172.17.0.1",)) == ("172.17.0.1",)
    six = ("2001:db8::1", "2001:db8::2", "192.168.1.5", "server.example")
    assert best_hosts(six) == ("2001:db8::1", "192.168.1.5", "server.example")


@pytest.mark.usefixtures("own")
def test_own_networks_are_dialled_first_and_own_addresses_last() -> None:
    hosts = ("172.17.0.1", "203.0.113.9", "172.17.0.5", "192.168.1.7", "table.example")
    assert nearest_first(hosts) == (
        *("192.168.1.7", "203.0.113.9", "table.example"),
        *("172.17.0.5", "172.17.0.1"),
    )
    places = Address(hosts[:2], 1), Address(hosts[3:4], 2)
    assert [each.port for each in routes_of(*places)] == [2, 1, 1]


@pytest.mark.parametrize(
    ("files", "kind"),
    [
        ({"uevent": "DEVTYPE=wlan\n", "device/x": ""}, "wifi"),
        ({"device/x": "", "type": "1"}, "ethernet"),
        ({"bridge/x": "", "brif/eth9": ""}, "ethernet"),
        ({"bridge/x": "", "brif/veth1": ""}, "bridge"),
        ({"tun_flags": "0x1001", "type": "65534"}, "tunnel"),
        ({"uevent": "DEVTYPE=wireguard\n"}, "tunnel"),
        ({}, "bridge"),
    ],
)
def test_linux_tells_the_kind(
    files: dict[str, str], kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interface_kinds, "SYSFS_NET", tmp_path)
    for name, text in {
        "eth9/device/x": "",
        **{f"docker7/{n}": t for n, t in files.items()},
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert interface_kind("docker7", "docker7") == kind


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Intel(R) Wi-Fi 6 AX200", "wifi"),
        ("Realtek PCIe GbE Family Controller", "ethernet"),
        ("Hyper-V Virtual Ethernet Adapter", "bridge"),
        ("TAP-Windows Adapter V9", "tunnel"),
        ("utun3", "tunnel"),
        ("en0", "ethernet"),
        ("something", "unknown"),
    ],
)
def test_elsewhere_the_name_tells_the_kind(name: str, kind: str) -> None:
    assert interface_kind("{no such interface}", name) == kind


def test_a_link_holds_several_addresses() -> None:
    link = InviteLink("10.0.0.1", 5, "t", "K7MPQ2", "ab" * 32, more=("fd00::7", "192.168.1.5"))
    assert parse_link(format_link(link)) == link
    (place,) = addresses_in(link)
    assert place.hosts == ("10.0.0.1", "fd00::7", "192.168.1.5")
    strange = parse_link("tabletop://10.0.0.1/t?at=elsewhere&at=10.0.0.2&at=&at=a%20b")
    assert strange.more == ("10.0.0.2",)


@pytest.mark.parametrize(
    ("reasons", "best"),
    [
        ((UNREACHABLE, WRONG_CODE), WRONG_CODE),
        ((WRONG_CODE, BLOCKED, UNREACHABLE), BLOCKED),
        ((BLOCKED, IMPOSTOR), IMPOSTOR),
        ((OTHER_HOST, UNREACHABLE), OTHER_HOST),
        ((WRONG_CODE, Reason("full"), BLOCKED), Reason("full")),
    ],
)
def test_the_reason_that_says_most_is_told(reasons: tuple[Reason, ...], best: Reason) -> None:
    assert most_useful_reason(reasons) == best

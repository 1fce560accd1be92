"""Computers for tests of real networks: namespaces of this one, joined by a switch.

It needs the rights of root and iproute2.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

NAMES = ("one", "two", "ann", "bea", "cat")


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


def possible() -> bool:
    """Whether networks can be made here."""
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("ip") is None:
        return False
    name = f"tt{os.getpid()}try"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, check=False)
    subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)
    return made.returncode == 0


needs_namespaces = pytest.mark.skipif(
    not possible(), reason="network namespaces need root, Linux and iproute2"
)
USUAL = "10.77.0.{}/24"
ASKING = "/proc/sys/net/ipv6/conf/default/dad_transmits"
"""The number of checks whether another computer has its IPv6 address, a second each."""


DEAD = {"docker0": "172.17.0.1/16", "virbr0": "192.168.122.1/24"}


class Network:
    """Computers on one switch, which is a namespace of its own."""

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix or f"tt{os.getpid()}"
        self.switch = f"{self.prefix}switch"
        self.running: list[subprocess.Popen[str]] = []

    def build(self, ipv4: str) -> None:
        """`ipv4`: the address of a computer by its number, and a network with a way out; a cable on
        which nobody gives addresses has none. Link-local IPv6 they all have by themselves."""
        ip("netns", "add", self.switch)
        self.in_switch("link", "add", "br0", "type", "bridge", "mcast_snooping", "0")
        self.in_switch("link", "set", "br0", "up")
        for number, name in enumerate(NAMES, start=11):
            space = self.prefix + name
            ip("netns", "add", space)
            ip("netns", "exec", space, "sh", "-c", f"echo 0 > {ASKING}")
            pair = ("link", "add", "eth0", "netns", space, "type", "veth")
            ip(*pair, "peer", "name", name, "netns", self.switch)
            self.in_switch("link", "set", name, "master", "br0", "up")
            if ipv4:
                ip("-n", space, "addr", "add", ipv4.format(number), "dev", "eth0")
            ip("-n", space, "link", "set", "eth0", "up")
            ip("-n", space, "link", "set", "lo", "up")
            if ipv4 == USUAL:
                ip("-n", space, "route", "add", "default", "dev", "eth0")

    def in_switch(self, *words: str) -> None:
        ip("-n", self.switch, *words)

    def block_multicast(self) -> None:
        """From now on the switch passes nothing on that is for many computers."""
        for name in NAMES:
            self.in_switch("link", "set", name, "type", "bridge_slave", "mcast_flood", "off")

    def change(self, where: str, *words: str) -> None:
        """Change the network of one of these computers by `ip`."""
        ip("-n", self.prefix + where, *words)

    def add_dead_networks(self, where: str) -> None:
        """Give a computer two more addresses, as Docker and virtual machines do, on bridges that
        lead nowhere."""
        for name, address in DEAD.items():
            self.change(where, "link", "add", name, "type", "bridge")
            self.change(where, "addr", "add", address, "dev", name)
            self.change(where, "link", "set", name, "up")

    def run(self, where: str, *words: str) -> None:
        """Run a command on one of these computers."""
        inside = ["ip", "netns", "exec", self.prefix + where, *words]
        subprocess.run(inside, check=True, capture_output=True)

    def tabletop(self, where: str, home: Path, *words: str) -> subprocess.Popen[str]:
        """The program, on one of these computers."""
        process = subprocess.Popen(
            self.at(where, "-m", "tabletop", *words),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"TABLETOP_HOME": str(home / where)},
        )
        self.running.append(process)
        return process

    def at(self, where: str, *words: str) -> list[str]:
        """The command that runs Python with these words on one of these computers."""
        return ["ip", "netns", "exec", self.prefix + where, sys.executable, *words]

    def remove(self) -> None:
        for process in self.running:
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGKILL)
            process.communicate()
        for name in (*NAMES, "switch"):
            subprocess.run(
                ["ip", "netns", "del", self.prefix + name], capture_output=True, check=False
            )


@contextmanager
def network(ipv4: str = USUAL) -> Iterator[Network]:
    built = Network()
    try:
        built.build(ipv4)
        yield built
    finally:
        built.remove()

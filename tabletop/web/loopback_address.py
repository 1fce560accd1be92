"""Loopback addresses that stand for browsers' addresses when the gateway connects to a local host.

All of 127.0.0.0/8 belongs to this computer. A guest with its own address there gets its own rate
limits and bans, and the host needn't know about browsers.
"""

import socket
from functools import cache
from hashlib import sha256


def loopback_address(origin: str) -> str:
    """Return the loopback address that stands for `origin`; "" if the system has only 127.0.0.1.

    Every gateway derives the same address, and no other program uses it.
    """
    if not _has_many():
        return ""
    one, two, three = sha256(origin.encode()).digest()[:3]
    return f"127.{128 + one // 2}.{two}.{1 + three % 254}"


@cache
def _has_many() -> bool:
    """Return whether connections can start from loopback addresses other than 127.0.0.1. Some
    systems don't allow it by default.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        try:
            probe.bind(("127.128.0.1", 0))
        except OSError:
            return False
    return True

"""Loopback addresses from which the gateway connects to the host on the same computer, one for each
browser.

All of 127.0.0.0/8 belongs to this computer. A guest with its own address there gets its own rate
limits and bans, and the host needn't know about browsers.
"""

import socket
from functools import cache
from hashlib import sha256


def loopback_address(origin: str) -> str:
    """Return the loopback address for browsers of `origin`; "" if the system has only 127.0.0.1.

    The address is the same in every gateway, and no other program uses it.
    """
    if not _has_many():
        return ""
    one, two, three = sha256(origin.encode()).digest()[:3]
    return f"127.{128 + one // 2}.{two}.{1 + three % 254}"


@cache
def _has_many() -> bool:
    """Return whether connections can start from other addresses than 127.0.0.1, which some systems
    don't allow by default.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        try:
            probe.bind(("127.128.0.1", 0))
        except OSError:
            return False
    return True

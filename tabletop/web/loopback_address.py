"""The address from which the host on this computer is reached for one browser.

All of 127.0.0.0/8 is this very computer. A guest with an address there of its own is counted,
slowed down and banned by itself, and its host need not know of browsers.
"""

import socket
from functools import cache
from hashlib import sha256


def loopback_address(origin: str) -> str:
    """Return the address for browsers of this origin: the same from every gateway, and used by no
    other program. "" where the system has only one."""
    if not _has_many():
        return ""
    one, two, three = sha256(origin.encode()).digest()[:3]
    return f"127.{128 + one // 2}.{two}.{1 + three % 254}"


@cache
def _has_many() -> bool:
    """Whether a line may begin at more than 127.0.0.1: not everywhere without being set up."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        try:
            probe.bind(("127.128.0.1", 0))
        except OSError:
            return False
    return True

"""A gateway in a process of its own, for tests that kill it or measure it.

    python -m tests.web.gateway_process HOST_PORT FINGERPRINT PORT

Its first line on standard output is the port it listens on.
"""

import asyncio
import subprocess
import sys
from pathlib import Path

from tabletop.net.invitation import Address

ROOT = Path(__file__).parents[2]


def begun(host_port: int, fingerprint: str, port: int = 0) -> tuple[subprocess.Popen[bytes], int]:
    """Start one; gives the process and its port."""
    command = [sys.executable, "-m", "tests.web.gateway_process"]
    process = subprocess.Popen(
        [*command, str(host_port), fingerprint, str(port)], stdout=subprocess.PIPE, cwd=ROOT
    )
    assert process.stdout is not None
    return process, int(process.stdout.readline())


async def main(host_port: int, fingerprint: str, port: int) -> None:
    from tabletop.web.gateway import Gateway

    gateway = Gateway(Address(("127.0.0.1",), host_port, fingerprint), pause=0)
    await gateway.start("127.0.0.1", port)
    print(gateway.port, flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3])))

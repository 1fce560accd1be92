"""A gateway in a process of its own, for tests that kill it or measure it.

    python -m tests.web.gateway_process HOST_PORT FINGERPRINT PORT [drawn]

`drawn`: it has pictures, as the program's own has. Its first line on standard output is the port it
listens on.
"""

import asyncio
import subprocess
import sys
from pathlib import Path

from tabletop.protocol.invitation import Address
from tabletop.web.drawer import Drawer

ROOT = Path(__file__).parents[2]


def begun(
    host_port: int, fingerprint: str, port: int = 0, drawn: bool = False
) -> tuple[subprocess.Popen[bytes], int]:
    """Start one, with pictures or without; gives the process and its port."""
    command = [sys.executable, "-m", "tests.web.gateway_process", str(host_port), fingerprint]
    command += [str(port), *(["drawn"] * drawn)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT)
    return process, int(process.stdout.readline())


async def main(host_port: int, fingerprint: str, port: int, drawer: Drawer | None = None) -> None:
    """Serve until it is killed."""
    from tabletop.web.gateway.gateway import Gateway
    from tabletop.web.gateway.sessions import Sessions

    place = Address(("127.0.0.1",), host_port, fingerprint)
    gateway = Gateway(Sessions(place, drawer, pause=0))
    await gateway.start("127.0.0.1", port)
    print(gateway.port, flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    told = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    if sys.argv[4:]:
        from ui.phones.drawing import run_with_drawer

        run_with_drawer(lambda drawer: main(*told, drawer))
    else:
        asyncio.run(main(*told))

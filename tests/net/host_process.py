"""A host in a process of its own, for tests that measure or kill it.

    python -m tests.net.host_process FOLDER PORT

Its first line on standard output is the port it listens on.
"""

import asyncio
import subprocess
import sys
from pathlib import Path

from tests.net.loopback import QUICK, ROOMY


def begun(folder: Path, port: int = 0) -> tuple[subprocess.Popen[bytes], int]:
    """Start one; gives the process and its port."""
    command = [sys.executable, "-m", "tests.net.host_process", str(folder), str(port)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    return process, int(process.stdout.readline())


async def main(folder: Path, port: int) -> None:
    from tabletop.net.host.host import Host

    host = Host(folder, limits=ROOMY, timing=QUICK)
    await host.start("127.0.0.1", port)
    print(host.port, flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))

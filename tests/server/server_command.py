"""Runs the commands that speak to a server, as somebody at a terminal of another computer would."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

from tabletop.net.host.host import Host
from tests.net.loopback import HANGS

ROOT = Path(__file__).parents[2]


async def told(
    host: Host, home: Path, *more: str, command: str = "host"
) -> subprocess.CompletedProcess[str]:
    """Run the command that opens a table of Children of the Sun on this host, or lists its tables
    (`join`)."""
    place = f"https://127.0.0.1:{host.port}"
    words = {"host": ("host", "sun", "--server", place), "join": ("join", place, "--list")}[command]
    words = (*words, *more)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tabletop", *words),
        cwd=ROOT,
        env=environment(home),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    async with asyncio.timeout(HANGS):
        out, error = await process.communicate()
    assert process.returncode is not None
    return subprocess.CompletedProcess(words, process.returncode, text(out), text(error))


def text(output: bytes) -> str:
    return output.decode().replace(os.linesep, "\n")


def environment(home: Path) -> dict[str, str]:
    return os.environ | {"TABLETOP_HOME": str(home)}

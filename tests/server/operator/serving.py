"""A real `tabletop serve` in a process of its own, as an operator runs it."""

import asyncio
import os
import re
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from tests.net.loopback import HANGS

ROOT = Path(__file__).parents[3]


class Serving:
    """A server that listens."""

    def __init__(self, process: Process, folder: Path) -> None:
        self.process = process
        self.folder = folder
        self.port = 0
        self.log: list[str] = []

    async def until(self, pattern: str) -> str:
        """The first group of the first line of the log, from here on, that has this in it."""
        async with asyncio.timeout(HANGS):
            while line := (await self.process.stderr.readline()).decode():
                self.log.append(line)
                if found := re.search(pattern, line):
                    return found[1]
        raise AssertionError("".join(self.log))


@asynccontextmanager
async def serving(folder: Path, *more: str) -> AsyncIterator[Serving]:
    """A server at any free port, with these options; its tables are in the folder `server`."""
    data = folder / "server"
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tabletop", "serve", "--bind", "127.0.0.1", "--port", "0"),
        *("--data", str(data), *more),
        cwd=ROOT,
        env=os.environ | {"TABLETOP_HOME": str(folder / "home")},
        stdin=DEVNULL,
        stdout=DEVNULL,
        stderr=PIPE,
    )
    server = Serving(process, data)
    try:
        server.port = int(await server.until(r"listening port=(\d+)"))
        await server.until(r"operator socket=(\S+)")
        yield server
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        await process.communicate()

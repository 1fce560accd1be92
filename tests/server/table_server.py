"""Hands for tests of a server: one on loopback."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tabletop.server.server import TableServer
from tests.net.loopback import QUICK, ROOMY, listening


@asynccontextmanager
async def table_server(folder: Path, **settings: Any) -> AsyncIterator[TableServer]:
    """A server on loopback, on any free port; `settings` as of a `TableServer`."""
    server = TableServer(folder, **{"limits": ROOMY, "timing": QUICK} | settings)
    async with listening(server):
        yield server

"""The server for a club: a host for tables that others open, controlled by an operator.

server = TableServer(folder, key="a secret")
await server.start()             # restores every table in the folder
...
await server.close()             # sends farewells; all tables stay on disk
"""

import asyncio
from pathlib import Path

from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request, Response

from tabletop.bots.bot_pool import BotPool
from tabletop.engine.model import Reason
from tabletop.net.host.connected_guest import ConnectedGuest
from tabletop.net.host.guest_connection import GuestConnection
from tabletop.net.host.host import GuestQuestion, Host
from tabletop.net.limits import LeakyBuckets, Limits
from tabletop.protocol.archive import ARCHIVE_FEATURE, ArchiveRequest
from tabletop.protocol.listing import LISTING_FEATURE, ListTables
from tabletop.protocol.messages import FromHost
from tabletop.protocol.versions import FEATURES
from tabletop.server.archive import TRAFFIC_FACTOR, Archive
from tabletop.server.bans import ADDRESS_BANNED, Bans
from tabletop.server.disk_health import DiskHealth
from tabletop.server.health import ServerHealth
from tabletop.server.metrics import Metrics
from tabletop.server.proxied_connection import ProxiedConnection
from tabletop.server.public_list import ListedFor, PublicList
from tabletop.server.reverse_proxy import NO_PROXY, ReverseProxy
from tabletop.server.server_tables import ServerTables
from tabletop.table.services import TableTiming


class TableServer(Host):
    """A host for other people's tables."""

    features = (*FEATURES, LISTING_FEATURE, ARCHIVE_FEATURE)
    registry: ServerTables

    def __init__(
        self,
        folder: Path,
        *,
        key: str = "",
        key_file: str = "",
        listed_for: ListedFor = "everybody",
        limits: Limits | None = None,
        timing: TableTiming | None = None,
        announced: bool = False,
        bot_pool: BotPool | None = None,
        proxy: ReverseProxy = NO_PROXY,
    ) -> None:
        """`key_file`: the file with `key` in its first line, if any. `listed_for`: who may see the
        lists of tables and matches. `proxy`: the reverse proxy in front of the server. The other
        parameters are those of `Host`.

        Raises:
            StorageError: the folder can't be written.
        """
        self.metrics = Metrics()
        super().__init__(
            folder,
            key=key,
            limits=limits,
            timing=timing,
            is_announced=announced,
            bot_pool=bot_pool,
            observer=self.metrics,
        )
        self.key_file = key_file
        self.disk = DiskHealth(folder, self.limits.min_free_disk_bytes)
        self.bans = Bans(folder)
        self.health = ServerHealth(self.disk, self.registry, self.bans)
        self.public = PublicList(self.registry.openings, listed_for)
        self.archive = Archive(folder, self.public, self.limits)
        self._proxy = proxy
        self.registry.public_address = proxy.public

    def _make_registry(
        self, key: str, timing: TableTiming, bot_pool: BotPool | None
    ) -> ServerTables:
        return ServerTables(self.folder, key, self.limits, timing, bot_pool, self.observer)

    async def wait_until_drained(self) -> None:
        """Wait until the server has been drained (`ServerTables.drain`) and nobody plays."""
        while not self.registry.drained:
            await asyncio.sleep(1)

    def _connection_class(self) -> type[GuestConnection]:
        class OwnConnection(ProxiedConnection):
            limits = self.limits
            limiter = self.limiter
            context = self.certificate.make_tls_context()
            proxy = self._proxy
            complaints = LeakyBuckets(1 / 60, 0)

        return OwnConnection

    async def _check_room(self, line: ServerConnection, request: Request) -> Response | None:
        if request.path == "/health":
            return line.respond(*await self.health.report())
        return await super()._check_room(line, request)

    async def _find_answer(
        self, guest: ConnectedGuest, question: GuestQuestion
    ) -> tuple[FromHost | Reason, int]:
        if isinstance(question, ArchiveRequest):
            return await self.archive.answer(guest.origin, question), TRAFFIC_FACTOR
        if isinstance(question, ListTables):
            return self.public.tables(guest.origin, question, self.registry.tables.values()), 1
        return await super()._find_answer(guest, question)

    def _ban_reason(self, guest: ConnectedGuest) -> Reason | None:
        return ADDRESS_BANNED if guest.origin in self.bans else None

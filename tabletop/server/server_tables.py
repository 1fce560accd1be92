"""The tables of a server, which can be drained before a restart."""

import logging
from pathlib import Path

from tabletop.bots.bot_pool import BotPool
from tabletop.engine.model import Reason
from tabletop.net.host.admission import Caller
from tabletop.net.host.observer import HostObserver
from tabletop.net.host.table_registry import TableRegistry
from tabletop.net.limits import Limits
from tabletop.protocol.messages import RESTART_ANNOUNCED, JoinTable, Notice, OpenTable
from tabletop.protocol.table_transfer import RequestTableMove, TableMoveAllowed
from tabletop.table.hosted_table import HostedTable
from tabletop.table.services import TableTiming

log = logging.getLogger("tabletop.net")

DRAINING = Reason(
    "This server opens no new tables: it will be restarted soon. Please try later.", code="draining"
)


class ServerTables(TableRegistry):
    """The tables of a server."""

    def __init__(
        self,
        folder: Path,
        key: str,
        limits: Limits,
        timing: TableTiming,
        bot_pool: BotPool | None,
        observer: HostObserver,
    ) -> None:
        super().__init__(folder, key, limits, timing, bot_pool, observer)
        self.draining = False
        """Whether new tables are refused because the server is going to restart (`drain`)."""

    def enter(
        self, caller: Caller, message: JoinTable, hosted: HostedTable, sign: bytes
    ) -> Reason | None:
        refused = super().enter(caller, message, hosted, sign)
        if self.draining and caller in hosted.guests:
            hosted.send(caller, Notice(RESTART_ANNOUNCED))
        return refused

    def open_table(self, caller: Caller, message: OpenTable) -> Reason | None:
        return DRAINING if self.draining else super().open_table(caller, message)

    def offer_move(self, caller: Caller, asked: RequestTableMove) -> TableMoveAllowed | Reason:
        return DRAINING if self.draining else super().offer_move(caller, asked)

    def drain(self) -> None:
        """Refuse new tables from now on, and notify everybody at a table.
        Running matches continue.
        """
        if self.draining:
            return
        self.draining = True
        for hosted in self.hosted_tables.values():
            hosted.notify(RESTART_ANNOUNCED)
        log.info("draining tables=%d", len(self.tables))

    @property
    def drained(self) -> bool:
        """Whether the server is draining and nobody plays."""
        return self.draining and not any(
            hosted.guests and hosted.phase in ("shuffling", "playing")
            for hosted in self.hosted_tables.values()
        )

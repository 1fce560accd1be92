"""Health of a server: its disk, its tables and its bans."""

from http import HTTPStatus

from tabletop.engine.model import Reason
from tabletop.net.host.table_registry import TableRegistry
from tabletop.server.bans import Bans
from tabletop.server.disk_health import DiskHealth
from tabletop.text.phrases import fill_gaps

TABLES_UNREADABLE = Reason(
    "Tables that can't be read: {count}. Their guests are told to come back; the log says why."
)


class ServerHealth:
    """Checks on request whether a server can do its work."""

    def __init__(self, disk: DiskHealth, registry: TableRegistry, bans: Bans) -> None:
        self._disk = disk
        self._registry = registry
        self._bans = bans

    async def trouble(self) -> Reason | None:
        """Return the most urgent problem, if any."""
        if disk := await self._disk.trouble():
            return disk
        if bans := self._bans.read_again():
            return bans
        count = len(self._registry.unreadable)
        return TABLES_UNREADABLE.with_args(count=count) if count else None

    async def report(self) -> tuple[HTTPStatus, str]:
        """Return the result as an HTTP status and text."""
        return http_report(await self.trouble())


def http_report(trouble: Reason | None) -> tuple[HTTPStatus, str]:
    """Return the answer to a request for `/health`."""
    if trouble is None:
        return HTTPStatus.OK, "ok\n"
    return HTTPStatus.SERVICE_UNAVAILABLE, f"{fill_gaps(trouble.text, trouble.args)}\n"

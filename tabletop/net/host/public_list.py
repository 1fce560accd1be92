"""The tables that are announced to the network, or listed for a guest who asks the server."""

from collections.abc import Iterable

from tabletop.engine.model import Reason
from tabletop.net.host.sleeping_tables import KnownTable, listed_as
from tabletop.net.host.tenants import Tenants
from tabletop.net.listing import MOST_LISTED, Listed, Tables
from tabletop.net.table.hosted_table import HostedTable


def announced(tables: Iterable[HostedTable]) -> tuple[Listed, ...]:
    """The tables that somebody could still come to, as the network may know them."""
    return tuple(listed_as(hosted) for hosted in tables if hosted.welcoming and hosted.guests)


def listed(
    tables: Iterable[KnownTable], tenants: Tenants, origin: str, key: str
) -> Tables | Reason:
    """List the tables for a guest with this key, or none; else return why not. The latest to be
    opened are last."""
    tenant = tenants.entered(origin, key) if key else tenants.of("")
    if isinstance(tenant, Reason):
        return tenant
    shown = tenant.name if key or not tenant.key else None
    tables_shown = [
        listed_as(hosted)
        for hosted in tables
        if hosted.plan.listing != "none"
        and hosted.welcoming
        and tenants.visible_to(hosted.tenant, shown)
    ]
    return Tables(tuple(tables_shown[-MOST_LISTED:]), len(tables_shown) > MOST_LISTED)

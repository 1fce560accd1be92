"""Lists of a server's tables and matches, and who may see these lists."""

from collections.abc import Iterable
from typing import Literal

from tabletop.engine.model import Reason
from tabletop.net.host.opening_limits import OpeningLimits
from tabletop.net.host.sleeping_tables import KnownTable, listing_of
from tabletop.protocol.listing import MAX_LISTED_TABLES, ListTables, TableList

ListedFor = Literal["everybody", "members"]


class PublicList:
    """The visible tables of one server."""

    def __init__(self, openings: OpeningLimits, listed_for: ListedFor) -> None:
        """`listed_for`: who may see the lists, either everybody or only
        members with the server's key.
        """
        self._openings = openings
        self._listed_for = listed_for

    def may_see(self, origin: str, key: str) -> bool | Reason:
        """Return whether a guest with `key` may see the lists, or the reason
        for refusing a wrong key.
        """
        if key and (why := self._openings.check_key(origin, key)):
            return why
        return self._listed_for == "everybody" or bool(key) or not self._openings.key

    def tables(
        self, origin: str, asked: ListTables, tables: Iterable[KnownTable]
    ) -> TableList | Reason:
        """Return the list of tables, the latest last, or the reason for a refusal."""
        visible = self.may_see(origin, asked.key)
        if isinstance(visible, Reason):
            return visible
        shown = [
            listing_of(hosted)
            for hosted in tables
            if visible and hosted.plan.listing != "none" and hosted.is_joinable
        ]
        return TableList(tuple(shown[-MAX_LISTED_TABLES:]), len(shown) > MAX_LISTED_TABLES)

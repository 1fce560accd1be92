"""The tables and matches that a server lists, and for whom."""

from collections.abc import Iterable
from typing import Literal

from tabletop.engine.model import Reason
from tabletop.net.host.opening_limits import OpeningLimits
from tabletop.net.host.sleeping_tables import KnownTable, listed_as
from tabletop.protocol.listing import MAX_LISTED_TABLES, ListTables, TableList

ListedFor = Literal["everybody", "members"]


class PublicList:
    """Who may see the lists of one server."""

    def __init__(self, openings: OpeningLimits, listed_for: ListedFor) -> None:
        """`listed_for`: everybody, or those who know the server's key."""
        self._openings = openings
        self._listed_for = listed_for

    def may_see(self, origin: str, key: str) -> bool | Reason:
        """Whether somebody with this key, or none, may see them; why not if the key is wrong."""
        if key and (why := self._openings.check_key(origin, key)):
            return why
        return self._listed_for == "everybody" or bool(key) or not self._openings.key

    def tables(
        self, origin: str, asked: ListTables, tables: Iterable[KnownTable]
    ) -> TableList | Reason:
        """List the tables for a guest; else return why not. The latest to be opened are last."""
        visible = self.may_see(origin, asked.key)
        if isinstance(visible, Reason):
            return visible
        shown = [
            listed_as(hosted)
            for hosted in tables
            if visible and hosted.plan.listing != "none" and hosted.welcoming
        ]
        return TableList(tuple(shown[-MAX_LISTED_TABLES:]), len(shown) > MAX_LISTED_TABLES)

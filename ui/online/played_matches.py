"""The user's finished matches on servers: lists them for joining, downloads them as replays."""

from functools import partial

from PySide6.QtCore import QObject, Signal

from tabletop.engine.model import Reason
from tabletop.files.errors import StorageError
from tabletop.home.known_hosts import KnownHosts
from tabletop.net.guest.archive_query import fetch_record, list_all_finished
from tabletop.protocol.archive import (
    MAX_QUERIED_TABLES,
    FinishedMatch,
    FinishedMatches,
    MatchId,
    TableTokens,
)
from tabletop.protocol.invitation import Address
from tabletop.storage import saved_matches
from tabletop.storage.record import Record
from tabletop.table.connection_events import ChangedCertificate
from ui.online.join_screen import JoinScreen
from ui.online.network_thread import NetworkThread
from ui.shell.app_context import AppContext

MAX_PARALLEL_QUERIES = 8
"""The maximum number of simultaneous queries; each server's latest tables are queried first."""
PAGE_SIZE = 20
"""The number of matches listed at first, and added by each *Show more*."""


class PlayedMatches(QObject):
    """Finds the user's finished matches on servers, using the tokens stored on this computer."""

    watch_requested = Signal(object)
    """A request to watch a downloaded match: the Path of its record."""

    def __init__(
        self, context: AppContext, parent: QObject, network: NetworkThread, known_hosts: KnownHosts
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._network = network
        self._known_hosts = known_hosts
        self._join: JoinScreen | None = None
        self._queries: list[tuple[Address, tuple[TableTokens, ...]]] = []
        """The queries not sent yet, each a server's address and the tokens of some tables."""
        self._matches: dict[tuple[str, MatchId], tuple[Address, FinishedMatch]] = {}
        """The server and the description of each match, by server name and match ID."""
        self._shown_limit = PAGE_SIZE

    def start(self, join: JoinScreen) -> None:
        """Query the servers where the user has played, and list the matches on `join`."""
        self._join, self._matches, self._shown_limit = join, {}, PAGE_SIZE
        join.record_requested.connect(self._download)
        join.more_requested.connect(self._show_more)
        self._queries = _queries(self._known_hosts)
        self._send_next()
        self._show()

    def _send_next(self) -> None:
        batch, self._queries = (
            self._queries[:MAX_PARALLEL_QUERIES],
            self._queries[MAX_PARALLEL_QUERIES:],
        )
        for place, mine in batch:
            self._network.query_server(
                place, partial(list_all_finished, place, mine), self._on_matches
            )

    def _show_more(self) -> None:
        self._shown_limit += PAGE_SIZE
        self._send_next()
        self._show()

    def stop(self) -> None:
        """Stop updating the join screen."""
        self._join = None

    def _on_matches(
        self, place: Address, answer: FinishedMatches | Reason | ChangedCertificate
    ) -> None:
        if self._join is None or not isinstance(answer, FinishedMatches):
            return  # a server that is away now, or of an older version, has nothing to show
        self._matches |= {(place.name, match.match): (place, match) for match in answer.matches}
        self._show()

    def _show(self) -> None:
        if self._join is None:
            return
        found = sorted(self._matches.values(), key=lambda each: each[1].ended, reverse=True)
        more = len(found) > self._shown_limit or bool(self._queries)
        self._join.show_finished(found[: self._shown_limit], more)

    def _download(self, place: Address, match: FinishedMatch) -> None:
        tokens = (
            each.tokens
            for each in self._known_hosts.list_played_tables(place.name)
            if each.table == match.match.table
        )
        query = partial(fetch_record, place, match.match, next(tokens, ()))
        self._network.query_server(place, query, self._on_record)

    def _on_record(self, _: Address, answer: Record | Reason | ChangedCertificate) -> None:
        join = self._join
        if join is None:
            return  # the user has left the join screen
        try:
            if isinstance(answer, Record):
                self.watch_requested.emit(saved_matches.save_downloaded_replay(answer))
                return
            reason = answer if isinstance(answer, Reason) else answer.reason
        except StorageError as error:
            reason = error.reason
        join.show_error(self._context.words.reason(reason))


def _queries(known_hosts: KnownHosts) -> list[tuple[Address, tuple[TableTokens, ...]]]:
    """Return the queries for all servers, with the latest tables of each server first.

    Each query is small enough for a single answer.
    """
    parts = []
    for place in known_hosts.played_hosts:
        mine = known_hosts.list_played_tables(place.name)[::-1]
        for start in range(0, len(mine) if place.fingerprint else 0, MAX_QUERIED_TABLES):
            parts.append((start, place, mine[start : start + MAX_QUERIED_TABLES]))
    parts.sort(key=lambda part: part[0])
    return [(place, mine) for _, place, mine in parts]

"""One's own finished matches at servers: asked for while somebody looks for a table, and fetched to
be watched again and kept among the replays."""

from functools import partial

from PySide6.QtCore import QObject, Signal

from tabletop.engine.model import Reason
from tabletop.files.errors import StorageError
from tabletop.home.known_hosts import KnownHosts
from tabletop.net.guest.archive_query import all_finished_at, record_at
from tabletop.protocol.archive import (
    MOST_ASKED,
    FinishedMatch,
    FinishedMatches,
    MatchId,
    PlayedAt,
)
from tabletop.protocol.invitation import Address
from tabletop.storage import saved_matches
from tabletop.storage.record import Record
from tabletop.table.connection_events import ChangedCertificate
from ui.online.join_screen import JoinScreen
from ui.online.network_thread import NetworkThread
from ui.shell.app_context import AppContext

MOST_SERVERS = 8
"""The number of questions asked at once, of the latest tables."""
MOST_SHOWN = 20
"""The number of matches shown at first, and of those that each *Show more* adds."""


class PlayedMatches(QObject):
    """The finished matches of this computer, which servers find by the tokens that it has kept."""

    fetched = Signal(object)
    """Request to watch a fetched match: its Path."""

    def __init__(
        self, context: AppContext, parent: QObject, network: NetworkThread, known_hosts: KnownHosts
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._network = network
        self._known_hosts = known_hosts
        self._join: JoinScreen | None = None
        self._questions: list[tuple[Address, tuple[PlayedAt, ...]]] = []
        """The servers that are still to be asked, and about which tables."""
        self._matches: dict[tuple[str, MatchId], tuple[Address, FinishedMatch]] = {}
        """The matches by the servers' names."""
        self._most = MOST_SHOWN

    def begin(self, join: JoinScreen) -> None:
        """Ask the servers where somebody has played, and show their answers on this screen."""
        self._join, self._matches, self._most = join, {}, MOST_SHOWN
        join.record_requested.connect(self._fetch)
        join.more_wanted.connect(self._show_more)
        self._questions = _questions(self._known_hosts)
        self._ask_next()
        self._show()

    def _ask_next(self) -> None:
        asked, self._questions = self._questions[:MOST_SERVERS], self._questions[MOST_SERVERS:]
        for place, mine in asked:
            self._network.ask(place, partial(all_finished_at, place, mine), self._list)

    def _show_more(self) -> None:
        self._most += MOST_SHOWN
        self._ask_next()
        self._show()

    def end(self) -> None:
        """Stop showing matches."""
        self._join = None

    def _list(self, place: Address, answer: FinishedMatches | Reason | ChangedCertificate) -> None:
        if self._join is None or not isinstance(answer, FinishedMatches):
            return  # a server that is away now, or of an older version, has nothing to show
        self._matches |= {(place.name, match.match): (place, match) for match in answer.matches}
        self._show()

    def _show(self) -> None:
        if self._join is None:
            return
        found = sorted(self._matches.values(), key=lambda each: each[1].ended, reverse=True)
        more = len(found) > self._most or bool(self._questions)
        self._join.show_finished(found[: self._most], more)

    def _fetch(self, place: Address, match: FinishedMatch) -> None:
        tokens = (
            each.tokens
            for each in self._known_hosts.list_played_tables(place.name)
            if each.table == match.match.table
        )
        query = partial(record_at, place, match.match, next(tokens, ()))
        self._network.ask(place, query, self._take)

    def _take(self, _: Address, answer: Record | Reason | ChangedCertificate) -> None:
        join = self._join
        if join is None:
            return  # the person has gone elsewhere
        try:
            if isinstance(answer, Record):
                self.fetched.emit(saved_matches.save_downloaded_replay(answer))
                return
            reason = answer if isinstance(answer, Reason) else answer.reason
        except StorageError as error:
            reason = error.reason
        join.complain(self._context.words.reason(reason))


def _questions(known_hosts: KnownHosts) -> list[tuple[Address, tuple[PlayedAt, ...]]]:
    """The questions to the servers, each about so many tables that one answer holds them: first
    about each server's latest tables."""
    parts = []
    for place in known_hosts.played_hosts:
        mine = known_hosts.list_played_tables(place.name)[::-1]
        for start in range(0, len(mine) if place.fingerprint else 0, MOST_ASKED):
            parts.append((start, place, mine[start : start + MOST_ASKED]))
    parts.sort(key=lambda part: part[0])
    return [(place, mine) for _, place, mine in parts]

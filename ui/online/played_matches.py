"""One's own finished matches at servers: asked for while somebody looks for a table, and fetched to
be watched again and kept among the replays."""

from PySide6.QtCore import QObject, Signal

from tabletop.engine.model import Reason
from tabletop.files.errors import StorageError
from tabletop.net.guest.known_hosts import KnownHosts
from tabletop.net.guest.session import ChangedCertificate
from tabletop.protocol.archive import MOST_ASKED, FinishedMatch, FinishedMatches
from tabletop.protocol.invitation import Address
from tabletop.storage import saved_matches
from tabletop.storage.record import Record
from ui.online.join_screen import JoinScreen
from ui.online.network_thread import NetworkThread
from ui.shell.app_context import AppContext

MOST_SERVERS = 8
"""The number of servers asked, the latest ones."""
MOST_SHOWN = 20


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
        self._matches: dict[str, tuple[tuple[Address, FinishedMatch], ...]] = {}
        """The matches by the servers' names."""
        network.finished.connect(self._list)
        network.fetched.connect(self._take)

    def begin(self, join: JoinScreen) -> None:
        """Ask the servers where somebody has played, and show their answers on this screen."""
        self._join, self._matches = join, {}
        join.rewatched.connect(self._fetch)
        places = self._known_hosts.played_places
        for place in [place for place in places if place.fingerprint][:MOST_SERVERS]:
            mine = self._known_hosts.played_at(place.name)[-MOST_ASKED:]
            self._network.ask_finished(place, mine)

    def end(self) -> None:
        """Stop showing matches."""
        self._join = None

    def _list(self, place: Address, answer: FinishedMatches | Reason | ChangedCertificate) -> None:
        if self._join is None or not isinstance(answer, FinishedMatches):
            return  # a server that is away now, or of an older version, has nothing to show
        self._matches[place.name] = tuple((place, match) for match in answer.matches)
        shown = [each for matches in self._matches.values() for each in matches]
        shown.sort(key=lambda each: each[1].ended, reverse=True)
        self._join.show_finished(shown[:MOST_SHOWN])

    def _fetch(self, place: Address, match: FinishedMatch) -> None:
        tokens = (
            each.tokens
            for each in self._known_hosts.played_at(place.name)
            if each.table == match.match.table
        )
        self._network.fetch_record(place, match.match, next(tokens, ()))

    def _take(self, _: Address, answer: Record | Reason | ChangedCertificate) -> None:
        join = self._join
        if join is None:
            return  # the person has gone elsewhere
        try:
            if isinstance(answer, Record):
                self.fetched.emit(saved_matches.keep_fetched(answer))
                return
            reason = answer if isinstance(answer, Reason) else answer.reason
        except StorageError as error:
            reason = error.reason
        join.complain(self._context.words.reason(reason))

"""The record of a match at a shared table. The table's host keeps the actual record."""

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Reason
from tabletop.engine.play import Illegal
from tabletop.language.table_status import Capabilities, TablePeople
from tabletop.language.words import Words
from tabletop.match.match import Match
from tabletop.match.replaying import UNPLAYABLE, refuse_unplayable
from tabletop.net.guest.player_names import named_players
from tabletop.protocol.match_notes import UNNAMED_HOST
from ui.match.seated_table import NoteReader
from ui.online.remote_table import RemoteTable
from ui.shell.app_context import AppContext


class SharedRecord:
    """A `MatchRecord` of a match that another program records; only the result is stored here."""

    match: Match | None = None
    snapshot = None
    file = None
    hurried = False
    capabilities = Capabilities()

    def __init__(self, context: AppContext, remote: RemoteTable, kit: GameKit) -> None:
        self._context = context
        self.remote = remote
        self._kit = kit
        self.round = remote.info.round if remote.info else 0
        """The number of the match among those at its table."""

    @property
    def saveable_match(self) -> Match | None:
        """The match, rebuilt from the record that the host publishes after the end; None before.

        Raises:
            Illegal: the published record isn't a valid match.
        """
        proof = self.remote.guest.proof
        if proof is None:
            return None
        if len(proof.players) not in self._kit.box.seats:
            raise Illegal(UNPLAYABLE)
        with refuse_unplayable():
            kit = self._kit
            match = Match(kit, proof.players, proof.options, proof.seed)
            for entry in proof.record:
                match.restore(entry)
        match.fair_start = self.remote.guest.fair_start
        return match

    @property
    def table_people(self) -> TablePeople:
        return self.remote.table_people

    @property
    def statistics_key(self) -> str:
        return self.remote.match_key(self.round) if self.remote.local_seats else ""

    def set_bots_hurried(self, hurried: bool) -> None: ...

    def set_resting(self, resting: bool) -> None: ...

    def note_reader(self, seat: int) -> NoteReader | None:
        guest, info = self.remote.guest, self.remote.info
        send = guest.pin_note(seat)
        if guest.is_host or info is None or send is None:
            return None
        name = self.remote.name_of(info.host) or self._context.words(UNNAMED_HOST.text)
        return NoteReader(name, lambda text: self.remote.request(send, text))

    def show_refusal(self, reason: Reason) -> None:
        self.remote.notice_posted.emit(reason)

    def close(self) -> None: ...


def words_for_table(context: AppContext, remote: RemoteTable) -> Words:
    """Return the words of the table's game; the program's own until the game is known."""
    players = named_players(remote.guest.players, context.words.language)
    return context.table_words(remote.kit, players) if remote.kit else context.words

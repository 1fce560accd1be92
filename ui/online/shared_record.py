"""The record of a match at a shared table, which its host keeps."""

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
    """A match that its host records (`seated_table.MatchRecord`); its end is recorded here too."""

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
        """Which of the table's matches this is."""

    @property
    def recorded(self) -> Match | None:
        """The match played again from what the host published after its end.

        Raises:
            Illegal: it makes no match.
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
    def key(self) -> str:
        return self.remote.match_key(self.round) if self.remote.own else ""

    def hurry(self, hurried: bool) -> None: ...

    def rest(self, resting: bool) -> None: ...

    def note_reader(self, seat: int) -> NoteReader | None:
        guest, info = self.remote.guest, self.remote.info
        send = guest.pin_note(seat)
        if guest.hosts or info is None or send is None:
            return None
        name = self.remote.name(info.host) or self._context.words(UNNAMED_HOST.text)
        return NoteReader(name, lambda text: self.remote.act(send, text))

    def refuse(self, reason: Reason) -> None:
        self.remote.noted.emit(reason)

    def close(self) -> None: ...


def words_at(context: AppContext, remote: RemoteTable) -> Words:
    """The words of the table's game and players; those of the program while no game is known."""
    players = named_players(remote.guest.players, context.words.language)
    return context.words_of(remote.kit, players) if remote.kit else context.words

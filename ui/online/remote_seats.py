"""A table elsewhere, sat at from here: its seats are the guest's."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from tabletop.catalogue.catalogue import Kit
from tabletop.engine.model import AUDIENCE
from tabletop.engine.play import Illegal
from tabletop.language.words import Words
from tabletop.match.match import Match, Player
from tabletop.match.replaying import UNPLAYABLE, refuse_unplayable
from tabletop.match.seat import Seat
from tabletop.net.guest.player_names import named_players
from tabletop.protocol.match_notes import SOMEBODY
from tabletop.protocol.table_people import may_ask_to_undo
from ui.match.seating import NoteReader
from ui.online.remote_table import RemoteTable
from ui.shell.app_context import AppContext


class RemoteSeats(QObject):
    """The seats of this computer at a table of which another one holds the whole."""

    match: Match | None = None
    file = None
    hurried = False

    def __init__(self, context: AppContext, remote: RemoteTable, kit: Kit) -> None:
        super().__init__()
        self._context = context
        self.remote = remote
        self.kit = kit
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
        if len(proof.players) not in self.kit.box.seats:
            raise Illegal(UNPLAYABLE)
        with refuse_unplayable():
            match = Match(self.kit.game, self.kit.backs, proof.players, proof.options, proof.seed)
            for entry in proof.record:
                match.restore(entry)
        match.fair_start = self.remote.guest.fair_start
        return match

    @property
    def key(self) -> str:
        return self.remote.match_key(self.round) if self.remote.own else ""

    @property
    def players(self) -> tuple[Player, ...]:
        return named_players(self.remote.guest.players, self._context.words.language)

    @property
    def people(self) -> tuple[int, ...]:
        """The seats here for which no bot plays."""
        info = self.remote.info
        sitters = info.sitters if info else ()
        own, seats = self.remote.own, self.remote.guest.own_seats
        return tuple(
            [s for s in own if s < len(sitters) and sitters[s].state != "bot" and s in seats]
        )

    def seat(self, viewer: int) -> Seat:
        guest = self.remote.guest
        seat = guest.audience if viewer == AUDIENCE else guest.own_seats[viewer]
        assert seat is not None  # a table is sat at once all has been shown (`RemoteTable.playing`)
        return seat

    # Taking back is the host's to decide: alone where it may be, else by consent of all.

    @property
    def can_agree(self) -> bool:
        return bool(self.people) and may_ask_to_undo(self.remote.info, self.seat(AUDIENCE).view)

    def agree(self, seat: int) -> None:
        """Ask the others whether this seat's last move may be taken back."""
        self.seat(seat).undo()

    def move_to_redo(self, seat: int) -> None: ...  # the others saw it go: it is played anew

    def stand_in(self, seat: int, bot: bool, then: Callable[[], None]) -> None: ...  # the host's

    def note_reader(self, seat: int) -> NoteReader | None:
        guest, info = self.remote.guest, self.remote.info
        send = guest.pin_note(seat)
        if guest.hosts or info is None or send is None:
            return None
        name = self.remote.name(info.host) or self._context.words(SOMEBODY.text)
        return NoteReader(name, lambda text: self.remote.act(send, text))

    def hurry(self, hurried: bool) -> None: ...  # the host's bots are not ours to drive

    def rest(self, resting: bool) -> None: ...

    def close(self) -> None: ...


def words_at(context: AppContext, remote: RemoteTable) -> Words:
    """The words of the table's game and players; those of the program while no game is known."""
    players = named_players(remote.guest.players, context.words.language)
    return context.words_of(remote.kit, players) if remote.kit else context.words

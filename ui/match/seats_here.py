"""The seats of this computer at one table: the one that looks, and the one that must look next.

It knows no more of its table (`seating`) than the seats at this computer are shown.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal

from tabletop.engine.events import Said
from tabletop.engine.model import AUDIENCE, State
from tabletop.language.table_status import TableStatus
from tabletop.language.words import Words
from tabletop.match.match import Match, Player, Reset, Update
from tabletop.match.reactions import has_chances
from tabletop.match.seat import Reacting, Seat
from tabletop.match.story import Story
from ui.match.hot_seat import needs_curtain, next_viewer, waiting
from ui.match.reactions_here import ASKING, ReactionsHere, later
from ui.match.seating import Seating
from ui.shell.app_context import AppContext


class SeatsHere(QObject):
    """The seats of this computer at one table, and the audience's."""

    received = Signal()
    """Everybody here has received the news; the player who looks may still see it move."""
    settled = Signal()
    """Everybody has received the news, and nothing moves before the player who looks: once for all
    that happened. All that continues at a table continues from here."""
    _came = Signal()

    def __init__(self, context: AppContext, seating: Seating, open_table: bool = False) -> None:
        """`open_table`: one person plays all seats here, so nothing hides from anybody."""
        super().__init__()
        self._open_table = open_table
        self.context = context
        self.seating = seating
        self.kit = seating.kit
        self.looking = AUDIENCE
        """The seat that looks, or the audience."""
        self.seats: dict[int, Seat] = {}
        for viewer in (AUDIENCE, *seating.people):
            self.seat(viewer)
        self.reactions = ReactionsHere(context, seating, self.seat, lambda: self.looking)
        plies = seating.match.plies if seating.match is not None else ()
        self._stories = {
            viewer: Story(self.kit, seat, plies) for viewer, seat in self.seats.items()
        }
        self._went_back = False
        """Whether moves were taken back last."""
        self.link: Seat | None = None
        """The seat that is on the screen; None while nobody may look."""
        self._stop_moving: Callable[[], None] = lambda: None
        self._heard = dict.fromkeys(range(len(seating.players)), 0)
        self._looked: set[int] = set()
        """The viewers who have looked already."""
        self.moving = False
        """Whether the player who looks does not see yet all that happened."""
        self._news_pending = False
        """Whether something happened that not everybody here has received."""
        self._coming = False
        """Whether `_go_on` is under way."""
        self._closed = False
        context.changed.connect(self._note_changed)
        self._came.connect(self._go_on, Qt.ConnectionType.QueuedConnection)

    def seat(self, viewer: int) -> Seat:
        """A seat here, or the audience's; it hears from the first time it is wanted."""
        if viewer not in self.seats:
            self.seats[viewer] = seat = self.seating.seat(viewer)
            seat.players = self.players
            seat.on_update(self._hear)
            seat.on_refusal(lambda _: self.reactions.give_up())
        return self.seats[viewer]

    @property
    def match(self) -> Match | None:
        """The match, where it is played in this process."""
        return self.seating.match

    @property
    def file(self) -> Path | None:
        """The file of the match; None if it isn't recorded here."""
        return self.seating.file

    @property
    def view(self) -> State:
        """The table as everybody sees it."""
        return self.seat(AUDIENCE).view

    @property
    def log(self) -> tuple[Said, ...]:
        """All that everybody could hear."""
        return tuple(self.seat(AUDIENCE).log)

    @property
    def players(self) -> tuple[Player, ...]:
        return self.seating.players

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of persons at this computer."""
        return self.seating.people

    @property
    def over(self) -> bool:
        return self.view.result is not None

    @property
    def following(self) -> int:
        """The player who must look now; the one who looks, where nobody else must."""
        bar, called = self.reactions.bar, self.reactions.called
        if called is None and (bar.passed or (bar.asks and not bar.stays)):
            return self.looking
        reacting = tuple(ask.seat for ask in bar.asks)
        return next_viewer(self.view, self.people, self.looking, reacting, called)

    @property
    def name(self) -> str:
        """The name of the player who looks."""
        return self.players[self.looking].name if self.looking != AUDIENCE else ""

    def status(self, words: Words) -> TableStatus:
        """The table's status for the player who looks, as far as their seat knows; `words` are
        the table's."""
        link, seating, bar = self.link, self.seating, self.reactions.bar
        asked_at = AUDIENCE if bar.stays else self.following
        waited = waiting(self.view)
        bots = {self.players[seat].kind for seat in waited} == {"bot"}
        return TableStatus(
            words=words,
            kit=self.kit,
            people=self.people,
            view=link.view if link is not None else self.view,
            offers=link.offers if link is not None else {},
            looking=self.looking,
            following=self.following,
            waiting=waited,
            bots_wait=bots and self.match is not None,
            reacting=bar.asks if self.looking == asked_at else (),
            reacting_stays=bar.stays,
            regretting=self.reactions.regretting,
            reaction_pause=self.context.settings.reaction_pause,
            local=self.match is not None,
            over=self.over,
            moving=self.moving,
            went_back=self._went_back,
            hurried=seating.hurried,
            passing=link is not None and link.passing,
            can_undo=self.can_undo,
            can_agree=seating.can_agree,
            can_redo=seating.can_redo(self.looking),
            has_chances=has_chances(self.kit.meaning),
        )

    def hides(self, following: int) -> bool:
        """Whether the curtain must fall before this viewer looks."""
        if self._open_table:
            return False
        views = {seat: self.seat(seat).view for seat in self.people}
        return needs_curtain(views, self.looking, following)

    def look(self, viewer: int) -> Seat:
        """Let this viewer look; returns the seat for the scene."""
        self.look_away()
        self.looking = viewer
        self._looked.add(viewer)
        self.link = seat = self.seat(viewer)
        seat.players = self.players
        if viewer != AUDIENCE:
            way = partial(self.reactions.way, viewer)
            seat.react(Reacting(self.kit.meaning, way, lambda: self.reactions.pause, later))
        self._stop_moving = seat.on_update(self._note_moving)
        self._note_heard(viewer)
        return seat

    def look_away(self) -> None:
        """Nobody looks any more; the player who looked hears nothing more."""
        if self.link is not None:
            self._note_heard(self.looking)
            self._stop_moving()
            self.link.react(None)
            self.link = None
        self.looking = AUDIENCE
        self.settle()

    @property
    def story(self) -> Story | None:
        """What the player who looks was told since their last turn."""
        return self._stories.get(self.looking)

    def concede(self) -> None:
        """The player who looks gives the match up."""
        self.seating.concede(self.looking)

    @property
    def can_undo(self) -> bool:
        """Whether the player who looks may take the last move back alone."""
        return self.looking != AUDIENCE and self.seat(self.looking).undoable

    def redo(self) -> None:
        """Play again what the player who looks took back last, if it was the last thing done."""
        if self.seating.can_redo(self.looking):
            self.seating.redo(self.looking)

    def has_looked(self, viewer: int) -> bool:
        """Whether this viewer has looked at the table before."""
        return viewer in self._looked

    def since(self, viewer: int) -> tuple[Said, ...]:
        """The public log lines since this viewer last looked."""
        return self.log[self._heard.get(viewer, 0) :]

    def close(self) -> None:
        """Leave the table: nobody here gets any more messages."""
        self._closed = True
        self.reactions.stop()
        self.context.changed.disconnect(self._note_changed)
        self.look_away()
        self.seating.close()  # the last answers reach the seats before they are left
        for seat in self.seats.values():
            seat.close()

    # Events of the table, and their way to the player who looks

    def begin(self) -> None:
        """Everybody sits: the first one may look."""
        self._go_on()

    def settle(self) -> None:
        """Let the player who looks see the table as it is shown to their seat."""
        if self.moving:
            self.moving = False
            self._come()

    def _hear(self, message: Update | Reset) -> None:
        self._went_back = isinstance(message, Reset)
        self._news_pending = True
        self._come()

    def _note_moving(self, message: Update | Reset) -> None:
        self.moving = True

    def _note_changed(self, changed: frozenset[str]) -> None:
        """Ask open questions again once a setting has changed that affects the way a player is
        asked."""
        if not changed & ASKING:
            return
        self.reactions.stop()
        if self.link is not None:
            self.link.reconsider()
        self._come()

    def _come(self) -> None:
        if not self._coming:
            self._coming = True
            self._came.emit()

    def _go_on(self) -> None:
        """Pass on what happened once every seat here has it, and go on once it has been seen."""
        self._coming = False
        if self._closed or not self._in_step:
            return
        if self._news_pending:
            self._news_pending = False
            self.reactions.renew()
            self._note_heard(self.looking)
            self.received.emit()
        if not self.moving:
            self.settled.emit()
        self.seating.rest(not self.moving)

    @property
    def _in_step(self) -> bool:
        """Whether all seats show the match up to the same move."""
        return len({seat.view.ply for seat in self.seats.values()}) == 1

    def _note_heard(self, viewer: int) -> None:
        if viewer in self._heard:
            self._heard[viewer] = len(self.log)

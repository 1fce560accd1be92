"""Handing the screen over, and the curtain that falls before another player looks (hot seat)."""

from functools import partial
from typing import Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from tabletop.engine.events import Said
from tabletop.engine.model import AUDIENCE
from tabletop.match.open_asks import awaited_seats
from tabletop.match.seat import Seat
from ui.match.curtain import Curtain, PublicLine
from ui.match.private_windows import PrivateWindows
from ui.match.reactions_here import ReactionsHere
from ui.match.seats_here import SeatsHere
from ui.shell.app_context import AppContext
from ui.shell.unwatched_window import UnwatchedWindow


class CurtainedScreen(Protocol):
    """The screen's side of a hand-over."""

    def leave(self) -> None:
        """Take the table of who looked away."""

    def wipe(self) -> None:
        """Take everything of who looked away: no sentence or tip is left."""

    def cover(self, covered: bool) -> None:
        """Let nothing under the curtain be used, or again."""

    def sit(self, seat: Seat) -> None:
        """Show the table of this seat."""

    def refresh(self) -> None:
        """Make everything round the table fit it."""

    def take_focus(self) -> None:
        """Give the keys to the table."""


class HandOver(QObject):
    """Lets one after the other look at a table screen; nobody sees what is another's."""

    called = Signal(bool)
    """The viewer is asked something now; whether they had to wait for it."""

    def __init__(
        self,
        context: AppContext,
        seats_here: SeatsHere,
        reactions: ReactionsHere,
        curtain: Curtain,
        screen: CurtainedScreen,
    ) -> None:
        super().__init__(curtain)
        self._context = context
        self._seats_here = seats_here
        self._reactions = reactions
        self._curtain = curtain
        self._screen = screen
        self._windows = PrivateWindows(curtain)
        self._following = AUDIENCE
        """For whom the curtain is drawn."""
        self._own = False
        """Whether the curtain is drawn for the player who has just looked."""
        self._waited = False
        """Whether the viewer had to wait for others since their last question."""
        self._heard: dict[int, int] = {}
        """How many lines of the log each viewer who has looked had heard then."""
        curtain.opened.connect(self._open_next_view)
        seats_here.received.connect(self._note_heard)
        seats_here.settled.connect(self.go_on)

    @property
    def covered(self) -> bool:
        """Whether the curtain hides the table."""
        return self._curtain.drawn

    @property
    def due(self) -> bool:
        """Whether the viewer has moved and another person must look next."""
        seats_here, following = self._seats_here, self._reactions.following
        return (
            seats_here.shown is not None
            and not self._curtain.drawn
            and following != seats_here.looking
            and seats_here.hides(following)
        )

    def go_on(self) -> None:
        """Continue once everything was shown and seen: let the right player look, or ask for the
        hand-over."""
        seats_here = self._seats_here
        if self._curtain.drawn:
            self._call_behind()
        if self._curtain.drawn or seats_here.moving:
            return
        following = self._reactions.following
        if seats_here.shown is None or following != seats_here.looking:
            if not seats_here.hides(following):
                self._look(following)
            elif seats_here.looking == AUDIENCE:
                self.draw(following)
        self._screen.refresh()
        self._reactions.keep(seats_here.moving)
        self._notify_of_turn()

    def begin(self) -> None:
        """The viewer has seen enough: draw the curtain for the next."""
        if self.due:
            self.draw(self._reactions.following)

    def call(self, seat: int) -> None:
        """This player reacts, and looks next."""
        self._reactions.call(seat)
        if self._seats_here.hides(seat):
            self.draw(seat)
        else:
            self.go_on()

    def close(self) -> None:
        """The table is left, and no draft comes back."""
        self._windows.close()

    def guard(self, window: QWidget) -> None:
        """Let a second curtain fall, if it is wanted, once nobody seems to look at the window."""
        UnwatchedWindow(window, self).left.connect(self._cover_own)

    def _cover_own(self) -> None:
        """Hide the viewer's table from anyone who comes by; of an open table nothing is hidden."""
        seats_here = self._seats_here
        hides = seats_here.looking != AUDIENCE and not seats_here.over
        if self._context.settings.second_curtain and hides and not self._curtain.drawn:
            self.draw(seats_here.looking)

    def draw(self, seat: int) -> None:
        """Everything of the last viewer goes before anything of the next one comes."""
        seats_here, screen = self._seats_here, self._screen
        self._own = seat == seats_here.looking
        self._note_heard()
        looked = seats_here.looking
        seats_here.look_away()
        self._windows.put_away(looked)
        screen.wipe()
        self._speak_to(seat)
        self._following = seat
        self._curtain.draw(
            seats_here.players[seat],
            partial(self._lines_since, seat),
            first=seat not in self._heard,
            same=self._own,
        )
        screen.cover(True)
        screen.refresh()

    def _lines_since(self, seat: int) -> list[PublicLine]:
        """Return the events since this player last looked, in the language of the moment."""
        seats_here = self._seats_here
        words = self._context.words_of(seats_here.kit, seats_here.players)
        lines = seats_here.log[self._heard.get(seat, 0) :]
        return [PublicLine(words.log_line(said, seat), self._symbol_of(said)) for said in lines]

    def _symbol_of(self, said: Said) -> str:
        """The symbol of the first player that a line is about; empty where it is about none."""
        players = self._seats_here.players
        seats = (value for name, value in said.args.items() if name.startswith("seat"))
        about = (seat for seat in seats if isinstance(seat, int) and 0 <= seat < len(players))
        seat = next(about, None)
        return players[seat].symbol if seat is not None else ""

    def _open_next_view(self) -> None:
        """Build the next view while the curtain still covers it, then take the curtain away."""
        self._look(self._following)
        self._screen.cover(False)
        self._curtain.hide()
        self._screen.take_focus()
        self.go_on()

    def _look(self, viewer: int) -> None:
        self._screen.leave()
        self._speak_to(viewer)
        self._note_heard()
        seat = self._seats_here.look(viewer)
        self._reactions.treat(seat)
        self._screen.sit(seat)
        self._windows.bring_back(viewer)
        self._note_heard()

    def _note_heard(self) -> None:
        """Who looks has heard everything."""
        if self._seats_here.shown is not None:
            self._heard[self._seats_here.looking] = len(self._seats_here.log)

    def _speak_to(self, viewer: int) -> None:
        """Use each player's own language, and the window's for all together."""
        context, players = self._context, self._seats_here.players
        context.speak(context.language_of(players[viewer].name) if viewer != AUDIENCE else None)

    def _notify_of_turn(self) -> None:
        """Notify the viewer of their turn, if they had to wait for it."""
        seat = self._seats_here.shown
        asked = seat is not None and bool(seat.offers)
        if asked:
            self.called.emit(self._waited)
        self._waited = not asked and seat is not None

    def _call_behind(self) -> None:
        """Notify a player who has left the table covered, too, that it is their turn."""
        asked = self._following in awaited_seats(self._seats_here.view)
        if self._own and asked and self._waited:
            self.called.emit(True)
        self._waited = not asked

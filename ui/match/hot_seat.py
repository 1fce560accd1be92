"""The hot seat: one table screen that several people look at, one after the other.

Who looks is the viewer switch's to decide (`tabletop.match.viewer_switch`). This is its screen: the
curtain, the private windows over the table, and each player's language.
"""

from collections.abc import Callable
from functools import partial
from typing import Protocol

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from tabletop.engine.events import Said
from tabletop.engine.model import AUDIENCE
from tabletop.match.match import Reset
from tabletop.match.seat import Seat
from tabletop.match.viewer_switch import ViewerSwitch
from tabletop.protocol.messages import TableInfo, TableNews
from tabletop.table.connection_events import News
from ui.match.curtain import Curtain, PublicLine
from ui.match.private_windows import PrivateWindows
from ui.match.seated_table import SeatedTable
from ui.shell.app_context import AppContext
from ui.shell.call_later import call_later
from ui.shell.window_attention import WindowAttentionWatcher

ASKING = frozenset({"reaction", "reactions", "reaction_pause"})
"""The settings by which people are asked whether they react."""


class CurtainedScreen(Protocol):
    """A table screen that can be handed from player to player."""

    def leave(self) -> None:
        """Remove the table of the player who looked."""

    def wipe(self) -> None:
        """Remove everything of the player who looked: no sentence or tip is left."""

    def cover(self, covered: bool) -> None:
        """Disable what is below the curtain, or enable it again."""

    def sit(self, seat: Seat) -> None:
        """Show the table of this seat."""

    def refresh(self) -> None:
        """Make everything round the table fit it."""

    def take_focus(self) -> None:
        """Give the keys to the table."""


class HotSeat(QObject):
    """The screen of a viewer switch (`viewer_switch.ViewerScreen`)."""

    received = Signal()
    """Everybody here has received the news; the player who looks may still see it move."""
    called = Signal(bool)
    """The viewer is asked something now; whether they had to wait for it."""
    _woken = Signal()

    def __init__(
        self, context: AppContext, seated: SeatedTable, curtain: Curtain, screen: CurtainedScreen
    ) -> None:
        super().__init__(curtain)
        self._context = context
        self._seated = seated
        self._curtain = curtain
        self._screen = screen
        self._windows = PrivateWindows(curtain)
        self._people = seated.people
        self._last_player = AUDIENCE
        """The player who looked last; AUDIENCE: nobody has yet."""
        seated.seat(AUDIENCE).players = seated.players  # the public table shows it from the start
        self.switch = ViewerSwitch(seated, context, self, _cancellable_call)
        self._woken.connect(self._go_on, Qt.ConnectionType.QueuedConnection)
        curtain.opened.connect(self._open_curtain)
        context.changed.connect(self._note_changed)
        self._stop_listening = seated.client.listen(self._hear)

    def guard(self, window: QWidget) -> None:
        """Close a second curtain, if it is wanted, once nobody seems to look at the window."""
        WindowAttentionWatcher(window, self).attention_lost.connect(self._cover_unwatched)

    def close(self) -> None:
        """Leave the table: nobody here gets any more messages, and no draft comes back."""
        self._stop_listening()
        self._context.changed.disconnect(self._note_changed)
        self._windows.close()
        self.switch.close()
        self._seated.close()

    # Events

    def _hear(self, news: News) -> None:
        match news:
            case TableNews(what=what):
                self.switch.on_news(any(isinstance(each, Reset) for each in what.values()))
            case TableInfo() if self._seated.people != self._people:
                self._people = self._seated.people
                self._seated.note_people()
                self.switch.on_people_changed()
            case _:
                pass

    def _go_on(self) -> None:
        self.switch.run_step()

    def _open_curtain(self) -> None:
        self.switch.open_curtain()

    def _cover_unwatched(self) -> None:
        if self._context.settings.second_curtain:
            self.switch.cover_unwatched()

    def _note_changed(self, changed: frozenset[str]) -> None:
        if changed & ASKING:
            self.switch.on_settings_changed()

    # Effects

    def schedule_step(self) -> None:
        self._woken.emit()

    def show(self, seat: Seat) -> None:
        self._screen.leave()
        self._speak_to(seat.number)
        seat.players = self._seated.players
        self._screen.sit(seat)
        self._change_windows(seat.number)

    def _change_windows(self, viewer: int) -> None:
        """Replace the windows of the last player by those of `viewer`. The audience has none, and
        those of the player who looks at the public table stay."""
        if viewer == AUDIENCE or self._seated.open_table:
            return
        if self._last_player not in (AUDIENCE, viewer):
            self._windows.put_away(self._last_player)
        self._last_player = viewer
        self._windows.bring_back(viewer)

    def cover(self, looked: int, following: int) -> None:
        self._windows.put_away(looked)
        self._screen.wipe()
        self._speak_to(following)
        self._curtain.draw(
            self._seated.players[following],
            partial(self._lines_since, following),
            first=following not in self.switch.seen_log_lengths,
            same=following == looked,
        )
        self._screen.cover(True)

    def uncover(self) -> None:
        self._screen.cover(False)
        self._curtain.hide()
        self._screen.take_focus()

    def on_news(self) -> None:
        self.received.emit()

    def refresh(self) -> None:
        self._screen.refresh()

    def announce_question(self, waited: bool) -> None:
        self.called.emit(waited)

    def set_resting(self, resting: bool) -> None:
        self._seated.record.rest(resting)

    def _speak_to(self, viewer: int) -> None:
        """Use each player's own language, and the window's for all together."""
        context, players = self._context, self._seated.players
        context.set_viewer_language(
            context.language_of(players[viewer].name) if viewer != AUDIENCE else None
        )

    def _lines_since(self, seat: int) -> list[PublicLine]:
        """Return the events since this player last looked, in the current language."""
        seated = self._seated
        words = self._context.game_words(seated.kit, seated.players)
        lines = seated.log[self.switch.seen_log_lengths.get(seat, 0) :]
        return [PublicLine(words.log_line(said, seat), self._symbol_of(said)) for said in lines]

    def _symbol_of(self, said: Said) -> str:
        """Return the symbol of the first player that a line is about; empty if there is none."""
        players = self._seated.players
        seats = (value for name, value in said.args.items() if name.startswith("seat"))
        about = (seat for seat in seats if isinstance(seat, int) and 0 <= seat < len(players))
        seat = next(about, None)
        return players[seat].symbol if seat is not None else ""


def _cancellable_call(milliseconds: int, act: Callable[[], None]) -> Callable[[], None]:
    return call_later(milliseconds / 1000, act).cancel

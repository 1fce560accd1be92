"""Hot-seat play: several local players take turns at one table screen.

`tabletop.match.viewer_switch` decides whose turn it is to look. This module draws the curtain,
hides the private windows over the table, and switches to the player's language.
"""

from collections.abc import Callable
from functools import partial
from typing import Protocol

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from tabletop.engine.events import Said
from tabletop.engine.model import AUDIENCE
from tabletop.language.table_status import Viewing
from tabletop.match.match import Reset
from tabletop.match.seat import Seat
from tabletop.match.viewer_switch import COVERED, ViewerSwitch
from tabletop.protocol.messages import TableInfo, TableNews
from tabletop.table.connection_events import News
from ui.match.curtain import Curtain, PublicLine
from ui.match.private_windows import PrivateWindows
from ui.match.seated_table import SeatedTable
from ui.shell.app_context import AppContext
from ui.shell.call_later import call_later
from ui.shell.window_attention import WindowAttentionWatcher

REACTION_SETTINGS = frozenset({"reaction", "reactions", "reaction_pause"})
"""Names of the settings that decide whether and how players are asked for reactions."""


class CurtainedScreen(Protocol):
    """A table screen on which a HotSeat can switch viewers."""

    def clear_table(self) -> None:
        """Remove the table and sidebar content of the current viewer."""

    def clear_private_content(self) -> None:
        """Remove everything the current viewer could see, including prompts and tooltips."""

    def set_covered(self, covered: bool) -> None:
        """Disable the widgets below the curtain if `covered`, or else enable them."""

    def show_seat(self, seat: Seat) -> None:
        """Show the table as seen from `seat`."""

    def refresh(self) -> None:
        """Update everything around the table, such as the prompt."""

    def focus_table(self) -> None:
        """Give the table keyboard focus."""


class HotSeat(QObject):
    """Switches the table screen between viewers (implements `viewer_switch.ViewerScreen`)."""

    news_received = Signal()
    """All local seats have received an update. The viewer's screen may still be animating it."""
    viewer_asked = Signal(bool)
    """The viewer has to answer a question.

    The argument is whether the viewer had been waiting for others.
    """
    _wake_requested = Signal()

    def __init__(
        self, context: AppContext, seated: SeatedTable, curtain: Curtain, screen: CurtainedScreen
    ) -> None:
        super().__init__(curtain)
        self._context = context
        self._seated = seated
        self._curtain = curtain
        self._screen = screen
        self._windows = PrivateWindows(curtain)
        self._local_players = seated.people
        self._last_player = AUDIENCE
        """The seat of the player who last looked at the screen, or AUDIENCE if nobody has yet."""
        # the public table shows names from the start
        seated.seat(AUDIENCE).players = seated.players
        self.switch = ViewerSwitch(seated, context, self, _cancellable_call)
        self._wake_requested.connect(self._resume_switch, Qt.ConnectionType.QueuedConnection)
        curtain.opened.connect(self._open_curtain)
        context.changed.connect(self._on_settings_changed)
        self._stop_listening = seated.client.listen(self._on_table_news)

    def cover_when_unattended(self, window: QWidget) -> None:
        """Draw the curtain whenever `window` seems unattended, if this setting is on."""
        WindowAttentionWatcher(window, self).attention_lost.connect(self._cover_unwatched)

    def close(self) -> None:
        """Stop listening to the table and the settings, discard drafts, and leave the table."""
        self._stop_listening()
        self._context.changed.disconnect(self._on_settings_changed)
        self._windows.close_drafts()
        self.switch.close()
        self._seated.close()

    @property
    def viewing(self) -> Viewing:
        """Who may look next, and how much of the table the viewer has seen."""
        seated, switch = self._seated, self.switch
        standing, bar = switch.decision, switch.decision.bar
        asked = AUDIENCE if bar.stays else standing.following
        return Viewing(
            following=standing.following,
            open_table=seated.open_table,
            covered=switch.state in COVERED,
            due=standing.handover_due,
            moving=switch.is_animating,
            went_back=switch.went_back,
            hurried=seated.record.hurried,
            reacting=bar.asks if switch.active_viewer == asked else (),
            reactions_stay_open=bar.stays,
            undoable_reactions=standing.can_undo,
        )

    # Events

    def _on_table_news(self, news: News) -> None:
        match news:
            case TableNews(what=what):
                self.switch.on_news(any(isinstance(each, Reset) for each in what.values()))
            case TableInfo() if self._seated.people != self._local_players:
                self._local_players = self._seated.people
                self._seated.update_people()
                self.switch.on_people_changed()
            case _:
                pass

    def _resume_switch(self) -> None:
        self.switch.run_step()

    def _open_curtain(self) -> None:
        self.switch.open_curtain()

    def _cover_unwatched(self) -> None:
        if self._context.settings.second_curtain:
            self.switch.cover_unwatched()

    def _on_settings_changed(self, changed: frozenset[str]) -> None:
        if changed & REACTION_SETTINGS:
            self.switch.on_settings_changed()

    # Effects

    def schedule_step(self) -> None:
        self._wake_requested.emit()

    def show(self, seat: Seat) -> None:
        self._screen.clear_table()
        self._use_language_of(seat.number)
        seat.players = self._seated.players
        self._screen.show_seat(seat)
        self._switch_windows(seat.number)

    def _switch_windows(self, viewer: int) -> None:
        """Hide the private windows of the last player and bring back those of `viewer`.

        Nothing changes if `viewer` is the audience, which has no windows, or if one person plays
        all seats.
        """
        if viewer == AUDIENCE or self._seated.open_table:
            return
        if self._last_player not in (AUDIENCE, viewer):
            self._windows.hide_windows_of(self._last_player)
        self._last_player = viewer
        self._windows.restore_drafts(viewer)

    def cover(self, looked: int, following: int) -> None:
        self._windows.hide_windows_of(looked)
        self._screen.clear_private_content()
        self._use_language_of(following)
        self._curtain.show_for(
            self._seated.players[following],
            partial(self._lines_since_last_look, following),
            first=following not in self.switch.seen_log_lengths,
            same=following == looked,
        )
        self._screen.set_covered(True)

    def uncover(self) -> None:
        self._screen.set_covered(False)
        self._curtain.hide()
        self._screen.focus_table()

    def on_news(self) -> None:
        self.news_received.emit()

    def refresh(self) -> None:
        self._screen.refresh()

    def announce_question(self, waited: bool) -> None:
        self.viewer_asked.emit(waited)

    def set_resting(self, resting: bool) -> None:
        self._seated.record.set_resting(resting)

    def _use_language_of(self, viewer: int) -> None:
        """Switch to the language of the player at `viewer`, or to the window's for the audience."""
        context, players = self._context, self._seated.players
        context.set_viewer_language(
            context.language_of(players[viewer].name) if viewer != AUDIENCE else None
        )

    def _lines_since_last_look(self, seat: int) -> list[PublicLine]:
        """Return the public log lines written since the player at `seat` last looked."""
        seated = self._seated
        words = self._context.table_words(seated.kit, seated.players)
        lines = seated.log[self.switch.seen_log_lengths.get(seat, 0) :]
        return [PublicLine(words.log_line(said, seat), self._symbol_of(said)) for said in lines]

    def _symbol_of(self, said: Said) -> str:
        """Return the symbol of the first player whom a log line mentions, or an empty string."""
        players = self._seated.players
        seats = (value for name, value in said.args.items() if name.startswith("seat"))
        about = (seat for seat in seats if isinstance(seat, int) and 0 <= seat < len(players))
        seat = next(about, None)
        return players[seat].symbol if seat is not None else ""


def _cancellable_call(milliseconds: int, act: Callable[[], None]) -> Callable[[], None]:
    return call_later(milliseconds / 1000, act).cancel

"""The public table, a second window for a screen that everyone in the room can see.

It shows only public information, arranges all players alike, and says whose turn it is and what
happened last in text that is readable from a sofa. Apart from shortcuts for the window itself, it
takes no input.
"""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QCloseEvent,
    QColor,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QScreen,
    QShowEvent,
)
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from tabletop.engine.model import AUDIENCE
from tabletop.language import table_text
from tabletop.language.race import Race, make_race
from tabletop.language.words import Words
from tabletop.match.open_asks import awaited_seats
from ui.match.box_opener import open_box
from ui.match.seated_table import SeatedTable
from ui.public.large_line import MAX_BADGES, LargeLine
from ui.public.phone_corner import PhoneCorner
from ui.public.race_column import RaceColumn
from ui.public.score_column import ScoreColumn
from ui.public.window_fit import WindowFit
from ui.shell.app_context import APPEARANCE_SETTINGS, MOTION_SETTINGS, AppContext
from ui.shell.commands import COMMANDS, shortcuts_of
from ui.shell.spoken_role import speak_as
from ui.shell.window_place import WindowInView
from ui.style.theme import bar_colour
from ui.table.scene import TableScene
from ui.table.view import TableView
from ui.widgets.box_layout import lay

DEFAULT_SIZE_PX = (1280, 800)
LINE_HEIGHT_SHARES = (0.08, 0.07)
"""The heights of the text lines above and below the table, as shares of the window's reading
height.
"""
RESIZE_DELAY_MS = 200
"""How long the window's size must stay unchanged before the opening animation starts."""


class PublicTable(QWidget):
    """A window that shows one match from the audience's seat."""

    closed = Signal()
    """The window is closing."""

    def __init__(self, context: AppContext, seated: SeatedTable) -> None:
        super().__init__()
        self._context = context
        self._seated = seated
        self._seat = seated.seat(AUDIENCE)
        self._words = self._public_words()
        self.turn_line = LargeLine(context, LINE_HEIGHT_SHARES[0])
        """The line above the table: the players to move, and what they have to do."""
        self.scene = TableScene(seated.kit, context.art, self._words, context.theme)
        self.scene.stage.is_public = True
        self.scene.set_speed(context.animation_speed)
        self.view = TableView(self.scene)
        self.view.setInteractive(False)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.event_line = LargeLine(context, LINE_HEIGHT_SHARES[1])
        """The line below the table: the latest event."""
        self.phones = PhoneCorner(context, seated.kit)
        self.scores = ScoreColumn(context)
        self.race = RaceColumn(context)
        columns = (self.race, self.scores, self.phones)
        self._middle = lay(QHBoxLayout(), [(self.view, 1), *columns], spacing=0)
        lay(
            QVBoxLayout(self),
            [self.turn_line, (self._middle, 1), self.event_line],
            spacing=0,
            margins=0,
        )
        speak_as(self, QAccessible.Role.Window)
        self.resize(*DEFAULT_SIZE_PX)
        self.scene.animator.progressed.connect(self._show_latest_event)
        self.scene.settled.connect(self._show_turn)
        self.scene.settled.connect(self._show_latest_event)
        context.changed.connect(self._on_settings_changed)
        self._screen: QScreen | None = None
        """The screen that the window fills in full-screen mode, or None."""
        program = QGuiApplication.instance()
        assert isinstance(program, QGuiApplication)
        program.screenRemoved.connect(self._on_screen_removed)
        self._window_keeper = WindowInView(self, self.minimumSize())
        self._is_first_show = True
        """Whether the window hasn't been shown before."""
        self._opening_timer = QTimer(self, singleShot=True, interval=RESIZE_DELAY_MS)
        self._opening_timer.timeout.connect(self._open_box)
        self.scene.show_seat(self._seat)
        self.refresh_appearance()

    def refresh_appearance(self) -> None:
        """Update everything for the chosen language and theme."""
        self._words = self._public_words()
        title = self._words(self._seated.kit.box.title)
        self.setWindowTitle(f"{title} – {self._words('Public table')}")
        self.scene.set_appearance(self._words, self._context.theme, self._context.art)
        self.phones.refresh_appearance()
        self._show_turn()
        self._show_latest_event()
        self.update()

    def show_invitation(self, address: str) -> None:
        """Show `address`, the URL of a free seat, or the standings if it is empty."""
        self.phones.invite(address)
        self._show_race()

    def fill_screen(self, beside: QWidget) -> None:
        """Enter full-screen mode, preferably on another screen than the window `beside`."""
        screens = [one for one in QGuiApplication.screens() if one is not beside.screen()]
        if screens:
            self.setGeometry(screens[0].geometry())
        self.showFullScreen()
        self._screen = self.screen()

    def _on_screen_removed(self, screen: QScreen) -> None:
        """Leave full-screen mode if the window's screen was unplugged.

        Otherwise the window would cover the screen on which the match is played.
        """
        if screen is self._screen:
            self._screen = None
            self.showNormal()
            self.resize(*DEFAULT_SIZE_PX)

    def clear_table(self) -> None:
        """Remove the match from the window."""
        self.scene.clear_seat()

    # Texts

    def _public_words(self) -> Words:
        return self._context.public_words(self._seated.kit, self._seated.players)

    def _show_latest_event(self) -> None:
        """Show the last log line whose events have been animated."""
        told = self.scene.shown_state
        if told is not None and told.log:
            self.event_line.show_texts((), "", self._words.log_line(told.log[-1], AUDIENCE))

    def _show_turn(self) -> None:
        """Show whose turn it is or who has won, together with the standings or final scores."""
        told = self.scene.shown_state
        if told is None:
            return
        words, view, players = self._words, told.view, self._seated.players
        if view.result is not None:
            self._show_race()  # hidden first, so that the table isn't laid out beside both
        self.scores.show_result(view.result, players, words)
        self.phones.set_hidden_for_scores(not self.scores.isHidden())
        self._show_race()
        if view.result is not None:
            winners = tuple(players[seat] for seat in view.result.winners)
            won = table_text.winner_text(view.result, len(players), words)
            self.turn_line.show_texts(winners, won, words.tie_breaker(view.result))
            return
        seats = awaited_seats(view)
        tasks = {words.prompt(ask, view.values) for ask in view.asks if ask.seat in seats}
        task = tasks.pop() if len(tasks) == 1 else ""
        awaited = tuple(players[seat] for seat in seats)
        self.turn_line.show_texts(awaited, self._awaited_names(seats), task)

    def _show_race(self) -> None:
        """Show the standings, unless the match is over or an invitation takes up their space."""
        told, shown = self.scene.shown_state, Race()
        words, players = self._words, self._seated.players
        if told is not None and told.view.result is None and self.phones.isHidden():
            shown = make_race(self._seated.kit, told.view, words)
        self.race.show_race(shown, players, words)

    def _awaited_names(self, seats: tuple[int, ...]) -> str:
        """Return the names of the players at `seats`, or only their number if there are many."""
        words, players = self._words, self._seated.players
        if len(seats) > 2 and len(seats) == len(players):
            return words("Everyone")
        if len(seats) > MAX_BADGES:
            return words("{n} players", n=len(seats))
        return words.join_names([players[seat].name for seat in seats])

    def _on_settings_changed(self, changed: frozenset[str]) -> None:
        if changed & MOTION_SETTINGS:
            self.scene.set_speed(self._context.animation_speed)
        if changed & APPEARANCE_SETTINGS:
            self.refresh_appearance()

    # The window

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_first_show and self._seat.view.ply == 0 and self.scene.animator.duration_factor:
            self.view.setUpdatesEnabled(False)
            self._opening_timer.start()
        self._is_first_show = False

    def _open_box(self) -> None:
        """Animate how the table is laid out of the game's box, if no move has been played yet."""
        self.view.setUpdatesEnabled(True)
        # render now: rendering again later would end the animation
        self.view.sharpen()
        if self._seat.view.ply == 0:
            open_box(self._context, self._seated.kit, self.view)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        pressed = QKeySequence(event.keyCombination()).toString()
        chosen = self._context.settings.keys
        if pressed in shortcuts_of(COMMANDS["full_screen"], chosen):
            self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)
        elif pressed == "Esc" or pressed in shortcuts_of(COMMANDS["public_table"], chosen):
            self.close()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_upright = WindowFit(self.width(), self.height()).is_upright
        direction = QBoxLayout.Direction
        self._middle.setDirection(direction.TopToBottom if is_upright else direction.LeftToRight)
        for part in (self.turn_line, self.event_line, self.phones, self.scores, self.race):
            part.fit_window(self.width(), self.height())
        if self._opening_timer.isActive():
            self._opening_timer.start()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(
                self.rect(), QColor(bar_colour(self._context.table_theme(self._seated.kit)))
            )

    def closeEvent(self, event: QCloseEvent) -> None:
        self.closed.emit()
        super().closeEvent(event)

"""The public table: a window of its own for the screen in the middle of the room.

It shows what everybody may see: all players alike round the field, whose turn it is and what has
just happened in letters that are read from the sofa. Nobody's hand, and nothing to press.
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
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from tabletop.engine.model import AUDIENCE
from tabletop.language import table_text
from tabletop.language.race import Race, race_at
from tabletop.language.words import Words
from tabletop.match.open_asks import awaited_seats
from ui.match.box_opener import open_box
from ui.match.seated_table import SeatedTable
from ui.public.large_line import MOST_BADGES, LargeLine
from ui.public.phone_corner import PhoneCorner
from ui.public.race_column import RaceColumn
from ui.public.score_column import ScoreColumn
from ui.shell.app_context import LOOKS, MOTION, AppContext
from ui.shell.commands import COMMANDS, keys
from ui.shell.spoken_role import speak_as
from ui.shell.window_place import WindowInView
from ui.style.theme import bar
from ui.table.scene import TableScene
from ui.table.view import TableView
from ui.widgets.box_layout import lay

USUAL = (1280, 800)
LINES = (0.08, 0.07)
"""Heights of the lines above and below the table, as shares of the window's."""
SETTLED = 200
"""Milliseconds without another size after which the window fills its screen."""


class PublicTable(QWidget):
    """One match as everybody in the room may look at it."""

    closed = Signal()

    def __init__(self, context: AppContext, seated: SeatedTable) -> None:
        super().__init__()
        self._context = context
        self._seated = seated
        self._seat = seated.seat(AUDIENCE)
        self._words = self._public_words()
        self.turn = LargeLine(context, LINES[0])
        """The players whose turn it is, and the action they must take."""
        self.scene = TableScene(seated.kit, context.art, self._words, context.theme)
        self.scene.stage.public = True
        self.scene.set_speed(context.speed)
        self.view = TableView(self.scene)
        self.view.setInteractive(False)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.events = LargeLine(context, LINES[1])
        """The latest event."""
        self.phones = PhoneCorner(context, seated.kit)
        self.scores = ScoreColumn(context)
        self.race = RaceColumn(context)
        columns = (self.race, self.scores, self.phones)
        middle = lay(QHBoxLayout(), [(self.view, 1), *columns], spacing=0)
        lay(QVBoxLayout(self), [self.turn, (middle, 1), self.events], spacing=0, margins=0)
        speak_as(self, QAccessible.Role.Window)
        self.resize(*USUAL)
        self.scene.animator.told.connect(self._tell_last)
        self.scene.settled.connect(self._tell_turn)
        self.scene.settled.connect(self._tell_last)
        context.changed.connect(self._note_changed)
        self._screen: QScreen | None = None
        """The screen that it fills."""
        program = QGuiApplication.instance()
        assert isinstance(program, QGuiApplication)
        program.screenRemoved.connect(self._note_unplugged)
        self._in_view = WindowInView(self, self.minimumSize())
        self._fresh = True
        """Whether nobody has seen it yet."""
        self._opening = QTimer(self, singleShot=True, interval=SETTLED)
        self._opening.timeout.connect(self._open_box)
        self.scene.sit(self._seat)
        self.refresh_appearance()

    def refresh_appearance(self) -> None:
        """Update everything for the chosen language and theme."""
        self._words = self._public_words()
        title = self._words(self._seated.kit.box.title)
        self.setWindowTitle(f"{title} – {self._words('Public table')}")
        self.scene.set_looks(self._words, self._context.theme, self._context.art)
        self.phones.refresh_appearance()
        self._tell_turn()
        self._tell_last()
        self.update()

    def invite(self, address: str) -> None:
        """Show phones the way to a free seat, in the place of the race; empty: none is free."""
        self.phones.invite(address)
        self._tell_race()

    def show_large(self, beside: QWidget) -> None:
        """Fill a screen: another one than that of this window, where there is one."""
        screens = [one for one in QGuiApplication.screens() if one is not beside.screen()]
        if screens:
            self.setGeometry(screens[0].geometry())
        self.showFullScreen()
        self._screen = self.screen()

    def _note_unplugged(self, screen: QScreen) -> None:
        """A screen has gone: if it was this window's, do not cover one at which somebody plays."""
        if screen is self._screen:
            self._screen = None
            self.showNormal()
            self.resize(*USUAL)

    def leave(self) -> None:
        """Show nothing of the match any more."""
        self.scene.leave()

    # Texts

    def _public_words(self) -> Words:
        return self._context.public_words(self._seated.kit, self._seated.players)

    def _tell_last(self) -> None:
        """Show the latest event that has been told."""
        told = self.scene.told
        if told is not None and told.log:
            self.events.tell((), "", self._words.log_line(told.log[-1], AUDIENCE))

    def _tell_turn(self) -> None:
        told = self.scene.told
        if told is None:
            return
        words, view, players = self._words, told.view, self._seated.players
        self.scores.show_result(view.result, players, words)
        self.phones.step_aside(not self.scores.isHidden())
        self._tell_race()
        if view.result is not None:
            winners = tuple(players[seat] for seat in view.result.winners)
            won = table_text.verdict(view.result, len(players), words)
            self.turn.tell(winners, won, words.tie_breaker(view.result))
            return
        seats = awaited_seats(view)
        tasks = {words.prompt(ask, view.values) for ask in view.asks if ask.seat in seats}
        task = tasks.pop() if len(tasks) == 1 else ""
        self.turn.tell(tuple(players[seat] for seat in seats), self._awaited_names(seats), task)

    def _tell_race(self) -> None:
        """Show how far everybody is, where neither the points nor phones have its place."""
        told, shown = self.scene.told, Race()
        words, players = self._words, self._seated.players
        if told is not None and told.view.result is None and self.phones.isHidden():
            shown = race_at(self._seated.kit, told.view, words)
        self.race.show_race(shown, players, words)

    def _awaited_names(self, seats: tuple[int, ...]) -> str:
        """The players who are awaited; of many only their number."""
        words, players = self._words, self._seated.players
        if len(seats) > 2 and len(seats) == len(players):
            return words("Everyone")
        if len(seats) > MOST_BADGES:
            return words("{n} players", n=len(seats))
        return words.join_names([players[seat].name for seat in seats])

    def _note_changed(self, changed: frozenset[str]) -> None:
        if changed & MOTION:
            self.scene.set_speed(self._context.speed)
        if changed & LOOKS:
            self.refresh_appearance()

    # The window

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._fresh and self._seat.view.ply == 0 and self.scene.animator.factor:
            self.view.setUpdatesEnabled(False)
            self._opening.start()
        self._fresh = False

    def _open_box(self) -> None:
        """Show how the table is laid, where nothing has been played on it yet."""
        self.view.setUpdatesEnabled(True)
        # otherwise it would be drawn again while things move, which ends the movement
        self.view.sharpen()
        if self._seat.view.ply == 0:
            open_box(self._context, self._seated.kit, self.view)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        pressed = QKeySequence(event.keyCombination()).toString()
        chosen = self._context.settings.keys
        if pressed in keys(COMMANDS["full_screen"], chosen):
            self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)
        elif pressed == "Esc" or pressed in keys(COMMANDS["public_table"], chosen):
            self.close()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for part in (self.turn, self.events, self.phones):
            part.fit(self.height())
        for column in (self.scores, self.race):
            column.fit(self.width(), self.height())
        if self._opening.isActive():
            self._opening.start()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(bar(self._context.look(self._seated.kit))))

    def closeEvent(self, event: QCloseEvent) -> None:
        self.closed.emit()
        super().closeEvent(event)

"""Introduces a game over its table before the first match: goal, turn, and whether to learn."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAccessible, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from tabletop.catalogue.catalogue import GameKit
from ui.match.table_frame import TableFrame
from ui.setup.turn_steps import TurnSteps
from ui.shell.app_context import AppContext, name_widget
from ui.shell.language import game_title
from ui.shell.spoken_role import speak_as
from ui.style.theme import with_opacity
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.styled_widgets import FittingScrollArea, Sheet, button, centre_sheet, label

WIDTH_PX = 700
"""The greatest width of the card."""
SCRIM_OPACITY = 0.55


def can_introduce(kit: GameKit) -> bool:
    """Return whether the game has the texts for an introduction."""
    return bool(kit.words.turn and (kit.words.aim or kit.words.goal))


class Introduction(QWidget):
    """A card over the table with the game's goal and the steps of a turn.

    The table can't be used until the user has chosen whether to be taught. Esc declines.
    """

    learn_requested = Signal()
    """The user wants lessons. The introduction is closed."""

    def __init__(
        self, context: AppContext, frame: TableFrame, kit: GameKit, can_teach: bool
    ) -> None:
        """`can_teach`: whether the game has lessons to offer."""
        super().__init__(frame.table_area)
        self._context, self._frame, self._kit = context, frame, kit
        self._title, self._goal = label("title", wrap=True), label("reading", wrap=True)
        self._steps = TurnSteps(context, kit)
        self.learn_button, self.play_button = button("primary"), button()
        self.learn_button.clicked.connect(self._learn)
        self.play_button.clicked.connect(self.finish)
        inside = QWidget()
        lay(QVBoxLayout(inside), [self._title, self._goal, 4, self._steps], spacing=8, margins=0)
        sheet = Sheet(WIDTH_PX)
        buttons: list[Part] = [STRETCH, self.play_button, self.learn_button]
        sheet.column.addWidget(FittingScrollArea(inside), 1)
        sheet.column.addSpacing(4)
        sheet.column.addLayout(lay(QHBoxLayout(), buttons, spacing=12))
        centre_sheet(self, sheet, (1, 0, 1))
        if not can_teach:
            self.learn_button.hide()
        self._buttons = [self.play_button, *([self.learn_button] if can_teach else [])]
        speak_as(self, QAccessible.Role.Dialog)
        frame.table_area.installEventFilter(self)

    @property
    def spoken_text(self) -> str:
        """The text of the card for screen readers."""
        words, game = self._context.words, self._context.game_words(self._kit)
        steps = [words.number(n, game(text)) for n, text in enumerate(self._kit.words.turn, 1)]
        return words.sentences((self._goal.text(), words("How a turn goes"), *steps))

    def open(self) -> None:
        """Cover the table, and give the keyboard focus to the default button."""
        self.refresh_appearance()
        self._cover_table()
        self._frame.view.setEnabled(False)
        self.show()
        self.raise_()
        self._buttons[-1].setFocus(Qt.FocusReason.OtherFocusReason)
        self._frame.spoken.speak(self.spoken_text)

    def refresh_appearance(self) -> None:
        """Update all texts for the chosen language."""
        words, game = self._context.words, self._context.game_words(self._kit)
        self._title.setText(game_title(self._kit, words.language))
        self._goal.setText(game(self._kit.words.aim or self._kit.words.goal))
        self._steps.refresh_appearance()
        self.learn_button.setText(words("Teach me as I play"))
        self.play_button.setText(words("Just play"))
        name_widget(self, self._title.text(), self.spoken_text)

    def finish(self) -> None:
        """Close the card, and give the table back to the user."""
        self.hide()
        self._frame.view.setEnabled(True)
        self._frame.view.setFocus()
        self.deleteLater()

    def _learn(self) -> None:
        self.finish()
        self.learn_requested.emit()

    def _cover_table(self) -> None:
        self.setGeometry(self._frame.table_area.rect())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            self._cover_table()
        return super().eventFilter(watched, event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Move the focus among the buttons, never to the covered table."""
        at = next((n for n, each in enumerate(self._buttons) if each.hasFocus()), 0)
        following = self._buttons[(at + (1 if forward else -1)) % len(self._buttons)]
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        following.setFocus(reason)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.finish()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._buttons[-1].click()
        # other keys mustn't reach the table

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            table = self._context.table_theme(self._kit).table
            painter.fillRect(self.rect(), with_opacity(table, SCRIM_OPACITY))

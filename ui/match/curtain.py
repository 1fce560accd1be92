"""The curtain: hides the table of one player before the next one looks, or while nobody seems to.

While it is drawn, nothing of any hand exists below it. It is opened by holding it, by mouse or
Space, with a press that began on the curtain itself.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from tabletop.match.match import Player
from ui.shell.app_context import AppContext
from ui.widgets.box_layout import lay
from ui.widgets.hold_ring import HoldRing
from ui.widgets.seat_badge import wear_badge
from ui.widgets.surface import Screen, label

LINES = 6
"""As many of the last public lines as fit on the smallest window."""


class Curtain(Screen):
    """Covers its parent whole; `opened` comes once it was held to the end, still closed."""

    opened = Signal()

    def __init__(self, context: AppContext, parent: QWidget) -> None:
        super().__init__(context, parent)
        self._over = parent
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._player: Player | None = None
        self._lines: Callable[[], Sequence[str]] = tuple
        self._first = False
        self._same = False
        self._badge = label()
        self._name = label("title", wrap=True)
        self._since = label("caption")
        self._since_lines = label(wrap=True)
        self._ring = HoldRing(context)
        self._ring.filled.connect(self._open)
        self._how = label("heading")
        self._hint = label("caption", wrap=True)
        column = lay(QVBoxLayout(self), spacing=8, margins=24)
        column.addStretch(3)
        for widget, gap in (
            (self._badge, 8),
            (self._name, 16),
            (self._since, 4),
            (self._since_lines, 24),
            (self._ring, 4),
            (self._how, 0),
            (self._hint, 0),
        ):
            self._centre(column, widget)
            column.addSpacing(gap)
        column.addStretch(4)
        self.hide()

    def draw(
        self,
        player: Player,
        lines: Callable[[], Sequence[str]],
        *,
        first: bool = False,
        same: bool = False,
    ) -> None:
        """Close it for a player.

        `lines` gives, in the language of the moment, the events since they last looked; `first`:
        they have not looked before. `same`: they have just looked, and nobody else is to.
        """
        self._player, self._lines, self._first, self._same = player, lines, first, same
        self._ring.let_go()
        self.setGeometry(self._over.rect())
        self.apply_looks()
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def drawn(self) -> bool:
        """Whether it hides the table now."""
        return not self.isHidden()

    @property
    def description(self) -> str:
        """Its text, for players who cannot see it."""
        return self.context.words.sentences((self.accessibleName(), self.accessibleDescription()))

    def apply_looks(self) -> None:
        super().apply_looks()
        if self._player is None:
            return
        words, player = self.context.words, self._player
        self._wear_sign(player)
        self._name.setText(
            words("{name}'s table", name=player.name)
            if self._same
            else words("{name}'s turn", name=player.name)
        )
        shown = self._lines()[-LINES:]
        since = words("So far") if self._first else words("Since your last turn")
        self._since.setText(since if shown else "")
        self._since_lines.setText("\n".join(shown))
        self._how.setText(words("Hold to open"))
        self._hint.setText(
            words("Covered while you were away. Press and hold anywhere, or hold Space.")
            if self._same
            else words("Press and hold anywhere, or hold Space. Everyone else looks away.")
        )
        self.setAccessibleName(words("Curtain for {name}", name=player.name))
        self.setAccessibleDescription(
            words.sentences((self._how.text(), self._hint.text(), *shown))
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the sign to the window, which may be laid out only after the curtain fell."""
        super().resizeEvent(event)
        if self._player is not None:
            self._wear_sign(self._player)

    def _wear_sign(self, player: Player) -> None:
        size = 112 if self.height() < 640 else 160
        wear_badge(self.context, self._badge, player.symbol, size)

    def press_unseen(self) -> None:
        """Open it by a screen reader's action, without holding anything."""
        if self.drawn:
            self._open()

    def _centre(self, column: QVBoxLayout, widget: QWidget) -> None:
        widget.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        if isinstance(widget, QLabel):
            widget.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(widget)
        else:
            column.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)

    def _open(self) -> None:
        self._ring.let_go()
        self._player = None
        self._lines = tuple
        self.opened.emit()

    # A press counts only when it begins here: no repeat of a key held since before, no release, no
    # second half of a double click.

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._ring.hold()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._ring.let_go()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._ring.hold()
        event.accept()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._ring.let_go()
        event.accept()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._ring.let_go()
        super().focusOutEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        return False

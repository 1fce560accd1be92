"""One line that shows what others have done; a press plays it back."""

from collections.abc import Collection, Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from ui.shell.app_context import AppContext, named
from ui.widgets.focus_ring import ringed

INSET = 1
"""Left and right of the line, in pixels."""


class TurnLine(QAbstractButton):
    """Shows as many of the last sentences as fit, and all of them when pointed at. The important
    sentences and the last one take several lines where they need them."""

    wanted = Signal()
    """Request to play back the moves that it lists."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self.sentences: tuple[str, ...] = ()
        """Its texts, in order."""
        self._kept: frozenset[int] = frozenset()
        """The numbers of the sentences that must not be missed."""
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves it to the table
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self.wanted)
        self.set_size(13)
        self.hide()

    @property
    def whole(self) -> str:
        """The whole text."""
        return self._context.words.sentences(self.sentences)

    def set_size(self, pixels: int) -> None:
        """Set it in letters of this size."""
        font = self.font()
        font.setPixelSize(pixels)
        font.setBold(False)
        self.setFont(font)
        self.setStyleSheet(f"font-size: {pixels}px;")

    def tell(self, sentences: Sequence[str], kept: Collection[int] = ()) -> None:
        """Show this from now on; with nothing, it goes. `kept` are the numbers of the sentences
        that must not be missed."""
        if tuple(sentences) == self.sentences:
            return
        self.sentences, self._kept = tuple(sentences), frozenset(kept)
        words = self._context.words
        named(self, self.whole, words("Plays back what happened since your last turn"))
        title = [words("Since your last turn")] if self.sentences else []
        self.setToolTip("\n".join([*title, *self.sentences]))
        self.updateGeometry()
        self.update()

    def fitting(self, width: int) -> str:
        """As many of the last sentences as fit into a line of this width, in pixels, and all that
        are kept: the first of the others go first."""
        left = list(range(len(self.sentences)))
        words, dropped = self._context.words, False
        while True:
            text = words.sentences(self.sentences[n] for n in left)
            text = words("… {text}", text=text) if dropped else text
            spare = [number for number in left[:-1] if number not in self._kept]
            if not spare or self.fontMetrics().horizontalAdvance(text) < width:  # it is rounded
                return text
            left.remove(spare[0])
            dropped = True

    def wide(self) -> int:
        """The whole width, in pixels."""
        return self.fontMetrics().horizontalAdvance(self.whole) + 1 + 2 * INSET

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        inner = max(1, width - 2 * INSET)
        flags = int(Qt.TextFlag.TextWordWrap)
        text = self.fitting(inner)
        return self.fontMetrics().boundingRect(QRect(0, 0, inner, 0), flags, text).height() + 1

    def sizeHint(self) -> QSize:
        return QSize(self.wide(), self.fontMetrics().height() + 1)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._context.theme
        with QPainter(self) as painter:
            font = self.font()
            font.setUnderline(self.underMouse() or ringed(self))
            painter.setFont(font)
            painter.setPen(QColor(theme.ink_soft))
            place = self.rect().adjusted(INSET, 0, -INSET, 0)
            where = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
            flags = int(where) | int(Qt.TextFlag.TextWordWrap)
            painter.drawText(place, flags, self.fitting(place.width()))

"""A bubble on the table that shows a quick phrase beside its speaker's nameplate."""

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QWidget

from tabletop.protocol import quick_words
from tabletop.protocol.messages import ChatLine
from ui.shell.app_context import AppContext, name_widget
from ui.table.scene import TableScene
from ui.widgets.box_layout import lay
from ui.widgets.styled_widgets import Paper, label

SHOWN_MS = 4000
MARGIN_PX = 6


class SpeechBubble(Paper):
    """A bubble with the latest quick phrase, shown for a few seconds."""

    def __init__(self, context: AppContext, scene: TableScene, over: QWidget) -> None:
        super().__init__(over)
        self._context = context
        self._scene = scene
        self._over = over
        self._text = label("heading")
        lay(QHBoxLayout(self), [self._text], margins=(14, 6, 14, 6))
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._hide_timer = QTimer(self, singleShot=True, interval=SHOWN_MS)
        self._hide_timer.timeout.connect(self.hide)
        self.hide()

    @property
    def shown_text(self) -> str:
        """The text while the bubble is shown; else ""."""
        return "" if self.isHidden() else self._text.text()

    def show_message(self, line: ChatLine) -> None:
        """Show `line` if it is a visible player's quick phrase and the user allows them."""
        text = quick_words.quick_text(line.quick, self._context.words)
        place = self._tail_point(line.seat)
        if not text or place is None or not self._context.settings.quick_words:
            return
        self._text.setText(text)
        name_widget(self, text)
        self.adjustSize()
        self.move(self._nearest_inside(place))
        self.show()
        self.raise_()
        self._hide_timer.start()

    def _tail_point(self, seat: int) -> QPoint | None:
        """Return the lower end of the seat's nameplate, or None if the nameplate is hidden.

        The point is in coordinates of the widget that the bubble covers.
        """
        stage, views = self._scene.stage, self._scene.views()
        plaque = next((rect for whose, rect in stage.plaques() if whose == seat), None)
        if plaque is None or not views:
            return None
        view = views[0]
        rect = view.mapFromScene(plaque).boundingRect()
        return view.viewport().mapTo(self._over, rect.bottomLeft() + QPoint(24, 2))

    def _nearest_inside(self, place: QPoint) -> QPoint:
        """Return the position nearest to `place` that keeps the whole bubble over the table."""
        limit = (
            self._over.rect().bottomRight()
            - self.rect().bottomRight()
            - QPoint(MARGIN_PX, MARGIN_PX)
        )
        return QPoint(min(place.x(), limit.x()), min(place.y(), limit.y()))

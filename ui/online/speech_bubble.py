"""A quick word over the table, beside the plaque of who says it."""

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QWidget

from tabletop.protocol import quick_words
from tabletop.protocol.messages import ChatLine
from ui.shell.app_context import AppContext, name_widget
from ui.table.scene import TableScene
from ui.widgets.box_layout import lay
from ui.widgets.styled_widgets import Paper, label

STAYS = 4000
"""The time for which it is shown, in milliseconds."""
EDGE = 6
"""Left free at the edges of the table, in pixels."""


class SpeechBubble(Paper):
    """One at a time: the last word counts."""

    def __init__(self, context: AppContext, scene: TableScene, over: QWidget) -> None:
        super().__init__(over)
        self._context = context
        self._scene = scene
        self._over = over
        self._text = label("heading")
        lay(QHBoxLayout(self), [self._text], margins=(14, 6, 14, 6))
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._going = QTimer(self, singleShot=True, interval=STAYS)
        self._going.timeout.connect(self.hide)
        self.hide()

    @property
    def text(self) -> str:
        """Its text while it is shown; else nothing."""
        return "" if self.isHidden() else self._text.text()

    def hear(self, line: ChatLine) -> None:
        """Show it, if it is a quick word of somebody with a plaque, and these are to be heard."""
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
        self._going.start()

    def _tail_point(self, seat: int) -> QPoint | None:
        """The lower end of the seat's plaque, as a point of the widget under the bubble."""
        stage, views = self._scene.stage, self._scene.views()
        plaque = next((rect for whose, rect in stage.plaques() if whose == seat), None)
        if plaque is None or not views:
            return None
        view = views[0]
        rect = view.mapFromScene(plaque).boundingRect()
        return view.viewport().mapTo(self._over, rect.bottomLeft() + QPoint(24, 2))

    def _nearest_inside(self, place: QPoint) -> QPoint:
        """The nearest point where all of it is over the table."""
        most = self._over.rect().bottomRight() - self.rect().bottomRight() - QPoint(EDGE, EDGE)
        return QPoint(min(place.x(), most.x()), min(place.y(), most.y()))

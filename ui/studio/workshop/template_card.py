"""A button for choosing the template of a new game, with a small picture,
its name and one sentence.
"""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import QSizePolicy

from tabletop.studio.workshop.new_game import Template
from ui.shell.app_context import AppContext
from ui.style.line_breaks import bind_phrases
from ui.widgets.choice_button import ChoiceButton
from ui.widgets.styled_widgets import scale_pixels, scaled_font

PICTURE_SIZE = QSize(84, 56)
PADDING_PX, GAP_PX = 8, 14
TITLE_PX, SENTENCE_PX = 15, 13
"""Font sizes; all in pixels."""


class TemplateCard(ChoiceButton):
    """A button that selects one template exclusively."""

    def __init__(self, context: AppContext, name: str, template: Template) -> None:
        super().__init__(context)
        # so that screen readers don't call it a check box; the button group makes it exclusive
        self.setAutoExclusive(True)
        self.name = name
        self.template = template
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.refresh_appearance()

    def refresh_appearance(self) -> None:
        """Update the texts to the current language."""
        words = self._context.words
        self.setText(words(self.template.title or self.name))
        sentence = words(self.template.summary)
        self._sentence = bind_phrases(sentence)
        self.setAccessibleName(self.text())
        self.setAccessibleDescription(sentence)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        width = scale_pixels(self, 360)
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(
            scale_pixels(self, 240), scale_pixels(self, PICTURE_SIZE.height() + 2 * PADDING_PX)
        )

    def heightForWidth(self, width: int) -> int:
        room = width - self._left - PADDING_PX
        title, sentence = (QFontMetrics(self._font(size)) for size in (TITLE_PX, SENTENCE_PX))
        flags = int(Qt.TextFlag.TextWordWrap)
        text_height = sentence.boundingRect(QRect(0, 0, room, 1000), flags, self._sentence).height()
        min_height = scale_pixels(self, PICTURE_SIZE.height())
        return max(min_height, title.height() + 2 + text_height) + 2 * scale_pixels(
            self, PADDING_PX
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setFixedHeight(self.heightForWidth(self.width()))

    def draw(self, painter: QPainter) -> None:
        self._draw_picture(painter)
        self._draw_texts(painter)

    @property
    def _left(self) -> int:
        return scale_pixels(self, PADDING_PX + PICTURE_SIZE.width() + GAP_PX)

    def _draw_picture(self, painter: QPainter) -> None:
        width, height = (
            scale_pixels(self, side) for side in (PICTURE_SIZE.width(), PICTURE_SIZE.height())
        )
        picture = self._context.art.pixmap(
            f"common/templates/{self.name}.svg", width, height, self.devicePixelRatioF()
        )
        painter.drawPixmap(scale_pixels(self, PADDING_PX), (self.height() - height) // 2, picture)

    def _draw_texts(self, painter: QPainter) -> None:
        room = self.rect().adjusted(
            self._left, scale_pixels(self, PADDING_PX), -PADDING_PX, -scale_pixels(self, PADDING_PX)
        )
        title, sentence = self._font(TITLE_PX), self._font(SENTENCE_PX)
        flags = int(Qt.TextFlag.TextWordWrap)
        height = QFontMetrics(title).height() + 2
        text_height = QFontMetrics(sentence).boundingRect(room, flags, self._sentence).height()
        room.setTop(room.top() + max(0, (room.height() - height - text_height) // 2))
        painter.setFont(title)
        painter.setPen(QColor(self._context.theme.ink))
        painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft), self.text())
        painter.setFont(sentence)
        painter.setPen(QColor(self._context.theme.ink_soft))
        painter.drawText(room.adjusted(0, height, 0, 0), flags, self._sentence)

    def _font(self, size: int) -> QFont:
        return scaled_font(self, size, bold=size == TITLE_PX)

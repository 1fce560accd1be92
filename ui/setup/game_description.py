"""The description of a game beside the forms that set up a table, on the game's table colours."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from tabletop.catalogue.catalogue import GameKit
from tabletop.language import labels
from ui.shell.app_context import AppContext
from ui.shell.language import game_title
from ui.style.table_look import table_pixmap
from ui.style.theme import SMOOTH_HINTS
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.box_sides import FRONT, natural_size
from ui.widgets.box_thumbnail import front_picture
from ui.widgets.game_box import seats_text
from ui.widgets.styled_widgets import PlainLabel, label, scale_pixels

MAX_BOX_HEIGHT_PX, MIN_BOX_HEIGHT_PX = 470, 72
MIN_TALL_BOX_HEIGHT_PX = 110
"""The least height in pixels of a box above the title of a low description. Where there is less
room, the box is beside the title.
"""
WIDTH_PX, NARROW_WIDTH_PX = 368, 276
MARGIN_PX, CORNER_RADIUS_PX = 14, 14


class BoxFront(QWidget):
    """The front of the game's box, drawn as large as possible."""

    def __init__(self, context: AppContext, kit: GameKit) -> None:
        super().__init__()
        self._context = context
        self._kit = kit
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        return QSize(0, scale_pixels(self, MIN_BOX_HEIGHT_PX))

    def fit(self, small: bool) -> None:
        """Use all available space, or only the minimum height if `small`."""
        height, natural = (
            scale_pixels(self, MIN_BOX_HEIGHT_PX),
            natural_size(self._context, self._kit, FRONT),
        )
        width = round(height * natural.width() / natural.height())
        self.setMinimumSize(width if small else 0, height)
        self.setMaximumSize(
            width if small else WIDTH_PX * 4,
            height if small else scale_pixels(self, MAX_BOX_HEIGHT_PX),
        )
        self.updateGeometry()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        size = natural_size(self._context, self._kit, FRONT).toSize()
        size.scale(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        with QPainter(self) as painter:
            painter.setRenderHints(SMOOTH_HINTS)
            corner = QPointF((self.width() - size.width()) / 2, self.height() - size.height())
            painter.drawPixmap(corner, front_picture(self._context, self._kit, size, self))


class GameDescription(QWidget):
    """The description of a game: box front, title, key facts, goal and steps of a turn."""

    def __init__(self, context: AppContext, kit: GameKit, short: bool = False) -> None:
        """`short`: whether to leave out the steps of a turn."""
        super().__init__()
        self._context = context
        self._kit = kit
        self._width = WIDTH_PX
        self._low = False
        self._may_stack = True
        """Whether the front may move above the title again.

        It may do so once for each size of the window: each arrangement changes the panel's height,
        so that the two could alternate forever.
        """
        self._front = BoxFront(context, kit)
        self._title, self._facts = label("heading", wrap=True), label("reading", wrap=True)
        self._goal_heading, self._turn_heading = label("strong"), label("strong")
        for line in (self._goal_heading, self._turn_heading):
            line.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._goal = label("reading", wrap=True)
        self._turn = () if short else kit.words.turn
        self._steps = [label("reading", wrap=True) for _ in self._turn]
        self._head = head = lay(QVBoxLayout(), [self._title, self._facts], spacing=2)
        self._top = lay(
            QBoxLayout(QBoxLayout.Direction.TopToBottom), [(self._front, 1), head], spacing=10
        )
        about: list[Part] = [4, self._goal_heading, self._goal]
        turn: list[Part] = [4, self._turn_heading, *self._steps, STRETCH]
        rows: list[Part] = [(self._top, 6), *about, *turn]
        lay(
            QVBoxLayout(self),
            rows,
            spacing=2,
            margins=(MARGIN_PX, MARGIN_PX, MARGIN_PX, MARGIN_PX - 4),
        )
        self._goal_heading.setVisible(bool(kit.words.goal))
        self._goal.setVisible(bool(kit.words.goal))
        self.show_turn_steps(True)

    def show_turn_steps(self, shown: bool) -> None:
        """Show or hide the steps of a turn."""
        self._turn_heading.setVisible(shown and bool(self._turn))
        for step in self._steps:
            step.setVisible(shown)
        self._arrange(self._width)

    def set_compact(self, narrow: bool, low: bool) -> None:
        """Reduce the width if `narrow`, and put the box front beside the title if `low` and
        the text leaves no room for it above.
        """
        self._low = low
        self._may_stack = True
        self._arrange(NARROW_WIDTH_PX if narrow else WIDTH_PX)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._arrange(self._width)

    def _arrange(self, width: int) -> None:
        """Put the box front above the title or beside it."""
        directions = QBoxLayout.Direction
        is_beside = self._top.direction() is directions.LeftToRight
        lacks_room = self._room_for_box(width) < scale_pixels(self, MIN_TALL_BOX_HEIGHT_PX)
        beside = self._low and (lacks_room or (is_beside and not self._may_stack))
        if is_beside and not beside:
            self._may_stack = False
        direction = directions.LeftToRight if beside else directions.TopToBottom
        if (width, direction) != (self._width, self._top.direction()):
            self._width = width
            self._top.setDirection(direction)
            self._top.setAlignment(
                self._head, Qt.AlignmentFlag.AlignTop if beside else Qt.AlignmentFlag(0)
            )
            self._fit_text_heights()

    def refresh_appearance(self) -> None:
        """Update texts and colours."""
        words, kit = self._context.words, self._kit
        game = self._context.game_words(kit)
        self._title.setText(game_title(kit, words.language))
        facts = (seats_text(words, kit.box.seats), words(labels.MINUTES, n=kit.box.minutes))
        self._facts.setText(words.join_facts(facts))
        self._goal_heading.setText(words("The goal"))
        self._goal.setText(game(kit.words.goal))
        self._turn_heading.setText(words("How a turn goes"))
        for number, (line, text) in enumerate(zip(self._steps, self._turn, strict=True), 1):
            line.setText(words.number(number, game(text)))
        ink = self._context.table_theme(kit).table_ink
        heads = (self._title, self._facts, self._goal_heading, self._goal, self._turn_heading)
        for each in (*heads, *self._steps):
            each.setStyleSheet(f"QLabel {{ color: {ink}; }}")
        self._fit_text_heights()

    def paintEvent(self, event: QPaintEvent) -> None:
        context, kit = self._context, self._kit
        shape = QPainterPath()
        shape.addRoundedRect(QRectF(self.rect()), CORNER_RADIUS_PX, CORNER_RADIUS_PX)
        background = table_pixmap(
            context.art, context.table_theme(kit), kit.id, self.size(), self.devicePixelRatioF()
        )
        with QPainter(self) as painter:
            painter.setRenderHints(SMOOTH_HINTS)
            painter.setClipPath(shape)
            painter.drawPixmap(0, 0, background)

    def _room_for_box(self, width: int) -> int:
        """Return the height in pixels that the texts leave above them if the panel has `width`."""
        inside = scale_pixels(self, width) - 2 * MARGIN_PX
        texts = (self._title, self._facts, self._goal, *self._steps)
        shown = [text for text in texts if not text.isHidden()]
        headings = [
            each for each in (self._goal_heading, self._turn_heading) if not each.isHidden()
        ]
        used = sum(_height_at(text, inside) + 2 for text in shown)
        used += sum(each.sizeHint().height() + 4 + 2 * 2 for each in headings)
        return self.height() - used - 2 * MARGIN_PX - self._top.spacing()

    def _fit_text_heights(self) -> None:
        width = scale_pixels(self, self._width)
        self.setFixedWidth(width)
        beside = self._top.direction() is QBoxLayout.Direction.LeftToRight
        self._front.fit(beside)
        inside = width - 2 * MARGIN_PX
        head = inside - self._front.maximumWidth() - self._top.spacing() if beside else inside
        for each in (self._title, self._facts):
            _set_width(each, head)
        for each in (self._goal, *self._steps):
            _set_width(each, inside)


def _height_at(text: PlainLabel, width: int) -> int:
    """Return the height in pixels of `text` wrapped to `width`, which isn't changed."""
    text.ensurePolished()
    before = text.minimumSize(), text.maximumSize()
    text.setMinimumSize(0, 0)
    height = text.heightForWidth(width)
    text.setMinimumSize(before[0])
    text.setMaximumSize(before[1])
    return height


def _set_width(text: PlainLabel, width: int) -> None:
    text.ensurePolished()
    text.setMinimumSize(0, 0)  # otherwise its size hint would never shrink
    text.wrap_for(width)
    text.setFixedSize(width, text.heightForWidth(width))

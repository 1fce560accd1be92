"""The opened box at the left of a new game or a hosted table: its front on the game's table, two
facts, the goal, how a turn goes."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from tabletop.catalogue.catalogue import GameKit
from tabletop.language import labels
from ui.shell.app_context import AppContext
from ui.shell.language import title
from ui.style.table_look import cloth
from ui.style.theme import SMOOTH
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.box_sides import FRONT, natural_size
from ui.widgets.box_thumbnail import front_picture
from ui.widgets.game_box import seats_text
from ui.widgets.styled_widgets import PlainLabel, label, scale_pixels

HIGH, LOW = 470, 72
"""The greatest height of the box, and the least where there is little room, in pixels."""
WIDE, NARROW = 368, 276
"""The width of all that is here, in pixels."""
EDGE, CORNER = 14, 14


class OpenedFront(QWidget):
    """The front of the box, as large as there is room."""

    def __init__(self, context: AppContext, kit: GameKit) -> None:
        super().__init__()
        self._context = context
        self._kit = kit
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        return QSize(0, scale_pixels(self, LOW))

    def fit(self, small: bool) -> None:
        """Be as large as there is room, or `small`."""
        low, shape = scale_pixels(self, LOW), natural_size(self._context, self._kit, FRONT)
        wide = round(low * shape.width() / shape.height())
        self.setMinimumSize(wide if small else 0, low)
        self.setMaximumSize(wide if small else WIDE * 4, low if small else scale_pixels(self, HIGH))
        self.updateGeometry()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        size = natural_size(self._context, self._kit, FRONT).toSize()
        size.scale(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        with QPainter(self) as painter:
            painter.setRenderHints(SMOOTH)
            corner = QPointF((self.width() - size.width()) / 2, self.height() - size.height())
            painter.drawPixmap(corner, front_picture(self._context, self._kit, size, self))


class AboutGame(QWidget):
    """All about a game, on its table; without any texts, its box and title alone."""

    def __init__(self, context: AppContext, kit: GameKit, short: bool = False) -> None:
        """`short`: without how a turn goes, for good."""
        super().__init__()
        self._context = context
        self._kit = kit
        self._wide = WIDE
        self._front = OpenedFront(context, kit)
        self._title, self._facts = label("heading", wrap=True), label("reading", wrap=True)
        self._goal_head, self._turn_head = label("strong"), label("strong")
        for line in (self._goal_head, self._turn_head):
            line.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._goal = label("reading", wrap=True)
        self._turn = () if short else kit.words.turn
        self._steps = [label("reading", wrap=True) for _ in self._turn]
        self._head = head = lay(QVBoxLayout(), [self._title, self._facts], spacing=2)
        self._top = lay(
            QBoxLayout(QBoxLayout.Direction.TopToBottom), [(self._front, 1), head], spacing=10
        )
        about: list[Part] = [4, self._goal_head, self._goal]
        turn: list[Part] = [4, self._turn_head, *self._steps, STRETCH]
        rows: list[Part] = [(self._top, 6), *about, *turn]
        lay(QVBoxLayout(self), rows, spacing=2, margins=(EDGE, EDGE, EDGE, EDGE - 4))
        self._goal_head.setVisible(bool(kit.words.goal))
        self._goal.setVisible(bool(kit.words.goal))
        self.show_turn(True)

    def show_turn(self, shown: bool) -> None:
        """Show how a turn goes, or leave its room to the box."""
        self._turn_head.setVisible(shown and bool(self._turn))
        for step in self._steps:
            step.setVisible(shown)

    def set_room(self, narrow: bool, low: bool) -> None:
        """Take up less width, or less height with the box beside its title."""
        way = QBoxLayout.Direction
        wide, direction = NARROW if narrow else WIDE, way.LeftToRight if low else way.TopToBottom
        if (wide, direction) != (self._wide, self._top.direction()):
            self._wide = wide
            self._top.setDirection(direction)
            self._top.setAlignment(
                self._head, Qt.AlignmentFlag.AlignTop if low else Qt.AlignmentFlag(0)
            )
            self._fit_text_heights()

    def refresh_appearance(self) -> None:
        """Show the texts in the chosen language."""
        words, kit = self._context.words, self._kit
        game = self._context.words_of(kit)
        self._title.setText(title(kit, words.language))
        facts = (seats_text(words, kit.box.seats), words(labels.MINUTES, n=kit.box.minutes))
        self._facts.setText(words.join_facts(facts))
        self._goal_head.setText(words("The goal"))
        self._goal.setText(game(kit.words.goal))
        self._turn_head.setText(words("How a turn goes"))
        for number, (line, text) in enumerate(zip(self._steps, self._turn, strict=True), 1):
            line.setText(words.number(number, game(text)))
        ink = self._context.look(kit).table_ink
        heads = (self._title, self._facts, self._goal_head, self._goal, self._turn_head)
        for each in (*heads, *self._steps):
            each.setStyleSheet(f"QLabel {{ color: {ink}; }}")
        self._fit_text_heights()

    def paintEvent(self, event: QPaintEvent) -> None:
        context, kit = self._context, self._kit
        shape = QPainterPath()
        shape.addRoundedRect(QRectF(self.rect()), CORNER, CORNER)
        ground = cloth(
            context.art, context.look(kit), kit.id, self.size(), self.devicePixelRatioF()
        )
        with QPainter(self) as painter:
            painter.setRenderHints(SMOOTH)
            painter.setClipPath(shape)
            painter.drawPixmap(0, 0, ground)

    def _fit_text_heights(self) -> None:
        wide = scale_pixels(self, self._wide)
        self.setFixedWidth(wide)
        beside = self._top.direction() is QBoxLayout.Direction.LeftToRight
        self._front.fit(beside)
        inside = wide - 2 * EDGE
        head = inside - self._front.maximumWidth() - self._top.spacing() if beside else inside
        for each in (self._title, self._facts):
            _set_width(each, head)
        for each in (self._goal, *self._steps):
            _set_width(each, inside)


def _set_width(text: PlainLabel, wide: int) -> None:
    text.ensurePolished()
    text.setMinimumSize(0, 0)  # otherwise its size hint would never shrink
    text.wrap_for(wide)
    text.setFixedSize(wide, text.heightForWidth(wide))

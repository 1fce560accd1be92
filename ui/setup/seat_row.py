"""One seat in a line, wherever a table is set up: who sits there or is to sit there, and the
buttons for what can be done about it."""

from collections.abc import Sequence
from enum import Enum, auto

from msgspec import Struct
from PySide6.QtCore import QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from tabletop.language import labels
from tabletop.text.phrases import phrase
from tabletop.text.symbol_names import SYMBOL_NAMES
from ui.setup.seat_kind import KindChoice
from ui.shell.app_context import AppContext, name_widget
from ui.shell.player_names import LONGEST, clean_name
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.seat_badge import fill_symbol_menu, seat_badge, show_badge, show_team_sign
from ui.widgets.styled_widgets import (
    ElidedLabel,
    Paper,
    PlainLabel,
    button,
    label,
    menu_button,
    scale_pixels,
    set_style_kind,
)
from ui.widgets.text_fields import TextField

TEAM_SIDE, MARK_SIDE = 20, 16
"""The sides of a team's sign, and of the mark of a player's state, in pixels."""
MIN_FIELD_WIDTH = 96
"""In pixels."""
NARROW_WIDTH = 640
"""The width of a row, in pixels, below which it has fewer icons."""


class SeatMode(Enum):
    """What a row shows of its seat."""

    NAMED = auto()
    """Somebody is to sit here, whose name is written in the row."""
    CODED = auto()
    """Somebody sits here; whoever writes the code of the seat takes it over."""
    OPEN = auto()
    """Others can sit down here."""
    BOT = auto()
    """A bot sits here, without a name."""
    TAKEN = auto()
    """Somebody sits here, at this computer or another."""
    FREED = auto()
    """Somebody sat here; who comes plays on for them."""


WRITTEN = (SeatMode.NAMED, SeatMode.CODED)
"""The modes in which somebody writes in the row."""
FAINT = (SeatMode.OPEN, SeatMode.FREED)
"""The modes of a seat at which nobody sits."""


class SeatFace(Struct, frozen=True):
    """What a row shows in its mode."""

    mode: SeatMode
    name: str = ""
    """Shown where no name is written."""
    symbol: str = ""
    """The symbol of the player."""
    icon: tuple[str, str] = ("person", "line")
    """Stands for the player without a symbol: the icon, and its colour in the theme."""
    mark: tuple[str, str] | None = None
    """A sign of the player's state: the icon, and its colour in the theme."""
    state: str = ""
    """The state in words."""


class RowStyle(Struct, frozen=True):
    """The sizes of a screen's rows, and what can be done in them."""

    spacing: int
    margins: tuple[int, int, int, int]
    """What is free in a row, left, top, right and bottom, in pixels."""
    badge: int
    """The side of a badge, in pixels."""
    large_badge: int = 0
    """The same in a high row."""
    min_height: int = 0
    """In pixels."""
    stacked: bool = False
    """Whether a player's state is below the name, not beside it."""
    field_name: str = phrase("Name for seat {n}")
    """The name of the field for screen readers, in English."""
    movable: bool = False
    """Whether the row can be dragged to another seat by a grip."""
    symbols: bool = False
    """Whether the player who is named gets a symbol by choice."""
    symbol_inset: int = 0
    """Pixels by which the symbol is smaller as long as it can be chosen."""
    buttons: tuple[str, ...] = ()
    """The names of the buttons at the end of the row."""
    menu: bool = False
    """Whether a menu follows them."""


class Grip(PlainLabel):
    """The grip by which a row is dragged to another seat."""

    moved = Signal(int)
    """Pixels it was dragged downwards since it was taken."""
    let_go = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._from: QPoint | None = None
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setCursor(Qt.CursorShape.OpenHandCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._from = event.globalPosition().toPoint()
            self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._from is not None:
            self.moved.emit(event.globalPosition().toPoint().y() - self._from.y())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._from = None
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.let_go.emit()


class SeatRow(Paper):
    """A seat: its number, its team, the sign of who sits there, name or field, and buttons."""

    edited = Signal()
    """Something else is written in the field."""
    submitted = Signal()
    """Enter was pressed in the field."""
    symbol_chosen = Signal(str)
    pressed = Signal(str)
    """One of the style's buttons was pressed: its name."""

    def __init__(
        self,
        context: AppContext,
        number: int,
        style: RowStyle,
        kind: KindChoice | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """`number` is counted from 0; `kind` can be chosen between the name and the buttons."""
        super().__init__(parent)
        self._context = context
        self._style = style
        self.number = number
        self.kind = kind
        self.face = SeatFace(SeatMode.OPEN)
        self.symbol = ""
        """The symbol of who is named."""
        self.large = False
        """Whether the badge is large, as few seats leave the room."""
        self.grip = Grip()
        self._order, self._team = label("caption"), label()
        self._team.hide()
        self._badge, self.symbol_menu = label(), menu_button()
        self.symbol_menu.hide()
        self.symbol_menu.setStyleSheet("QToolButton { padding: 2px; }")
        self._name = ElidedLabel()
        self._mark, self._state = label(), label("caption")
        self.field = TextField(longest=LONGEST)
        self.field.textChanged.connect(lambda _: self._note_written())
        self.field.returnPressed.connect(self.submitted)
        self.buttons = {name: button("quiet") for name in style.buttons}
        for name, each in self.buttons.items():
            each.clicked.connect(lambda _=False, name=name: self.pressed.emit(name))
        self.more = menu_button()
        self._lay_out()
        if isinstance(kind, QObject):
            kind.setParent(self)  # otherwise its connections would keep the row alive
        # only once they are in the row
        self.grip.setVisible(style.movable)
        self.more.setVisible(style.menu)

    @property
    def text(self) -> str:
        """The name that is shown of this seat's player."""
        return self._name.text()

    @property
    def state(self) -> str:
        """The state that is shown of this seat's player."""
        return self._state.text()

    @property
    def written(self) -> str:
        """What is written in the field."""
        return clean_name(self.field.text())

    def show_face(self, face: SeatFace) -> None:
        """Show this of the seat."""
        self.face = face
        self.refresh_appearance()

    def choose_symbol(self, symbol: str) -> None:
        """Give the player who is named this symbol."""
        self.symbol = symbol
        self.refresh_appearance()

    def offer_symbols(self, symbols: Sequence[str]) -> None:
        """Let these symbols be chosen."""
        fill_symbol_menu(self._context, self.symbol_menu.menu(), symbols, self.symbol_chosen.emit)

    def show_team(self, team: int | None) -> None:
        """Show the sign of the team of this number; None if nobody has a partner."""
        show_team_sign(self._context, self._team, team, scale_pixels(self, TEAM_SIDE))

    def show_button(
        self, name: str, text: str, shown: bool = True, kind: str = "quiet", spoken: str = ""
    ) -> None:
        """Show a button with this text, or hide it; `spoken` is its name for screen readers."""
        each = self.buttons[name]
        each.setText(text)
        set_style_kind(each, kind)
        if spoken:
            name_widget(each, spoken)
        each.setVisible(shown)

    def take_focus(self) -> None:
        """Let the person write."""
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.selectAll()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_width()

    def refresh_appearance(self) -> None:
        """Show texts and pictures in the chosen language and theme."""
        face, theme = self.face, self._context.theme
        self._fit_sizes()
        self._order.setText(str(self.number + 1))
        self._show_sign()
        writes = face.mode in WRITTEN
        self._name.setText(face.name)
        ink = theme.ink_soft if face.mode in FAINT else theme.ink
        self._name.setStyleSheet(f"QLabel {{ font-weight: 700; color: {ink}; }}")
        self._name.setVisible(not writes and bool(face.name))
        self._mark.setVisible(face.mark is not None)
        if face.mark is not None:
            icon, tone = face.mark
            side = scale_pixels(self, MARK_SIDE)
            self._mark.setPixmap(self._context.icon_pixmap(icon, side, getattr(theme, tone)))
        self._state.setVisible(bool(face.state))
        self._state.setText(face.state)
        self.field.setVisible(writes)
        self._name_parts()
        if self.kind is not None:
            self.kind.refresh_appearance(self.number + 1, self.written)
        self._fit_width()

    def _note_written(self) -> None:
        if self.kind is not None:
            self.kind.name_player(self.written)
        self.edited.emit()

    def _name_parts(self) -> None:
        """Name what is pressed or written in, for the eye and for screen readers."""
        words, n = self._context.words, self.number + 1
        if self.face.mode is SeatMode.CODED:
            self.field.setPlaceholderText(words(labels.CODE_OF_SEAT))
            name_widget(self.field, words("Code of seat {n}", n=n))
        else:
            self.field.setPlaceholderText(words(labels.NAME))
            name_widget(self.field, words(self._style.field_name, n=n))
        self.grip.setToolTip(words("Drag to another seat"))
        self.symbol_menu.setToolTip(words("Choose a symbol"))

    def _show_sign(self) -> None:
        """Show the symbol of who sits here, as a menu if it can be chosen, or an icon."""
        context, face, side = self._context, self.face, self._badge_side
        named = face.mode is SeatMode.NAMED
        chosen = named and self._style.symbols
        self._badge.setVisible(not chosen)
        self.symbol_menu.setVisible(chosen)
        symbol = self.symbol if named else face.symbol
        if chosen:
            inner = side - scale_pixels(self, self._style.symbol_inset)
            self.symbol_menu.setIconSize(QSize(inner, inner))
            self.symbol_menu.setIcon(seat_badge(context, symbol, inner, self))
            words, n = context.words, self.number + 1
            name_widget(
                self.symbol_menu,
                words("Symbol of player {n}", n=n),
                words(SYMBOL_NAMES.get(symbol, symbol)),
            )
        elif symbol:
            show_badge(context, self._badge, symbol, side)
        else:
            icon, tone = face.icon
            self._badge.setPixmap(context.icon_pixmap(icon, side, getattr(context.theme, tone)))
            self._badge.setAccessibleName("")

    def _fit_width(self) -> None:
        if self.kind is not None:
            self.kind.set_narrow(self.width() < scale_pixels(self, NARROW_WIDTH))

    @property
    def _badge_side(self) -> int:
        style = self._style
        return scale_pixels(self, style.large_badge if self.large else style.badge)

    def _fit_sizes(self) -> None:
        """Let what has a size of its own be as large as all else."""
        self._order.ensurePolished()
        self._order.setMinimumWidth(self._order.fontMetrics().horizontalAdvance("12"))
        self._badge.setFixedSize(self._badge_side, self._badge_side)
        self.setMinimumHeight(scale_pixels(self, self._style.min_height))
        self.field.setMinimumWidth(scale_pixels(self, MIN_FIELD_WIDTH))
        if self._style.movable:
            self.grip.setFixedSize(scale_pixels(self, 24), scale_pixels(self, 36))
            side, ink = scale_pixels(self, 20), self._context.theme.ink_soft
            self.grip.setPixmap(self._context.icon_pixmap("grip", side, ink))

    def _lay_out(self) -> None:
        style = self._style
        state = lay(QHBoxLayout(), [self._mark, (self._state, 1)], spacing=6)
        middle = QWidget()
        middle.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        if style.stacked:
            texts: list[Part] = [STRETCH, self._name, state, self.field, STRETCH]
            lay(QVBoxLayout(middle), texts, spacing=0, margins=0)
        else:
            beside: list[Part] = [(self._name, 1), (self.field, 1), state]
            lay(QHBoxLayout(middle), beside, spacing=10, margins=0)
        row: list[Part] = [self.grip, self._order, self._team, self._badge, self.symbol_menu]
        row += [(middle, 1), *(self.kind.parts if self.kind is not None else ())]
        row += [*self.buttons.values(), self.more]
        lay(QHBoxLayout(self), row, spacing=style.spacing, margins=style.margins)

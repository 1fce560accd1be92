"""The row of a seat, as shown in the lobby and in the forms that set up a table."""

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
from ui.shell.player_names import MAX_LENGTH, clean_name
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

TEAM_ICON_PX, MARK_ICON_PX = 20, 16
MIN_FIELD_WIDTH_PX = 96
NARROW_BELOW_PX = 640
"""The row width in pixels below which icons are left out."""


class SeatMode(Enum):
    """What a seat's row shows."""

    NAMED = auto()
    """A text field for the name of the person who takes the seat."""
    CODED = auto()
    """A text field for the code with which the seat can be taken over."""
    OPEN = auto()
    """A seat that others can take."""
    BOT = auto()
    """A bot without a name."""
    TAKEN = auto()
    """A person at this or another computer."""
    FREED = auto()
    """A seat whose player has left; the next person continues that player's game."""


MODES_WITH_FIELD = (SeatMode.NAMED, SeatMode.CODED)
"""The modes in which a row has a text field."""
EMPTY_MODES = (SeatMode.OPEN, SeatMode.FREED)
"""The modes of an empty seat."""


class SeatFace(Struct, frozen=True):
    """The contents of a seat's row."""

    mode: SeatMode
    name: str = ""
    """The player's name, for modes without a text field."""
    symbol: str = ""
    """The player's symbol; "" if the player has none."""
    icon: tuple[str, str] = ("person", "line")
    """An icon for a player without a symbol, and the name of its colour in the theme."""
    mark: tuple[str, str] | None = None
    """An icon for the player's state, and the name of its colour in the theme; None for no icon."""
    state: str = ""
    """The player's state as text."""


class RowStyle(Struct, frozen=True):
    """The layout of the seat rows on one screen, and the controls in them."""

    spacing: int
    margins: tuple[int, int, int, int]
    """The left, top, right and bottom margins, in pixels."""
    badge: int
    """The side of a badge, in pixels."""
    large_badge: int = 0
    """The side of a badge in a high row, in pixels."""
    min_height: int = 0
    """The minimum row height, in pixels."""
    stacked: bool = False
    """Whether a player's state is below the name instead of beside it."""
    field_name: str = phrase("Name for seat {n}")
    """The text field's name for screen readers, as an English phrase."""
    movable: bool = False
    """Whether rows have a grip for dragging."""
    symbols: bool = False
    """Whether the user can choose the player's symbol."""
    symbol_inset: int = 0
    """The number of pixels by which the symbol is smaller if the user can choose it."""
    buttons: tuple[str, ...] = ()
    """The names of the buttons at the end of the row."""
    menu: bool = False
    """Whether a menu button follows the other buttons."""


class Grip(PlainLabel):
    """A handle for dragging a row to another seat."""

    dragged = Signal(int)
    """The handle was dragged: the distance in pixels from the start, positive downwards."""
    released = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._drag_start: QPoint | None = None
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setCursor(Qt.CursorShape.OpenHandCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._drag_start = event.globalPosition().toPoint()
            self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._drag_start is not None:
            self.dragged.emit(event.globalPosition().toPoint().y() - self._drag_start.y())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._drag_start = None
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.released.emit()


class SeatRow(Paper):
    """The row of a seat: number, team, symbol, name or text field, and buttons."""

    edited = Signal()
    """The text in the field has changed."""
    submitted = Signal()
    """The user pressed Enter in the field."""
    symbol_chosen = Signal(str)
    button_pressed = Signal(str)
    """A button was pressed: its name in `RowStyle.buttons`."""

    def __init__(
        self,
        context: AppContext,
        number: int,
        style: RowStyle,
        kind: KindChoice | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """`number`: the seat, from 0. `kind`: a control for the kind of player, or None."""
        super().__init__(parent)
        self._context = context
        self._style = style
        self.number = number
        self.kind = kind
        self.face = SeatFace(SeatMode.OPEN)
        self.symbol = ""
        """The symbol of the person whose name is in the field."""
        self.large = False
        """Whether the badge is large."""
        self.grip = Grip()
        self._order, self._team = label("caption"), label()
        self._team.hide()
        self._badge, self.symbol_menu = label(), menu_button()
        self.symbol_menu.hide()
        self.symbol_menu.setStyleSheet("QToolButton { padding: 2px; }")
        self._name = ElidedLabel()
        self._mark, self._state = label(), label("caption")
        self.field = TextField(longest=MAX_LENGTH)
        self.field.textChanged.connect(lambda _: self._on_text_changed())
        self.field.returnPressed.connect(self.submitted)
        self.buttons = {name: button("quiet") for name in style.buttons}
        for name, each in self.buttons.items():
            each.clicked.connect(lambda _=False, name=name: self.button_pressed.emit(name))
        self.more_button = menu_button()
        self._lay_out()
        if isinstance(kind, QObject):
            kind.setParent(self)  # without a parent its connections would keep the row alive
        # after they were added to the row, or they would become windows
        self.grip.setVisible(style.movable)
        self.more_button.setVisible(style.menu)

    @property
    def text(self) -> str:
        """The name that the row displays."""
        return self._name.text()

    @property
    def state(self) -> str:
        """The state that the row displays."""
        return self._state.text()

    @property
    def entered_text(self) -> str:
        """The text in the field as a valid name."""
        return clean_name(self.field.text())

    def show_face(self, face: SeatFace) -> None:
        """Show `face` in the row."""
        self.face = face
        self.refresh_appearance()

    def choose_symbol(self, symbol: str) -> None:
        """Set the symbol of the person whose name is in the field."""
        self.symbol = symbol
        self.refresh_appearance()

    def offer_symbols(self, symbols: Sequence[str]) -> None:
        """Fill the symbol menu with `symbols`."""
        fill_symbol_menu(self._context, self.symbol_menu.menu(), symbols, self.symbol_chosen.emit)

    def show_team(self, team: int | None) -> None:
        """Show the icon of the team; None if the game has no teams."""
        show_team_sign(self._context, self._team, team, scale_pixels(self, TEAM_ICON_PX))

    def show_button(
        self, name: str, text: str, shown: bool = True, kind: str = "quiet", spoken: str = ""
    ) -> None:
        """Set the text and visibility of the button `name`; `spoken` is its accessible name."""
        each = self.buttons[name]
        each.setText(text)
        set_style_kind(each, kind)
        if spoken:
            name_widget(each, spoken)
        each.setVisible(shown)

    def take_focus(self) -> None:
        """Focus the text field and select its text."""
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.selectAll()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_width()

    def refresh_appearance(self) -> None:
        """Update texts and icons to the current language and theme."""
        face, theme = self.face, self._context.theme
        self._fit_sizes()
        self._order.setText(str(self.number + 1))
        self._show_symbol()
        has_field = face.mode in MODES_WITH_FIELD
        self._name.setText(face.name)
        ink = theme.ink_soft if face.mode in EMPTY_MODES else theme.ink
        self._name.setStyleSheet(f"QLabel {{ font-weight: 700; color: {ink}; }}")
        self._name.setVisible(not has_field and bool(face.name))
        self._mark.setVisible(face.mark is not None)
        if face.mark is not None:
            icon, tone = face.mark
            side = scale_pixels(self, MARK_ICON_PX)
            self._mark.setPixmap(self._context.icon_pixmap(icon, side, getattr(theme, tone)))
        self._state.setVisible(bool(face.state))
        self._state.setText(face.state)
        self.field.setVisible(has_field)
        self._name_controls()
        if self.kind is not None:
            self.kind.refresh_appearance(self.number + 1, self.entered_text)
        self._fit_width()

    def _on_text_changed(self) -> None:
        if self.kind is not None:
            self.kind.set_player_name(self.entered_text)
        self.edited.emit()

    def _name_controls(self) -> None:
        """Set the placeholder, the tool tips and the names for screen readers."""
        words, n = self._context.words, self.number + 1
        if self.face.mode is SeatMode.CODED:
            self.field.setPlaceholderText(words(labels.CODE_OF_SEAT))
            name_widget(self.field, words("Code of seat {n}", n=n))
        else:
            self.field.setPlaceholderText(words(labels.NAME))
            name_widget(self.field, words(self._style.field_name, n=n))
        self.grip.setToolTip(words("Drag to another seat"))
        self.symbol_menu.setToolTip(words("Choose a symbol"))

    def _show_symbol(self) -> None:
        """Show the player's symbol, or an icon; the symbol is a menu if the user can choose it."""
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
            self.kind.set_narrow(self.width() < scale_pixels(self, NARROW_BELOW_PX))

    @property
    def _badge_side(self) -> int:
        style = self._style
        return scale_pixels(self, style.large_badge if self.large else style.badge)

    def _fit_sizes(self) -> None:
        """Apply the current scale to all fixed sizes."""
        self._order.ensurePolished()
        self._order.setMinimumWidth(self._order.fontMetrics().horizontalAdvance("12"))
        self._badge.setFixedSize(self._badge_side, self._badge_side)
        self.setMinimumHeight(scale_pixels(self, self._style.min_height))
        self.field.setMinimumWidth(scale_pixels(self, MIN_FIELD_WIDTH_PX))
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
        row += [(middle, 1), *(self.kind.widgets if self.kind is not None else ())]
        row += [*self.buttons.values(), self.more_button]
        lay(QHBoxLayout(self), row, spacing=style.spacing, margins=style.margins)

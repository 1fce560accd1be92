"""One seat of a table that is to be hosted: somebody here, open to others, or a bot."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit

from tabletop.net.protocol import Chair
from tabletop.phrases import phrase
from ui.screens.names import LONGEST, plain
from ui.screens.room import Room, named
from ui.screens.seat_row import LEVEL_NAMES
from ui.screens.surface import Paper, label

HERE = "here"
OPEN = "open"
KINDS = {
    HERE: phrase("At this computer"),
    OPEN: phrase("Open to others"),
    **LEVEL_NAMES,
}
BADGE = 34


class ChairRow(Paper):
    """A line of the host's sheet."""

    edited = Signal()

    def __init__(self, room: Room, number: int, symbol: str, kind: str) -> None:
        super().__init__()
        self._room = room
        self._number = number
        self.symbol = symbol
        self._order = label("caption")
        self._order.setMinimumWidth(self._order.fontMetrics().horizontalAdvance("12"))
        self._badge = label()
        self._badge.setFixedSize(BADGE, BADGE)
        self.kind = QComboBox()
        for value in KINDS:
            self.kind.addItem("", value)
        self.kind.setCurrentIndex(self.kind.findData(kind))
        self.kind.currentIndexChanged.connect(self._change)
        self.kind.setMinimumWidth(210)
        self.name = QLineEdit()
        self.name.setMaxLength(LONGEST)
        self.name.textChanged.connect(lambda _: self.edited.emit())
        self._note = label("caption")
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 5, 10, 5)
        row.setSpacing(10)
        row.addWidget(self._order)
        row.addWidget(self._badge)
        row.addWidget(self.name, 1)
        row.addWidget(self._note, 1)
        row.addWidget(self.kind)
        self.dress()

    @property
    def here(self) -> bool:
        """Whether somebody at this computer is to sit here."""
        return bool(self.kind.currentData() == HERE)

    @property
    def player(self) -> str:
        """The name of who sits here, as written."""
        return plain(self.name.text())

    @property
    def chair(self) -> Chair:
        """How the seat begins. Who sits here comes in like anybody, and finds it open."""
        kind = str(self.kind.currentData())
        return Chair("open") if kind in (HERE, OPEN) else Chair("bot", kind)

    def dress(self) -> None:
        """Put texts and pictures on in the room's language and theme."""
        words, room = self._room.words, self._room
        n = self._number + 1
        self._order.setText(str(n))
        for index, text in enumerate(KINDS.values()):
            self.kind.setItemText(index, words(text))
        named(self.kind, words("Who has seat {n}", n=n))
        self.name.setPlaceholderText(words("Name"))
        named(self.name, words("Name for seat {n}", n=n))
        kind = str(self.kind.currentData())
        self.name.setVisible(kind == HERE)
        self._note.setVisible(kind != HERE)
        self._note.setText(words("Somebody on another computer") if kind == OPEN else "")
        theme, ratio = room.theme, self.devicePixelRatioF()
        if kind == HERE:
            colour = room.seat_colour(self.symbol)
            self._badge.setPixmap(room.art.seat_badge(self.symbol, colour, BADGE, ratio))
        else:
            sign = "connected" if kind == OPEN else "bot"
            self._badge.setPixmap(room.icon(sign, theme.ink_soft).pixmap(BADGE, BADGE))

    def _change(self) -> None:
        self.dress()
        self.edited.emit()

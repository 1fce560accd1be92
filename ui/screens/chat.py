"""What people at a shared table say to each other, and a field to say something."""

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import (
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextImageFormat,
)
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QTextEdit, QVBoxLayout, QWidget

from tabletop.engine.model import AUDIENCE
from tabletop.net.protocol import LONGEST_LINE, Spoken
from ui.screens.room import Room, named
from ui.screens.surface import button
from ui.screens.visit import Visit

BADGE = 20
OBJECT = "\ufffc"
"""What stands for a picture in the plain text of a document."""


class ChatPanel(QWidget):
    """The lines as they were said, always as plain text."""

    unread_changed = Signal(int)
    """So many lines were said since it was last looked at."""

    def __init__(self, room: Room, visit: Visit) -> None:
        super().__init__()
        self._room = room
        self._visit = visit
        self.speaker: int | None = None
        """The seat here that speaks; None: the first that sits here."""
        self.unread = 0
        self.shown = QTextEdit()
        self.shown.setReadOnly(True)
        self.shown.setAcceptRichText(False)
        self.shown.setTabChangesFocus(True)
        self.shown.document().setDocumentMargin(4)
        self.field = QLineEdit()
        self.field.setMaxLength(LONGEST_LINE)
        self.field.returnPressed.connect(self._say)
        self.send = button()
        self.send.setAutoDefault(False)
        self.send.clicked.connect(self._say)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.field, 1)
        row.addWidget(self.send)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(8)
        column.addWidget(self.shown, 1)
        column.addLayout(row)
        visit.spoken.connect(self._hear)
        for said in visit.guest.chat:
            self._add(said)
        self.dress()

    def take_focus(self) -> None:
        """Let the person write."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def read(self) -> None:
        """Somebody looks at it now."""
        if self.unread:
            self.unread = 0
            self.unread_changed.emit(0)

    def dress(self) -> None:
        """Put the texts on in the room's language."""
        words = self._room.words
        self.field.setPlaceholderText(words("Say something…"))
        self.send.setText(words("Say"))
        named(self.field, words("Say something to everybody at the table"))
        named(self.shown, words("Chat"))

    def showEvent(self, event: object) -> None:
        self._to_end()
        self.read()

    @property
    def text(self) -> str:
        """Everything that was said, line by line."""
        return self.shown.toPlainText().replace(OBJECT, "").strip()

    def _say(self) -> None:
        text = self.field.text().strip()
        if not text:
            return
        own = self._visit.own
        seat = self.speaker if self.speaker in own else own[0] if own else AUDIENCE
        self._visit.speak(text, AUDIENCE if seat is None else seat)
        if self._visit.lost is None:
            self.field.clear()

    def _hear(self, said: Spoken) -> None:
        self._add(said)
        if not self.isVisible() and said.seat not in self._visit.own:
            self.unread += 1
            self.unread_changed.emit(self.unread)

    def _add(self, said: Spoken) -> None:
        """Write a line: the name in bold, what was said as it is, never as markup."""
        words, visit = self._room.words, self._visit
        name = visit.name(said.seat) or words("A spectator")
        cursor = QTextCursor(self.shown.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if not self.shown.document().isEmpty():
            cursor.insertBlock()
        gap = QTextBlockFormat()
        gap.setBottomMargin(8)
        cursor.setBlockFormat(gap)
        usual, bold = QTextCharFormat(), QTextCharFormat()
        bold.setFontWeight(QFont.Weight.Bold)
        self._insert_badge(cursor, said.seat)
        cursor.insertText(f" {name}  ", bold)
        cursor.insertText(said.text, usual)
        self._to_end()

    def _insert_badge(self, cursor: QTextCursor, seat: int) -> None:
        """The sign of who speaks, as high as the line."""
        room, ratio = self._visit.room, self.devicePixelRatioF()
        symbol = room.sitters[seat].symbol if room and 0 <= seat < len(room.sitters) else ""
        if symbol:
            colour = self._room.seat_colour(symbol)
            picture = self._room.art.seat_badge(symbol, colour, BADGE, ratio)
        else:
            picture = self._room.icon("eye", self._room.theme.ink_soft).pixmap(BADGE, BADGE)
        name = f"badge/{symbol}"
        self.shown.document().addResource(
            QTextDocument.ResourceType.ImageResource, QUrl(name), picture
        )
        sign = QTextImageFormat()
        sign.setName(name)
        sign.setWidth(BADGE)
        sign.setHeight(BADGE)
        sign.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
        cursor.insertImage(sign)

    def _to_end(self) -> None:
        bar = self.shown.verticalScrollBar()
        bar.setValue(bar.maximum())

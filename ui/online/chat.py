"""The chat of a shared table."""

from functools import partial

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import (
    QAction,
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextImageFormat,
)
from PySide6.QtWidgets import QHBoxLayout, QTextEdit, QToolButton, QVBoxLayout

from tabletop.engine.model import AUDIENCE
from tabletop.language import labels
from tabletop.match.match import SYMBOLS
from tabletop.protocol.messages import MAX_CHAT_CHARACTERS, ChatLine
from tabletop.protocol.quick_words import EMOTES, PHRASES, quick_text
from tabletop.table.client import MAX_CHAT_LINES
from ui.match.dock import ChatTab
from ui.online.remote_table import RemoteTable
from ui.shell.app_context import LOOKS, AppContext, name_widget
from ui.style.sandboxed_document import HeldDocument
from ui.widgets.announcer import ScreenReaderAnnouncer
from ui.widgets.box_layout import STRETCH, lay
from ui.widgets.seat_badge import seat_badge
from ui.widgets.styled_widgets import button, menu_button
from ui.widgets.text_fields import TextField

BADGE = 20
OBJECT = "\ufffc"
"""The character for a picture in the plain text of a document."""


class ChatPanel(ChatTab):
    """The lines as they were said, always as plain text."""

    def __init__(self, context: AppContext, remote: RemoteTable) -> None:
        super().__init__()
        self._context = context
        self._remote = remote
        self.shown = QTextEdit(readOnly=True, acceptRichText=False, tabChangesFocus=True)
        self.shown.setDocument(HeldDocument(self.shown))
        self.shown.document().setDocumentMargin(4)
        self.shown.document().setMaximumBlockCount(MAX_CHAT_LINES)
        self.field = TextField(longest=MAX_CHAT_CHARACTERS)
        self.field.returnPressed.connect(self._say)
        self.send = button()
        self.send.setAutoDefault(False)
        self.send.clicked.connect(self._say)
        self.quick = menu_button()
        """The quick words."""
        self._actions = {name: QAction(self) for name in (*EMOTES, *PHRASES)}
        for name, action in self._actions.items():
            if name == next(iter(PHRASES)):
                self.quick.menu().addSeparator()
            self.quick.menu().addAction(action)
            action.triggered.connect(partial(self._say_quickly, name))
        self.heard = QToolButton()
        """Whether the quick words of others are heard, in one click."""
        self.heard.setProperty("kind", "quiet")
        self.heard.setCheckable(True)
        self.heard.toggled.connect(lambda on: context.change(quick_words=on))
        quickly = lay(QHBoxLayout(), [self.quick, STRETCH, self.heard])
        row = lay(QHBoxLayout(), [(self.field, 1), self.send], spacing=8)
        lay(QVBoxLayout(self), [(self.shown, 1), quickly, row], spacing=8, margins=8)
        self.announcer = ScreenReaderAnnouncer(self)
        remote.spoken.connect(self._hear)
        remote.changed.connect(self._show_muted)
        context.changed.connect(self._note_changed)
        for line in remote.guest.chat:
            self._add_line(line)
        self.refresh_appearance()

    def take_focus(self) -> None:
        """Focus the field."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def read(self) -> None:
        """Mark the chat as read."""
        if self.unread:
            self.unread = 0
            self.unread_changed.emit(0)

    def refresh_appearance(self) -> None:
        """Show the texts in the chosen language."""
        words = self._context.words
        self._show_muted()
        self.send.setText(words("Say"))
        name_widget(self.field, words("Say something to everyone at the table"))
        name_widget(self.shown, words(labels.CHAT))
        self.quick.setText(EMOTES["glad"])
        self.quick.setToolTip(words("Say something in one click"))
        name_widget(self.quick, self.quick.toolTip())
        for name, action in self._actions.items():
            action.setText(quick_text(name, words))
        self._show_heard()
        self._rewrite()

    def _note_changed(self, changed: frozenset[str]) -> None:
        if changed & LOOKS:
            self.refresh_appearance()
        elif "quick_words" in changed:
            self._show_heard()
            self._rewrite()

    def _show_heard(self) -> None:
        words, on = self._context.words, self._context.settings.quick_words
        text = (
            words("Other players' quick phrases are shown")
            if on
            else words("Other players' quick phrases are hidden")
        )
        self.heard.setChecked(on)
        self.heard.setIcon(self._context.icon("sound" if on else "mute"))
        self.heard.setToolTip(text)
        name_widget(self.heard, text)

    def _rewrite(self) -> None:
        """Write the chat again if it holds quick words, for their present form."""
        if not any(line.quick for line in self._remote.guest.chat):
            return
        self.shown.clear()
        for line in self._remote.guest.chat:
            self._add_line(line)

    def _show_muted(self) -> None:
        """Close the field to a person that the host has muted."""
        words, info = self._context.words, self._remote.info
        muted = info is not None and self._speaking_seat() in info.muted
        self.field.setEnabled(not muted)
        self.send.setEnabled(not muted)
        self.quick.setEnabled(not muted)
        self.field.setPlaceholderText(words(labels.MUTED) if muted else words("Say something…"))

    def _speaking_seat(self) -> int:
        own = self._remote.own
        seat = self.speaker if self.speaker in own else own[0] if own else AUDIENCE
        return AUDIENCE if seat is None else seat

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
        self._speak(text)
        if self._remote.lost is None:
            self.field.clear()

    def _say_quickly(self, name: str, _: bool = False) -> None:
        self._speak(quick_text(name, self._context.words), name)

    def _speak(self, text: str, quick: str = "") -> None:
        self._remote.act(self._remote.guest.speak, text, self._speaking_seat(), quick)

    def _is_hidden(self, line: ChatLine) -> bool:
        """Whether it is a quick word of another that is not to be heard."""
        others = line.seat not in self._remote.own
        return bool(line.quick) and others and not self._context.settings.quick_words

    def _hear(self, line: ChatLine) -> None:
        self._add_line(line)
        others = line.seat not in self._remote.own
        if others and not self._is_hidden(line):
            self.announcer.say(self._context.words.with_label(self._name(line), self._text(line)))
        if not self.isVisible() and others and not self._is_hidden(line):
            self.unread += 1
            self.unread_changed.emit(self.unread)

    def _add_line(self, line: ChatLine) -> None:
        """Write a line: the name in bold, what was said as it is, never as markup."""
        if self._is_hidden(line):
            return
        cursor = QTextCursor(self.shown.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if not self.shown.document().isEmpty():
            cursor.insertBlock()
        gap = QTextBlockFormat()
        gap.setBottomMargin(8)
        cursor.setBlockFormat(gap)
        usual, bold = QTextCharFormat(), QTextCharFormat()
        bold.setFontWeight(QFont.Weight.Bold)
        self._insert_badge(cursor, line.seat)
        cursor.insertText(f" {self._name(line)}  ", bold)
        cursor.insertText(self._text(line), usual)
        self._to_end()

    def _name(self, line: ChatLine) -> str:
        return self._remote.name(line.seat) or self._context.words(labels.A_SPECTATOR)

    def _text(self, line: ChatLine) -> str:
        return quick_text(line.quick, self._context.words) or line.text

    def _insert_badge(self, cursor: QTextCursor, seat: int) -> None:
        """The sign of who speaks, as high as the line."""
        info = self._remote.info
        symbol = info.sitters[seat].symbol if info and 0 <= seat < len(info.sitters) else ""
        if symbol:
            picture = seat_badge(self._context, symbol, BADGE, self)
        else:
            picture = self._context.icon_pixmap("eye", BADGE, self._context.theme.ink_soft)
        name = f"badge/{symbol if symbol in SYMBOLS else 'none'}"
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

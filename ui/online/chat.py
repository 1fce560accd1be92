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
from ui.shell.app_context import APPEARANCE_SETTINGS, AppContext, name_widget
from ui.style.sandboxed_document import SandboxedDocument
from ui.widgets.announcer import ScreenReaderAnnouncer
from ui.widgets.box_layout import STRETCH, lay
from ui.widgets.seat_badge import seat_badge
from ui.widgets.styled_widgets import button, menu_button
from ui.widgets.text_fields import TextField

BADGE_SIZE_PX = 20
PICTURE_PLACEHOLDER = "\ufffc"
"""The character that stands for a picture in a document's plain text."""


class ChatPanel(ChatTab):
    """The chat: a transcript, a message field and quick phrases.

    All messages are shown as plain text.
    """

    def __init__(self, context: AppContext, remote: RemoteTable) -> None:
        super().__init__()
        self._context = context
        self._remote = remote
        self.transcript = QTextEdit(readOnly=True, acceptRichText=False, tabChangesFocus=True)
        self.transcript.setDocument(SandboxedDocument(self.transcript))
        self.transcript.document().setDocumentMargin(4)
        self.transcript.document().setMaximumBlockCount(MAX_CHAT_LINES)
        self.field = TextField(longest=MAX_CHAT_CHARACTERS)
        self.field.returnPressed.connect(self._say)
        self.send_button = button()
        self.send_button.setAutoDefault(False)
        self.send_button.clicked.connect(self._say)
        self.quick_button = menu_button()
        """The menu button of the quick phrases."""
        self._actions = {name: QAction(self) for name in (*EMOTES, *PHRASES)}
        for name, action in self._actions.items():
            if name == next(iter(PHRASES)):
                self.quick_button.menu().addSeparator()
            self.quick_button.menu().addAction(action)
            action.triggered.connect(partial(self._say_quick_phrase, name))
        self.show_quick_button = QToolButton()
        """The button that shows or hides other players' quick phrases."""
        self.show_quick_button.setProperty("kind", "quiet")
        self.show_quick_button.setCheckable(True)
        self.show_quick_button.toggled.connect(lambda on: context.change_settings(quick_words=on))
        quick_row = lay(QHBoxLayout(), [self.quick_button, STRETCH, self.show_quick_button])
        row = lay(QHBoxLayout(), [(self.field, 1), self.send_button], spacing=8)
        lay(QVBoxLayout(self), [(self.transcript, 1), quick_row, row], spacing=8, margins=8)
        self.announcer = ScreenReaderAnnouncer(self)
        remote.chat_received.connect(self._on_message)
        remote.changed.connect(self._update_muted)
        context.changed.connect(self._on_settings_changed)
        for line in remote.guest.chat:
            self._add_line(line)
        self.refresh_appearance()

    def focus_input(self) -> None:
        """Focus the message field."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def mark_read(self) -> None:
        """Mark all messages as read."""
        if self.unread:
            self.unread = 0
            self.unread_changed.emit(0)

    def refresh_appearance(self) -> None:
        """Update texts and icons to the current language and theme."""
        words = self._context.words
        self._update_muted()
        self.send_button.setText(words("Say"))
        name_widget(self.field, words("Say something to everyone at the table"))
        name_widget(self.transcript, words(labels.CHAT))
        self.quick_button.setText(EMOTES["glad"])
        self.quick_button.setToolTip(words("Say something in one click"))
        name_widget(self.quick_button, self.quick_button.toolTip())
        for name, action in self._actions.items():
            action.setText(quick_text(name, words))
        self._show_quick_setting()
        self._rewrite()

    def _on_settings_changed(self, changed: frozenset[str]) -> None:
        if changed & APPEARANCE_SETTINGS:
            self.refresh_appearance()
        elif "quick_words" in changed:
            self._show_quick_setting()
            self._rewrite()

    def _show_quick_setting(self) -> None:
        words, on = self._context.words, self._context.settings.quick_words
        text = (
            words("Other players' quick phrases are shown")
            if on
            else words("Other players' quick phrases are hidden")
        )
        self.show_quick_button.setChecked(on)
        self.show_quick_button.setIcon(self._context.icon("sound" if on else "mute"))
        self.show_quick_button.setToolTip(text)
        name_widget(self.show_quick_button, text)

    def _rewrite(self) -> None:
        """Rebuild the transcript after the language or visibility of quick phrases has changed."""
        if not any(line.quick for line in self._remote.guest.chat):
            return
        self.transcript.clear()
        for line in self._remote.guest.chat:
            self._add_line(line)

    def _update_muted(self) -> None:
        """Disable the message field while the host has muted the local player or spectator."""
        words, info = self._context.words, self._remote.info
        muted = info is not None and self._speaking_seat() in info.muted
        self.field.setEnabled(not muted)
        self.send_button.setEnabled(not muted)
        self.quick_button.setEnabled(not muted)
        self.field.setPlaceholderText(words(labels.MUTED) if muted else words("Say something…"))

    def _speaking_seat(self) -> int:
        own = self._remote.local_seats
        seat = self.sender_seat if self.sender_seat in own else own[0] if own else AUDIENCE
        return AUDIENCE if seat is None else seat

    def showEvent(self, event: object) -> None:
        self._scroll_to_end()
        self.mark_read()

    @property
    def text(self) -> str:
        """The transcript as plain text, one message a line."""
        return self.transcript.toPlainText().replace(PICTURE_PLACEHOLDER, "").strip()

    def _say(self) -> None:
        text = self.field.text().strip()
        if not text:
            return
        self._send(text)
        if self._remote.lost_reason is None:
            self.field.clear()

    def _say_quick_phrase(self, name: str, _: bool = False) -> None:
        self._send(quick_text(name, self._context.words), name)

    def _send(self, text: str, quick: str = "") -> None:
        self._remote.request(self._remote.guest.send_chat, text, self._speaking_seat(), quick)

    def _is_hidden(self, line: ChatLine) -> bool:
        """Return whether `line` is another player's quick phrase, and those are hidden."""
        others = line.seat not in self._remote.local_seats
        return bool(line.quick) and others and not self._context.settings.quick_words

    def _on_message(self, line: ChatLine) -> None:
        self._add_line(line)
        others = line.seat not in self._remote.local_seats
        if others and not self._is_hidden(line):
            self.announcer.say(self._context.words.with_label(self._name(line), self._text(line)))
        if not self.isVisible() and others and not self._is_hidden(line):
            self.unread += 1
            self.unread_changed.emit(self.unread)

    def _add_line(self, line: ChatLine) -> None:
        """Append a message as plain text, after its author's name in bold."""
        if self._is_hidden(line):
            return
        cursor = QTextCursor(self.transcript.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if not self.transcript.document().isEmpty():
            cursor.insertBlock()
        spacing = QTextBlockFormat()
        spacing.setBottomMargin(8)
        cursor.setBlockFormat(spacing)
        regular, bold = QTextCharFormat(), QTextCharFormat()
        bold.setFontWeight(QFont.Weight.Bold)
        self._insert_badge(cursor, line.seat)
        cursor.insertText(f" {self._name(line)}  ", bold)
        cursor.insertText(self._text(line), regular)
        self._scroll_to_end()

    def _name(self, line: ChatLine) -> str:
        return self._remote.name_of(line.seat) or self._context.words(labels.A_SPECTATOR)

    def _text(self, line: ChatLine) -> str:
        return quick_text(line.quick, self._context.words) or line.text

    def _insert_badge(self, cursor: QTextCursor, seat: int) -> None:
        """Insert the symbol of the player at `seat`, as high as the text line."""
        info = self._remote.info
        symbol = info.sitters[seat].symbol if info and 0 <= seat < len(info.sitters) else ""
        if symbol:
            picture = seat_badge(self._context, symbol, BADGE_SIZE_PX, self)
        else:
            picture = self._context.icon_pixmap("eye", BADGE_SIZE_PX, self._context.theme.ink_soft)
        name = f"badge/{symbol if symbol in SYMBOLS else 'none'}"
        self.transcript.document().addResource(
            QTextDocument.ResourceType.ImageResource, QUrl(name), picture
        )
        image = QTextImageFormat()
        image.setName(name)
        image.setWidth(BADGE_SIZE_PX)
        image.setHeight(BADGE_SIZE_PX)
        image.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
        cursor.insertImage(image)

    def _scroll_to_end(self) -> None:
        bar = self.transcript.verticalScrollBar()
        bar.setValue(bar.maximum())

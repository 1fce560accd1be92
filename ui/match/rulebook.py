"""The rulebook of a game, to be read through or opened at a paragraph."""

import re

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFrameFormat,
    QTextTable,
)
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QStackedWidget,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from tabletop.games import catalogue
from tabletop.games.catalogue import Kit
from ui.shell.app_context import AppContext, named
from ui.shell.language import title
from ui.style.theme import Theme
from ui.widgets.surface import button

NUMBERED = re.compile(r"(\d+(?:\.\d+)*)\s")


class Rulebook(QTextBrowser):
    """One game's rulebook in the chosen language."""

    def __init__(self, context: AppContext, kit: Kit) -> None:
        super().__init__()
        self._context, self._kit = context, kit
        self._language = ""
        self._theme = ""
        self.setOpenLinks(False)
        self.dress()

    def dress(self) -> None:
        """Put the text on in the chosen language, where it is not on yet."""
        words = self._context.words
        if (self._language, self._theme) == (words.language, self._context.theme.name):
            return
        at = self._paragraph_at_top()
        self._language, self._theme = words.language, self._context.theme.name
        text = self._kit.text(f"rulebook.{words.language}.md") or self._kit.text("rulebook.en.md")
        self.setMarkdown(text)
        _print(self, self._context.theme)
        named(self, words("Rulebook"))
        if at:
            self.turn_to(at)

    def turn_to(self, paragraph: str) -> bool:
        """Scroll to the paragraph of this number, or to the one it is part of."""
        number = paragraph
        while number:
            block = self._heading(number)
            if block is not None:
                self.setTextCursor(QTextCursor(block))
                top = self.document().documentLayout().blockBoundingRect(block).top()
                self.verticalScrollBar().setValue(int(top) - 8)
                return True
            number = number.rpartition(".")[0]
        return False

    def _heading(self, number: str) -> QTextBlock | None:
        block = self.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel():
                found = NUMBERED.match(block.text() + " ")
                if found and found[1] == number:
                    return block
            block = block.next()
        return None

    def _paragraph_at_top(self) -> str:
        block = self.cursorForPosition(self.viewport().rect().topLeft()).block()
        while block.isValid():
            found = NUMBERED.match(block.text() + " ")
            if block.blockFormat().headingLevel() and found:
                return found[1]
            block = block.previous()
        return ""


class RulebookDialog(QDialog):
    """The rulebooks, away from any table."""

    def __init__(self, context: AppContext, parent: QWidget, kit: Kit) -> None:
        super().__init__(parent)
        self._context = context
        self.setWindowTitle(context.words("Rules"))
        self._kits = catalogue.shelf()
        self._games = QComboBox()
        for each in self._kits:
            self._games.addItem(title(each, context.words.language))
        self._games.setVisible(len(self._kits) > 1)
        named(self._games, context.words("Game"))
        self._books = QStackedWidget()
        for each in self._kits:
            self._books.addWidget(Rulebook(context, each))
        self._games.currentIndexChanged.connect(self._books.setCurrentIndex)
        self._games.setCurrentIndex(next(i for i, k in enumerate(self._kits) if k.id == kit.id))
        done = button("primary")
        done.setText(context.words("Close"))
        done.clicked.connect(self.accept)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(12)
        column.addWidget(self._games)
        column.addWidget(self._books, 1)
        column.addWidget(done, 0, Qt.AlignmentFlag.AlignRight)
        self.resize(760, min(860, parent.height() - 40))


def _print(book: QTextBrowser, theme: Theme) -> None:
    """Give the text the measures of a printed page: headings, lines, tables with hairlines."""
    document = book.document()
    document.setDocumentMargin(4)
    cursor = QTextCursor(document)
    block = document.begin()
    sizes = {1: 24, 2: 18, 3: 16}
    while block.isValid():
        form = QTextBlockFormat()
        level = block.blockFormat().headingLevel()
        form.setLineHeight(112.0, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        if level:
            form.setTopMargin(18 if level > 1 else 4)
            form.setBottomMargin(6)
        cursor.setPosition(block.position())
        cursor.mergeBlockFormat(form)
        if level:
            letters = QTextCharFormat()
            letters.setProperty(QTextCharFormat.Property.FontPixelSize, sizes.get(level, 15))
            letters.clearProperty(QTextCharFormat.Property.FontSizeAdjustment)
            letters.setForeground(QBrush(QColor(theme.ink)))
            cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
            cursor.mergeCharFormat(letters)
        block = block.next()
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            table = frame.format().toTableFormat()
            table.setBorderBrush(QBrush(QColor(theme.line)))
            table.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
            table.setBorderCollapse(True)
            table.setBorder(1)
            table.setCellPadding(5)
            table.setTopMargin(8)
            table.setBottomMargin(8)
            frame.setFormat(table)
    cursor.setPosition(0)
    book.setTextCursor(cursor)

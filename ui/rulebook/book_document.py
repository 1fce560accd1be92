"""The text of a rulebook as a printed page: headings, tables with hairlines, pictures."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import unquote

from PySide6.QtCore import QUrl
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFontInfo,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextImageFormat,
    QTextTable,
    QTextTableFormat,
)

from tabletop.catalogue.catalogue import GameKit
from tabletop.language.words import Words
from ui.rulebook.illustrator import Illustrator
from ui.style.fonts import FONT_FAMILY, hint_vertically
from ui.style.line_breaks import WORD_JOINER, bind_phrases_unless_read
from ui.style.sandboxed_document import SandboxedDocument
from ui.style.theme import Theme

NUMBERED = re.compile(r"(\d+(?:\.\d+)*)\s")
EXAMPLE = re.compile(r"Example\.|例[。．：　 ]|例$")
"""The beginning of a paragraph with an example."""
SIZES = {1: 24, 2: 18, 3: 16}
"""The sizes of headings, in pixels, by their level."""
INDENT = 22
"""Free before a line of a list, in pixels."""
SCHEME = "picture"
MARKDOWN = (
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub
    | QTextDocument.MarkdownFeature.MarkdownNoHTML
)
"""Tags are text like any other."""


class Heading(NamedTuple):
    """A heading: its number ("" where it has none), its text, its position."""

    number: str
    text: str
    position: int

    @property
    def depth(self) -> int:
        """Its level in the contents."""
        return self.number.count(".")


class BookDocument(SandboxedDocument):
    """One game's rulebook in one language and theme. A picture is drawn when it comes in sight."""

    def __init__(
        self,
        kit: GameKit,
        words: Words,
        theme: Theme,
        illustrator: Illustrator,
        growth: float = 1.0,
    ) -> None:
        """Its letters are by `growth` larger than usual."""
        super().__init__()
        self._growth = growth
        self.illustrator = illustrator
        self._theme = theme
        self.ratio = 1.0
        """Device pixels a pixel."""
        font = hint_vertically(self.defaultFont())
        font.setFamily(FONT_FAMILY)
        if growth != 1.0:
            # in points: the space between paragraphs is measured by them
            font.setPointSizeF(QFontInfo(font).pointSizeF() * growth)
        self.setDefaultFont(font)
        text = kit.read_text(f"rulebook.{words.language}.md") or kit.read_text("rulebook.en.md")
        self.setMarkdown(text, MARKDOWN)
        self._show_own_pictures()
        self.setDocumentMargin(4)
        self.setIndentWidth(INDENT * growth)
        for block in self._blocks():
            self._set_type(block)
        self._insert_pictures()
        self._insert_cover()
        self._append_signs(words)
        self._rule_tables()
        if words.language == "ja":
            self._join_phrases()
        self.headings = tuple(self._found_headings())

    def heading(self, number: str) -> Heading | None:
        """The heading of a paragraph, or of what it is part of."""
        while number:
            for each in self.headings:
                if each.number == number:
                    return each
            number = number.rpartition(".")[0]
        return None

    def fit(self, width: float) -> None:
        """Make the pictures as large as fits into this width, in pixels."""
        pictures = list(self.pictures())
        cursor = QTextCursor(self)
        cursor.beginEditBlock()
        for position, length, name in pictures:
            wide, high = self._size(name, width)
            cursor.setPosition(position)
            cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(_image(name, wide, high, cursor.charFormat().toImageFormat()))
        cursor.endEditBlock()
        # Without this Qt would not lay out the text between the pictures again.
        self.markContentsDirty(0, self.characterCount())

    def _size(self, name: str, width: float) -> tuple[int, int]:
        """The size of a picture in this width, in pixels: it grows with the letters."""
        wide, high = self.illustrator.size(name, width / self._growth)
        return round(wide * self._growth), round(high * self._growth)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        url = name if isinstance(name, QUrl) else QUrl(name)
        if url.scheme() != SCHEME:
            return super().loadResource(kind, url)
        picture, _, width = url.path().rpartition("@")
        return self.illustrator.pixmap(picture, float(width), self.ratio)

    def _blocks(self) -> Iterator[QTextBlock]:
        block = self.begin()
        while block.isValid():
            yield block
            block = block.next()

    def pictures(self) -> Iterator[tuple[int, int, str]]:
        """The position, the length in the text, and the name of each picture."""
        for position, length, form in self._images():
            yield position, length, QUrl(form.name()).path().rpartition("@")[0]

    def _images(self) -> Iterator[tuple[int, int, QTextImageFormat]]:
        for block in self._blocks():
            part = block.begin()
            while not part.atEnd():
                fragment = part.fragment()
                if fragment.charFormat().isImageFormat():
                    form = fragment.charFormat().toImageFormat()
                    yield fragment.position(), fragment.length(), form
                part += 1

    def _show_own_pictures(self) -> None:
        """Put the pictures of the game's folder that the text names where it names them; of any
        other only what the text says instead of it."""
        for position, length, form in reversed(list(self._images())):
            cursor = QTextCursor(self)
            cursor.setPosition(position)
            cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
            name = self.illustrator.add_picture(unquote(form.name()))
            if name:
                cursor.setCharFormat(_image(name, *self._size(name, 240)))
            else:
                said = str(form.property(QTextFormat.Property.ImageAltText) or form.name())
                cursor.insertText(said, QTextCharFormat())

    def _found_headings(self) -> Iterator[Heading]:
        for block in self._blocks():
            if block.blockFormat().headingLevel() > 1:
                text = block.text().replace(WORD_JOINER, "")
                number = NUMBERED.match(text + " ")
                yield Heading(number[1] if number else "", text, block.position())

    def _join_phrases(self) -> None:
        """Let no line of Japanese break within a phrase."""
        cursor = QTextCursor(self)
        cursor.beginEditBlock()
        for position, length, text in reversed([*self._rejoined_fragments()]):
            cursor.setPosition(position)
            cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
            form = cursor.charFormat()
            cursor.insertText(text, form)
        cursor.endEditBlock()

    def _rejoined_fragments(self) -> Iterator[tuple[int, int, str]]:
        """Each fragment that joins change: its position, its length, its new text."""
        for block in self._blocks():
            joined = iter(bind_phrases_unless_read(block.text()))
            part = block.begin()
            while not part.atEnd():
                fragment = part.fragment()
                text = fragment.text()
                rest = "".join(_up_to(len(text), joined))
                if rest != text and not fragment.charFormat().isImageFormat():
                    yield fragment.position(), fragment.length(), rest
                part += 1

    def _set_type(self, block: QTextBlock) -> None:
        """Give a block the measures of a printed page."""
        form = QTextBlockFormat()
        level = block.blockFormat().headingLevel()
        form.setLineHeight(112.0, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        if level:
            form.setTopMargin(18 if level > 1 else 4)
            form.setBottomMargin(6)
        cursor = QTextCursor(block)
        cursor.mergeBlockFormat(form)
        if level:
            letters = QTextCharFormat()
            high = round(SIZES.get(level, 15) * self._growth)
            letters.setProperty(QTextCharFormat.Property.FontPixelSize, high)
            letters.clearProperty(QTextCharFormat.Property.FontSizeAdjustment)
            letters.setForeground(QBrush(QColor(self._theme.ink)))
            cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
            cursor.mergeCharFormat(letters)

    def _insert_pictures(self) -> None:
        """Put each row of cards below the first lines of its paragraph, each example's table below
        its example."""
        rows, examples = self.illustrator.rows, self.illustrator.examples
        places: list[tuple[int, str]] = []
        number, fresh, end = "", False, 0
        for block in self._blocks():
            if block.blockFormat().headingLevel():
                found = NUMBERED.match(block.text() + " ")
                number, fresh = found[1] if found else "", True
                end = block.position() + block.length() - 1
                continue
            plain = QTextCursor(block).currentTable() is None
            if plain and not block.text().strip():
                continue
            if plain:
                end = block.position() + block.length() - 1
            if fresh and number in rows:
                places.append((end, rows[number]))
            fresh = False
            if plain and number in examples and EXAMPLE.match(block.text()):
                places.append((end, examples[number]))
        for position, name in reversed(places):
            cursor = QTextCursor(self)
            cursor.setPosition(position)
            form = QTextBlockFormat()
            form.setTopMargin(4)
            form.setBottomMargin(8)
            cursor.insertBlock(form, QTextCharFormat())
            cursor.insertImage(_image(name, *self._size(name, 240)))

    def _insert_cover(self) -> None:
        """Put some cards at the right of the title; the first lines run beside them."""
        if name := self.illustrator.cover:
            right = QTextFrameFormat.Position.FloatRight
            QTextCursor(self).insertImage(_image(name, *self._size(name, 240)), right)

    def _append_signs(self, words: Words) -> None:
        symbols = self.illustrator.symbols
        if not symbols:
            return
        cursor = QTextCursor(self)
        cursor.movePosition(QTextCursor.MoveOperation.End)
        heading = QTextBlockFormat()
        heading.setHeadingLevel(2)
        cursor.insertBlock(heading, QTextCharFormat())
        letters = QTextCharFormat()
        letters.setFontWeight(700)
        cursor.insertText(words("Symbols"), letters)
        self._set_type(cursor.block())
        cursor.insertBlock(QTextBlockFormat(), QTextCharFormat())
        table = cursor.insertTable(len(symbols), 2, QTextTableFormat())
        for row, (name, text) in enumerate(symbols):
            for column in range(2):
                form = table.cellAt(row, column).format()
                form.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
                table.cellAt(row, column).setFormat(form)
            at = table.cellAt(row, 0).firstCursorPosition()
            at.insertImage(_image(name, *self._size(name, 120)))
            table.cellAt(row, 1).firstCursorPosition().insertText(words(text))

    def keep_heads(self) -> None:
        """Begin a new page before each heading, and each head of a table, that would stand alone at
        the foot of one."""
        heads: list[QTextBlock | QTextTable] = []
        """The headings of the next line of text, each below the one before."""
        block = self.begin()
        while block.isValid():
            table = QTextCursor(block).currentTable()
            if table is not None:
                heads.append(table)
                firsts = [table.cellAt(row, 0).firstCursorPosition().block() for row in (0, 1)]
                self._keep_on_one_page(heads, firsts[-1] if table.rows() > 1 else firsts[0])
                block = table.lastCursorPosition().block().next()
                heads.clear()
                continue
            if block.blockFormat().headingLevel():
                heads.append(block)
            else:
                self._keep_on_one_page(heads, block)
                heads.clear()
            block = block.next()

    def _keep_on_one_page(
        self, heads: Sequence[QTextBlock | QTextTable], block: QTextBlock
    ) -> None:
        if heads and self._page_of(_first_block(heads[0])) != self._page_of(block):
            self._break_before(heads[0])
            self.markContentsDirty(0, self.characterCount())

    def _page_of(self, block: QTextBlock) -> int:
        """The page on which a block begins."""
        top = self.documentLayout().blockBoundingRect(block).top()
        return int(top / self.pageSize().height())

    def _break_before(self, part: QTextBlock | QTextTable) -> None:
        always = QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore
        if isinstance(part, QTextTable):
            table = part.format().toTableFormat()
            table.setPageBreakPolicy(always)
            part.setFormat(table)
        else:
            form = QTextBlockFormat()
            form.setPageBreakPolicy(always)
            QTextCursor(part).mergeBlockFormat(form)

    def _rule_tables(self) -> None:
        for frame in self.rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                table = frame.format().toTableFormat()
                table.setBorderBrush(QBrush(QColor(self._theme.line)))
                table.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
                table.setBorderCollapse(True)
                table.setBorder(1)
                table.setCellPadding(5)
                table.setTopMargin(8)
                table.setBottomMargin(8)
                frame.setFormat(table)


def _first_block(part: QTextBlock | QTextTable) -> QTextBlock:
    return part.firstCursorPosition().block() if isinstance(part, QTextTable) else part


def _up_to(count: int, joined: Iterator[str]) -> Iterator[str]:
    """The next characters of a text, this many, with the joiners before each."""
    while count and (letter := next(joined, "")):
        count -= letter != WORD_JOINER
        yield letter


def _image(
    name: str, wide: int, high: int, before: QTextImageFormat | None = None
) -> QTextImageFormat:
    """A picture so large; where it is in the text stays as it was `before`."""
    form = QTextImageFormat() if before is None else before
    form.setName(f"{SCHEME}:{name}@{wide}")
    form.setWidth(wide)
    form.setHeight(high)
    return form

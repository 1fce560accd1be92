"""A rulebook as a formatted text document: headings, tables and pictures."""

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

HEADING_NUMBER = re.compile(r"(\d+(?:\.\d+)*)\s")
EXAMPLE_START = re.compile(r"Example\.|例[。．：　 ]|例$")
"""Matches the start of a paragraph that contains an example, in English or Japanese."""
BODY_SIZE_PX = 15
"""Font size of text on the screen."""
HEADING_SIZES_PX = {1: 24, 2: 19, 3: 17}
"""Font sizes of headings by heading level."""
LIST_INDENT_PX = 22
"""The indent of list items."""
PICTURE_SCHEME = "picture"
MARKDOWN_FEATURES = (
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub
    | QTextDocument.MarkdownFeature.MarkdownNoHTML
)
"""GitHub's Markdown dialect, with HTML tags shown as plain text."""


class Heading(NamedTuple):
    """A heading: its section number (may be empty), its text and its position in characters."""

    number: str
    text: str
    position: int

    @property
    def depth(self) -> int:
        """The nesting depth in the table of contents, starting at 0."""
        return self.number.count(".")


class BookDocument(SandboxedDocument):
    """A game's rulebook in one language and theme.

    A picture is drawn when it first scrolls into view.
    """

    def __init__(
        self,
        kit: GameKit,
        words: Words,
        theme: Theme,
        illustrator: Illustrator,
        growth: float = 1.0,
        body_size_px: int | None = None,
    ) -> None:
        """Create the document.

        Args:
            growth: the factor by which text and pictures are enlarged.
            body_size_px: the font size of text before enlargement, by default the default font's.
        """
        super().__init__()
        self._growth = growth
        self.illustrator = illustrator
        self._theme = theme
        self.pixel_ratio = 1.0
        """The number of device pixels per logical pixel."""
        font = hint_vertically(self.defaultFont())
        font.setFamily(FONT_FAMILY)
        default = QFontInfo(font)
        enlarged = growth * (body_size_px / default.pixelSize() if body_size_px else 1.0)
        if enlarged != 1.0:
            # in points, because Qt derives paragraph spacing from the point size
            font.setPointSizeF(default.pointSizeF() * enlarged)
        self.setDefaultFont(font)
        text = kit.read_text(f"rulebook.{words.language}.md") or kit.read_text("rulebook.en.md")
        self.setMarkdown(text, MARKDOWN_FEATURES)
        self._insert_game_pictures()
        self.setDocumentMargin(4)
        self.setIndentWidth(LIST_INDENT_PX * growth)
        for block in self._blocks():
            self._format_block(block)
        self._insert_pictures()
        self._insert_cover()
        self._append_symbols(words)
        self._format_tables()
        if words.language == "ja":
            self._join_phrases()
        self.headings = tuple(self._find_headings())

    def find_heading(self, number: str) -> Heading | None:
        """Return the heading of section `number` or of the nearest enclosing one, or None."""
        while number:
            for each in self.headings:
                if each.number == number:
                    return each
            number = number.rpartition(".")[0]
        return None

    def fit_pictures(self, width: float) -> None:
        """Resize all pictures for a text width of `width` pixels."""
        pictures = list(self.pictures())
        cursor = QTextCursor(self)
        cursor.beginEditBlock()
        for position, length, name in pictures:
            picture_width, picture_height = self._picture_size(name, width)
            cursor.setPosition(position)
            cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(
                _image_format(
                    name, picture_width, picture_height, cursor.charFormat().toImageFormat()
                )
            )
        cursor.endEditBlock()
        # or Qt wouldn't lay out the text between the pictures again
        self.markContentsDirty(0, self.characterCount())

    def _picture_size(self, name: str, width: float) -> tuple[int, int]:
        """Return the size of `name` in pixels at a text width of `width`, scaled like the text."""
        picture_width, picture_height = self.illustrator.picture_size(name, width / self._growth)
        return round(picture_width * self._growth), round(picture_height * self._growth)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        url = name if isinstance(name, QUrl) else QUrl(name)
        if url.scheme() != PICTURE_SCHEME:
            return super().loadResource(kind, url)
        picture, _, width = url.path().rpartition("@")
        return self.illustrator.pixmap(picture, float(width), self.pixel_ratio)

    def _blocks(self) -> Iterator[QTextBlock]:
        block = self.begin()
        while block.isValid():
            yield block
            block = block.next()

    def pictures(self) -> Iterator[tuple[int, int, str]]:
        """Yield the character position, length and name of each picture."""
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

    def _insert_game_pictures(self) -> None:
        """Load the pictures from the game's folder to which the text refers.

        A reference that can't be loaded is replaced by its alt text.
        """
        for position, length, form in reversed(list(self._images())):
            cursor = QTextCursor(self)
            cursor.setPosition(position)
            cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
            name = self.illustrator.add_game_picture(unquote(form.name()))
            if name:
                cursor.setCharFormat(_image_format(name, *self._picture_size(name, 240)))
            else:
                said = str(form.property(QTextFormat.Property.ImageAltText) or form.name())
                cursor.insertText(said, QTextCharFormat())

    def _find_headings(self) -> Iterator[Heading]:
        for block in self._blocks():
            if block.blockFormat().headingLevel() > 1:
                text = block.text().replace(WORD_JOINER, "")
                number = HEADING_NUMBER.match(text + " ")
                yield Heading(number[1] if number else "", text, block.position())

    def _join_phrases(self) -> None:
        """Insert word joiners that prevent line breaks within Japanese phrases."""
        cursor = QTextCursor(self)
        cursor.beginEditBlock()
        for position, length, text in reversed([*self._rejoined_fragments()]):
            cursor.setPosition(position)
            cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
            form = cursor.charFormat()
            cursor.insertText(text, form)
        cursor.endEditBlock()

    def _rejoined_fragments(self) -> Iterator[tuple[int, int, str]]:
        """Yield the position, length and new text of each fragment that needs word joiners."""
        for block in self._blocks():
            joined = iter(bind_phrases_unless_read(block.text()))
            part = block.begin()
            while not part.atEnd():
                fragment = part.fragment()
                text = fragment.text()
                rest = "".join(_take_characters(len(text), joined))
                if rest != text and not fragment.charFormat().isImageFormat():
                    yield fragment.position(), fragment.length(), rest
                part += 1

    def _format_block(self, block: QTextBlock) -> None:
        """Set the spacing of `block` and, if it is a heading, its font."""
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
            picture_height = round(HEADING_SIZES_PX.get(level, 15) * self._growth)
            letters.setProperty(QTextCharFormat.Property.FontPixelSize, picture_height)
            letters.clearProperty(QTextCharFormat.Property.FontSizeAdjustment)
            letters.setForeground(QBrush(QColor(self._theme.ink)))
            cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
            cursor.mergeCharFormat(letters)

    def _insert_pictures(self) -> None:
        """Insert the rows of cards and the pictures of examples into their sections.

        Cards follow a section's first paragraph, and a picture follows the example that it shows.
        """
        rows, examples = self.illustrator.rows, self.illustrator.examples
        places: list[tuple[int, str]] = []
        number, fresh, end = "", False, 0
        for block in self._blocks():
            if block.blockFormat().headingLevel():
                found = HEADING_NUMBER.match(block.text() + " ")
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
            if plain and number in examples and EXAMPLE_START.match(block.text()):
                places.append((end, examples[number]))
        for position, name in reversed(places):
            cursor = QTextCursor(self)
            cursor.setPosition(position)
            form = QTextBlockFormat()
            form.setTopMargin(4)
            form.setBottomMargin(8)
            cursor.insertBlock(form, QTextCharFormat())
            cursor.insertImage(_image_format(name, *self._picture_size(name, 240)))

    def _insert_cover(self) -> None:
        """Insert a few of the game's cards at the right of the title. Text wraps around them."""
        if name := self.illustrator.cover:
            right = QTextFrameFormat.Position.FloatRight
            QTextCursor(self).insertImage(
                _image_format(name, *self._picture_size(name, 240)), right
            )

    def _append_symbols(self, words: Words) -> None:
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
        self._format_block(cursor.block())
        cursor.insertBlock(QTextBlockFormat(), QTextCharFormat())
        table = cursor.insertTable(len(symbols), 2, QTextTableFormat())
        for row, (name, text) in enumerate(symbols):
            for column in range(2):
                form = table.cellAt(row, column).format()
                form.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
                table.cellAt(row, column).setFormat(form)
            at = table.cellAt(row, 0).firstCursorPosition()
            at.insertImage(_image_format(name, *self._picture_size(name, 120)))
            table.cellAt(row, 1).firstCursorPosition().insertText(words(text))

    def keep_headings_with_text(self) -> None:
        """Insert page breaks so that no heading or table header is the last thing on a page."""
        heads: list[QTextBlock | QTextTable] = []
        """The headings since the last text, which must stay on the same page as the next text."""
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
        """Return the index of the page on which `block` starts, from 0."""
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

    def _format_tables(self) -> None:
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


def _take_characters(count: int, joined: Iterator[str]) -> Iterator[str]:
    """Yield the next `count` characters of `joined`, along with the word joiners between them.

    Word joiners don't count.
    """
    while count and (letter := next(joined, "")):
        count -= letter != WORD_JOINER
        yield letter


def _image_format(
    name: str, picture_width: int, picture_height: int, before: QTextImageFormat | None = None
) -> QTextImageFormat:
    """Return the format of a picture of this size. `before` is a format whose alignment is kept."""
    form = QTextImageFormat() if before is None else before
    form.setName(f"{PICTURE_SCHEME}:{name}@{picture_width}")
    form.setWidth(picture_width)
    form.setHeight(picture_height)
    return form

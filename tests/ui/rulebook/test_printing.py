"""Rulebooks on paper of any size: margins, the job's title, and heads that stay with their text."""

from pathlib import Path

import pytest
from PySide6.QtGui import QPageLayout, QPageSize, QPdfWriter, QTextTable
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from tabletop.catalogue import catalogue
from tabletop.language.languages import LANGUAGES
from tabletop.language.words import Words
from tabletop.storage.settings import Settings
from ui.rulebook import printing
from ui.rulebook.book_document import BookDocument
from ui.rulebook.illustrator import Illustrator
from ui.rulebook.printing import lay_out_book, print_book, print_to_device
from ui.shell.app_context import AppContext
from ui.style.art import Art
from ui.style.fonts import load_fonts
from ui.style.theme import load_theme

GAMES = ("sun", "sisters", "chains", "awss", "royale")
PAGES = {"A4": (493, 740), "Letter": (510, 690), "A5": (318, 493)}
"""Width and height of the text on paper, in points."""
SIZES = QPageSize.PageSizeId


def page_of(book: BookDocument, position: int) -> int:
    top = book.documentLayout().blockBoundingRect(book.findBlock(position)).top()
    return int(top / book.pageSize().height())


def alone(book: BookDocument) -> list[str]:
    """The headings, and the heads of tables, that stand alone at the foot of a page."""
    found = []
    block = book.begin()
    while block.isValid():
        after = block.next()
        heads = block.blockFormat().headingLevel() and after.isValid()
        if heads and page_of(book, block.position()) != page_of(book, after.position()):
            found.append(block.text())
        block = after
    for table in book.rootFrame().childFrames():
        if isinstance(table, QTextTable) and table.rows() > 1:
            rows = [table.cellAt(row, 0).firstCursorPosition() for row in (0, 1)]
            if len({page_of(book, cursor.position()) for cursor in rows}) > 1:
                found.append(rows[0].block().text())
    return found


@pytest.mark.parametrize("game", GAMES)
def test_no_head_stands_alone(home: Path, qapp: QApplication, game: str) -> None:
    load_fonts()
    kit = catalogue.load(game)
    for language in LANGUAGES:
        for paper, page in PAGES.items():
            book = lay_out_book(kit, Words(language, kit), page, pytest.fail)
            assert alone(book) == [], (language, paper)


@pytest.mark.parametrize(
    ("size", "turned", "margin"),
    [(SIZES.A4, False, 18), (SIZES.Letter, True, 18), (SIZES.A6, False, 9.5)],
)
def test_the_chosen_paper_stays(
    home: Path, qapp: QApplication, tmp_path: Path, size: SIZES, turned: bool, margin: float
) -> None:
    writer = QPdfWriter(str(tmp_path / "rules.pdf"))
    writer.setPageSize(QPageSize(size))
    ways = QPageLayout.Orientation
    writer.setPageOrientation(ways.Landscape if turned else ways.Portrait)
    print_to_device(AppContext(Settings(language="en")), catalogue.load("chains"), writer)
    layout = writer.pageLayout()
    assert layout.pageSize().id() is size
    assert layout.orientation() is (ways.Landscape if turned else ways.Portrait)
    free = layout.margins(QPageLayout.Unit.Millimeter)
    assert [free.left(), free.top(), free.right(), free.bottom()] == pytest.approx(
        [margin] * 4, abs=0.5
    )


def test_a_printer_is_told_the_title(
    home: Path, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[QPrinter] = []

    class Accepted(QDialog):
        def __init__(self, printer: QPrinter, parent: QWidget) -> None:
            super().__init__(parent)
            printer.setOutputFileName(str(tmp_path / "rules.pdf"))
            printer.setPageSize(QPageSize(SIZES.A5))
            asked.append(printer)

        def exec(self) -> int:
            return QDialog.DialogCode.Accepted

    monkeypatch.setattr(printing.QPrinterInfo, "availablePrinterNames", lambda: ["Office"])
    monkeypatch.setattr(printing, "QPrintDialog", Accepted)
    print_book(AppContext(Settings(language="ja")), catalogue.load("chains"), QWidget())
    [printer] = asked
    assert printer.docName() == "チェーンズ"
    assert printer.pageLayout().pageSize().id() is SIZES.A5
    assert (tmp_path / "rules.pdf").read_bytes().startswith(b"%PDF")


def test_no_dark_table_is_printed(home: Path, qapp: QApplication) -> None:
    """On paper an example of a game whose table is dark is light, and its ink dark."""
    kit, paper = catalogue.load("sun"), load_theme("light")
    pictures = Illustrator(kit, Words("en", kit, []), paper, Art(paper), on_paper=True)
    drawn = pictures.pixmap(pictures.examples["7.3"], 400.0, 1.0).toImage()
    assert drawn.pixelColor(2, 2).alpha() < 60, "there is no table under it"
    inside = drawn.pixelColor(drawn.width() // 2, drawn.height() // 2 - 4)
    assert inside.lightness() > 128 or inside.alpha() < 60

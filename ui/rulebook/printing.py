"""A rulebook on paper: at a printer, or as a PDF where there is none."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QMarginsF, QRectF, QSizeF
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QPagedPaintDevice,
    QPageLayout,
    QPageSize,
    QPainter,
    QPalette,
    QPdfWriter,
)
from PySide6.QtPrintSupport import QPrintDialog, QPrinter, QPrinterInfo
from PySide6.QtWidgets import QDialog, QWidget

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Reason
from tabletop.games.drawing_names import BROKEN_DRAWING
from tabletop.language.words import Words
from ui.rulebook.book_document import BookDocument
from ui.rulebook.illustrator import Illustrator
from ui.shell.app_context import AppContext
from ui.shell.language import title
from ui.style.art import Art
from ui.style.broken_drawing import BrokenDrawing
from ui.style.theme import theme
from ui.widgets import file_dialogs

MARGIN, SMALL_MARGIN = 18.0, 0.09
"""Free round the text of a page, in millimetres; on small paper, a share of its width."""
TEXT = 640.0
"""Width of the text of a page, in the pixels in which the book is laid out."""
FINE = 2.0
"""Dots of a picture, for each of these pixels."""


def print_book(context: AppContext, kit: GameKit, parent: QWidget) -> None:
    """Ask where the rulebook is to be printed; without any printer, which PDF is to hold it."""
    if not QPrinterInfo.availablePrinterNames():
        kinds = context.words("PDF files") + " (*.pdf)"
        name = f"{title(kit, context.words.language)}.pdf"
        file = file_dialogs.ask_where_to_save(
            parent, context.words, context.words("Save the rules as PDF"), name, kinds
        )
        if file is not None:
            write_pdf(context, kit, file)
        return
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setDocName(title(kit, context.words.language))
    if QPrintDialog(printer, parent).exec() == QDialog.DialogCode.Accepted:
        put_on(context, kit, printer)


def write_pdf(context: AppContext, kit: GameKit, file: Path) -> None:
    """Write the rulebook as a PDF of A4 pages."""
    writer = QPdfWriter(str(file))
    writer.setTitle(title(kit, context.words.language))
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    put_on(context, kit, writer)


def put_on(context: AppContext, kit: GameKit, device: QPagedPaintDevice) -> None:
    """Lay the rulebook out for the paper of a device, black on white, and put it there page by
    page."""
    layout = device.pageLayout()
    layout.setUnits(QPageLayout.Unit.Millimeter)
    free = min(MARGIN, SMALL_MARGIN * min(layout.fullRect().width(), layout.fullRect().height()))
    layout.setMargins(QMarginsF(free, free, free, free))
    device.setPageLayout(layout)
    page = device.pageLayout().paintRect(QPageLayout.Unit.Point)
    broken: list[str] = []
    book = book_for(kit, context.words_of(kit), (page.width(), page.height()), broken.append)
    book.print_(device)
    for error in broken[:1]:
        context.tell(Reason(BROKEN_DRAWING, {"told": context.words.fault(error)}))


def book_for(
    kit: GameKit, words: Words, page: tuple[float, float], broken: Callable[[str], None]
) -> BookDocument:
    """The rulebook laid out in pages of this shape, black on white; `broken` is called with what is
    wrong with a drawing in it, which is drawn as a blank sheet."""
    paper = theme("light")
    art = Art(paper)

    def note(_: str, error: BrokenDrawing) -> str:
        broken(str(error))
        return words.fault(str(error))

    art.on_broken = note
    pictures = Illustrator(kit, words, paper, art, on_paper=True)
    document = BookDocument(kit, words, paper, pictures)
    document.ratio = FINE
    document.fit(TEXT - 40)
    document.setPageSize(QSizeF(TEXT, TEXT * page[1] / page[0]))
    document.keep_heads()
    return document


def draw_page(book: BookDocument, painter: QPainter, number: int, place: QRectF) -> None:
    """Draw one page of a book, from 0, into a place."""
    size = book.pageSize()
    painter.translate(place.topLeft())
    painter.scale(place.width() / size.width(), place.height() / size.height())
    painter.translate(0, -number * size.height())
    part = QRectF(0, number * size.height(), size.width(), size.height())
    painter.setClipRect(part)
    context = QAbstractTextDocumentLayout.PaintContext()
    context.clip = part
    context.palette.setColor(QPalette.ColorRole.Text, QColor(theme("light").ink))
    book.documentLayout().draw(painter, context)

"""Prints a rulebook, or saves it as a PDF if there is no printer."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRectF, QSizeF
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
from tabletop.files.atomic_write import write_atomically
from tabletop.files.errors import StorageError
from tabletop.games.drawing_names import BROKEN_DRAWING
from tabletop.language.words import Words
from ui.rulebook.book_document import BookDocument
from ui.rulebook.illustrator import Illustrator
from ui.shell.app_context import AppContext
from ui.shell.language import game_title
from ui.style.art import Art
from ui.style.broken_drawing import BrokenDrawing
from ui.style.pdf_text import correct_characters, make_pdf_font
from ui.style.theme import load_theme
from ui.widgets import file_dialogs

MARGIN_MM = 18.0
"""The page margin."""
MAX_MARGIN_SHARE = 0.09
"""The greatest page margin, as a share of the paper's shorter side."""
TEXT_WIDTH_PX = 640.0
"""The width of a page in the document's layout."""
DOTS_PER_PIXEL = 2.0
"""The resolution of pictures, in dots per pixel of the document's layout."""


def print_book(context: AppContext, kit: GameKit, parent: QWidget) -> None:
    """Open the print dialog for the rulebook, or ask for a PDF file if there is no printer."""
    if not QPrinterInfo.availablePrinterNames():
        kinds = context.words("PDF files") + " (*.pdf)"
        name = f"{game_title(kit, context.words.language)}.pdf"
        file = file_dialogs.ask_where_to_save(
            parent, context.words, context.words("Save the rules as PDF"), name, kinds
        )
        if file is not None:
            write_pdf(context, kit, file)
        return
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setDocName(game_title(kit, context.words.language))
    if QPrintDialog(printer, parent).exec() == QDialog.DialogCode.Accepted:
        print_to_device(context, kit, printer)
        if printer.outputFormat() is QPrinter.OutputFormat.PdfFormat and printer.outputFileName():
            file = Path(printer.outputFileName())
            with suppress(OSError):  # the printer couldn't write it either
                file.write_bytes(correct_characters(file.read_bytes()))


def write_pdf(context: AppContext, kit: GameKit, file: Path) -> None:
    """Write the rulebook of `kit` to `file` as a PDF with A4 pages, or show why that fails."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(game_title(kit, context.words.language))
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    print_to_device(context, kit, writer)
    try:
        write_atomically(file, correct_characters(bytes(buffer.data().data())))
    except StorageError as error:
        context.show_error(error.reason)


def print_to_device(context: AppContext, kit: GameKit, device: QPagedPaintDevice) -> None:
    """Print all pages of the rulebook on `device`, black on white and laid out for its paper."""
    layout = device.pageLayout()
    layout.setUnits(QPageLayout.Unit.Millimeter)
    paper = layout.fullRect()
    margin = min(MARGIN_MM, MAX_MARGIN_SHARE * min(paper.width(), paper.height()))
    layout.setMargins(QMarginsF(margin, margin, margin, margin))
    device.setPageLayout(layout)
    page = device.pageLayout().paintRect(QPageLayout.Unit.Point)
    on_broken: list[str] = []
    book = lay_out_book(
        kit, context.game_words(kit), (page.width(), page.height()), on_broken.append
    )
    book.print_(device)
    for error in on_broken[:1]:
        context.show_error(Reason(BROKEN_DRAWING, {"told": context.words.fault(error)}))


def lay_out_book(
    kit: GameKit, words: Words, page: tuple[float, float], on_broken: Callable[[str], None]
) -> BookDocument:
    """Return the rulebook in black on white, divided into pages.

    Args:
        page: The width and height of a page. Only their ratio matters.
        on_broken: Called with the error of each drawing that is replaced by a placeholder.
    """
    paper = load_theme("light")
    art = Art(paper)

    def note(_: str, error: BrokenDrawing) -> str:
        on_broken(str(error))
        return words.fault(str(error))

    art.on_broken = note
    pictures = Illustrator(kit, words, paper, art, on_paper=True)
    document = BookDocument(kit, words, paper, pictures)
    document.setDefaultFont(make_pdf_font(document.defaultFont()))
    document.pixel_ratio = DOTS_PER_PIXEL
    document.fit_pictures(TEXT_WIDTH_PX - 40)
    document.setPageSize(QSizeF(TEXT_WIDTH_PX, TEXT_WIDTH_PX * page[1] / page[0]))
    document.keep_headings_with_text()
    return document


def draw_page(book: BookDocument, painter: QPainter, number: int, place: QRectF) -> None:
    """Draw the page with index `number` of `book` into the rectangle `place`."""
    size = book.pageSize()
    painter.translate(place.topLeft())
    painter.scale(place.width() / size.width(), place.height() / size.height())
    painter.translate(0, -number * size.height())
    part = QRectF(0, number * size.height(), size.width(), size.height())
    painter.setClipRect(part)
    context = QAbstractTextDocumentLayout.PaintContext()
    context.clip = part
    context.palette.setColor(QPalette.ColorRole.Text, QColor(load_theme("light").ink))
    book.documentLayout().draw(painter, context)

"""A rulebook on paper: at a printer, or as a PDF where there is none."""

from pathlib import Path

from PySide6.QtCore import QMarginsF, QSizeF
from PySide6.QtGui import QPagedPaintDevice, QPageLayout, QPageSize, QPdfWriter
from PySide6.QtPrintSupport import QPrintDialog, QPrinter, QPrinterInfo
from PySide6.QtWidgets import QDialog, QWidget

from tabletop.games.catalogue import Kit
from ui.rulebook.book_document import BookDocument
from ui.rulebook.illustrator import Illustrator
from ui.shell import file_dialogs
from ui.shell.app_context import AppContext
from ui.shell.language import title
from ui.style.art import Art
from ui.style.theme import theme

MARGIN = 18.0
"""Free round the text of a page, in millimetres."""
TEXT = 640.0
"""Width of the text of a page, in the pixels in which the book is laid out."""
FINE = 2.0
"""Dots of a picture, for each of these pixels."""


def print_book(context: AppContext, kit: Kit, parent: QWidget) -> None:
    """Ask where the rulebook is to be printed; without any printer, which PDF is to hold it."""
    if not QPrinterInfo.availablePrinterNames():
        kinds = context.words("PDF files") + " (*.pdf)"
        name = f"{title(kit, context.words.language)}.pdf"
        file = file_dialogs.to_write(parent, context.words("Save the rules as PDF"), name, kinds)
        if file is not None:
            write_pdf(context, kit, file)
        return
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    if QPrintDialog(printer, parent).exec() == QDialog.DialogCode.Accepted:
        put_on(context, kit, printer)


def write_pdf(context: AppContext, kit: Kit, file: Path) -> None:
    """Write the rulebook as a PDF of A4 pages."""
    writer = QPdfWriter(str(file))
    writer.setTitle(title(kit, context.words.language))
    put_on(context, kit, writer)


def put_on(context: AppContext, kit: Kit, device: QPagedPaintDevice) -> None:
    """Lay the rulebook out for paper, black on white, and put it on a device page by page."""
    margins = QMarginsF(MARGIN, MARGIN, MARGIN, MARGIN)
    size = QPageSize(QPageSize.PageSizeId.A4)
    device.setPageLayout(QPageLayout(size, QPageLayout.Orientation.Portrait, margins))
    paper, words = theme("light"), context.of(kit)
    document = BookDocument(kit, words, paper, Illustrator(kit, words, paper, Art(paper)))
    document.ratio = FINE
    document.fit(TEXT - 40)
    page = device.pageLayout().paintRect(QPageLayout.Unit.Point)
    document.setPageSize(QSizeF(TEXT, TEXT * page.height() / page.width()))
    document.print_(device)

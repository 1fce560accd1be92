"""Saves a picture of a finished match, or copies it to the clipboard."""

from datetime import UTC, datetime

from PySide6.QtGui import QGuiApplication, QImage

from tabletop.catalogue.catalogue import GameKit
from tabletop.files.atomic_write import write_atomically
from tabletop.storage.journal_writer import journal_header
from ui.match.result.share_picture import SharePicture
from ui.match.seated_table import SeatedTable
from ui.shell.app_context import AppContext
from ui.shell.language import game_title
from ui.shell.navigator import Navigator
from ui.style.png import encode_png
from ui.widgets import file_dialogs

SUFFIX = ".png"


def draw_result(context: AppContext, seated: SeatedTable) -> QImage:
    """Return a picture of the finished match at `seated`."""
    written = journal_header(seated.match) if seated.match is not None else None
    day = (written.created if written is not None else None) or datetime.now(UTC)
    return SharePicture(context, seated.kit, seated.view, seated.players).draw(day)


def save_picture(context: AppContext, navigator: Navigator, seated: SeatedTable) -> None:
    """Ask the user for a file, and save a picture of the finished match in it."""
    write_picture(context, navigator, seated.kit, draw_result(context, seated))


def write_picture(context: AppContext, navigator: Navigator, kit: GameKit, picture: QImage) -> None:
    """Ask the user for a file, and save `picture` in it, which shows a match of the game `kit`."""
    words = context.words
    wish = game_title(kit, words.language) + SUFFIX
    kinds = words("Pictures") + f" (*{SUFFIX})"
    file = file_dialogs.ask_where_to_save(navigator.window(), words, words("Save as"), wish, kinds)
    if file is None:
        return
    with context.report_errors():
        write_atomically(file, encode_png(picture))
        navigator.show_message(words("Saved as “{file}”.", file=file.name), "check")


def copy_picture(context: AppContext, navigator: Navigator, seated: SeatedTable) -> None:
    """Copy a picture of a finished match to the clipboard."""
    QGuiApplication.clipboard().setImage(draw_result(context, seated))
    navigator.show_message(context.words("The picture is on the clipboard."), "check")

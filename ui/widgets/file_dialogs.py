"""File dialogs, and support for dropping files or invitations onto the window."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QProcess, QProcessEnvironment, QTranslator, QUrl
from PySide6.QtGui import QDesktopServices, QDropEvent
from PySide6.QtWidgets import QFileDialog, QWidget

from tabletop.exchange.file_kinds import IMPORT_SUFFIXES
from tabletop.files.file_url import path_from_url
from tabletop.files.folders import SUFFIX
from tabletop.files.user_environment import use_user_environment, user_environment
from tabletop.language import labels
from tabletop.protocol.invitation import has_invitation
from tabletop.text.phrases import phrase
from tabletop.text.portable_name import make_portable
from ui.widgets.question import ask_question

if TYPE_CHECKING:
    from tabletop.language.words import Words

REPLACE = phrase("“{file}” already exists. Replace it?")


class _WithoutMnemonics(QTranslator):
    """Finds the translation of a text in its form before Qt added a mnemonic."""

    def __init__(self) -> None:
        super().__init__()
        self._asking = False

    def translate(
        self, context: str, source: str, disambiguation: str | None = None, n: int = -1
    ) -> str | None:
        plain = source.replace("&", "")
        if self._asking or plain == source:
            return None
        self._asking = True
        own, former = (QCoreApplication.translate(context, text) for text in (source, plain))
        self._asking = False
        return former if own == source and former != plain else None


@contextmanager
def _translate_dialog() -> Iterator[None]:
    """Within the context, translate all texts of a file dialog.

    The translator is installed only while the dialog is open, because Qt looks up texts at every
    event, and a translator written in Python is slow.
    """
    program, translator = QCoreApplication.instance(), _WithoutMnemonics()
    assert program is not None
    program.installTranslator(translator)
    try:
        yield
    finally:
        program.removeTranslator(translator)


def record_filter(words: Words) -> str:
    """Return the file dialog's filter for match records."""
    return words("Tabletop saves and replays") + f" (*{SUFFIX})"


def ask_for_record(parent: QWidget, title: str, words: Words) -> Path | None:
    """Ask the user for a match record to open. Return None if they cancel."""
    return ask_for_file(parent, title, record_filter(words))


def ask_for_record_or_game(parent: QWidget, title: str, words: Words) -> Path | None:
    """Ask the user for a match record or game file to open. Return None if they cancel."""
    own, others = (
        (f"*{SUFFIX}", f"*{IMPORT_SUFFIXES[0]}"),
        [f"*{each}" for each in IMPORT_SUFFIXES[1:]],
    )
    whole, games = words("Saves, replays and games"), words("Tabletop games")
    foreign = words("Games of other programs")
    kinds = [
        f"{whole} ({' '.join((*own, *others))})",
        record_filter(words),
        f"{games} ({own[1]})",
        f"{foreign} ({' '.join(others)})",
    ]
    return ask_for_file(parent, title, ";;".join(kinds))


def ask_for_file(parent: QWidget, title: str, kinds: str) -> Path | None:
    """Ask the user for a file to open that matches the filter `kinds`.

    Return None if they cancel.
    """
    with _translate_dialog():
        file, _ = QFileDialog.getOpenFileName(parent, title, str(Path.home()), kinds)
    return Path(file) if file else None


def ask_for_folder(parent: QWidget, title: str) -> Path | None:
    """Ask the user for a folder. Return None if they cancel."""
    with _translate_dialog():
        named = QFileDialog.getExistingDirectory(parent, title, str(Path.home()))
    return Path(named) if named else None


def ask_where_to_save(
    parent: QWidget, words: Words, title: str, wish: str, kinds: str
) -> Path | None:
    """Ask the user where to save a file. Return None if they cancel.

    Args:
        words: the texts of the current language.
        title: the dialog's title.
        wish: the suggested file name. The result has the same suffix.
        kinds: the dialog's file filter.

    The user must confirm replacing an existing file.
    """
    place = Path.home() / make_portable(wish)
    while True:
        with _translate_dialog():
            file, _ = QFileDialog.getSaveFileName(parent, title, str(place), kinds)
        if not file:
            return None
        path = Path(file)
        if path.suffix.lower() == place.suffix:  # the dialog has already asked about this file
            return path
        path = path.with_name(path.name + place.suffix)
        if not path.exists() or ask_question(
            words, parent, words(REPLACE, file=path.name), words("Replace"), words(labels.CANCEL)
        ):
            return path
        place = path


def open_externally(path: Path) -> bool:
    """Open a folder in the file manager, or a file in its default program.

    Return whether that worked.

    The program starts with the user's original environment.
    """
    url = QUrl.fromLocalFile(str(path))
    opener = shutil.which("xdg-open") if sys.platform.startswith("linux") else None
    if opener is None:
        with use_user_environment():
            return QDesktopServices.openUrl(url)
    process, environment = QProcess(), QProcessEnvironment()
    for name, value in user_environment().items():
        environment.insert(name, value)
    process.setProcessEnvironment(environment)
    process.setProgram(opener)
    process.setArguments([url.toString()])
    return bool(process.startDetached())


def dropped_invitation(event: QDropEvent) -> str:
    """Return the dragged text if it contains an invitation, or an empty string."""
    text = event.mimeData().text()
    return text if has_invitation(text) else ""


def dropped_files(event: QDropEvent) -> list[Path]:
    """Return the local files of a drag-and-drop event."""
    # QUrl.toLocalFile would make a computer's name the first folder
    urls = (bytes(url.toEncoded().data()).decode() for url in event.mimeData().urls())
    return [Path(path) for path in map(path_from_url, urls) if path is not None]

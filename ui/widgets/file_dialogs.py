"""The files that a person names: to be opened, to be written, or dropped onto the window, as an
invitation may be."""

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
    """Finds the translation that a text had before Qt gave it a mnemonic."""

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
    """Have a file dialog all in the language of the window. Qt asks for texts at every event, so
    nothing written in Python answers it for longer."""
    program, translator = QCoreApplication.instance(), _WithoutMnemonics()
    assert program is not None
    program.installTranslator(translator)
    try:
        yield
    finally:
        program.removeTranslator(translator)


def records(words: Words) -> str:
    """The kind of file that a match is kept in, as a file dialog shows it."""
    return words("Tabletop saves and replays") + f" (*{SUFFIX})"


def to_open(parent: QWidget, title: str, words: Words) -> Path | None:
    """Which match's file the person wants opened, if any."""
    return of_kinds(parent, title, records(words))


def to_open_any(parent: QWidget, title: str, words: Words) -> Path | None:
    """Which file the person wants opened, if any: a match's, or one that holds a game."""
    own, others = (
        (f"*{SUFFIX}", f"*{IMPORT_SUFFIXES[0]}"),
        [f"*{each}" for each in IMPORT_SUFFIXES[1:]],
    )
    whole, games = words("Saves, replays and games"), words("Tabletop games")
    foreign = words("Games of other programs")
    kinds = [
        f"{whole} ({' '.join((*own, *others))})",
        records(words),
        f"{games} ({own[1]})",
        f"{foreign} ({' '.join(others)})",
    ]
    return of_kinds(parent, title, ";;".join(kinds))


def of_kinds(parent: QWidget, title: str, kinds: str) -> Path | None:
    """Which file of these kinds the person means, if any."""
    with _translate_dialog():
        file, _ = QFileDialog.getOpenFileName(parent, title, str(Path.home()), kinds)
    return Path(file) if file else None


def folder(parent: QWidget, title: str) -> Path | None:
    """Which folder the person means, if any."""
    with _translate_dialog():
        named = QFileDialog.getExistingDirectory(parent, title, str(Path.home()))
    return Path(named) if named else None


def to_write(parent: QWidget, words: Words, title: str, wish: str, kinds: str) -> Path | None:
    """Which file the person wants written, if any; it ends as the name wished for does. What is
    there already is replaced only if the person said so."""
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


def show_outside(path: Path) -> bool:
    """Have the system show a folder, or open a file in the program that is for it; return whether
    it has one. That program gets the user's own environment."""
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
    """The text that is dragged onto the window, where a link to a table is in it."""
    text = event.mimeData().text()
    return text if has_invitation(text) else ""


def dropped_files(event: QDropEvent) -> list[Path]:
    """The files that are dragged onto the window."""
    return [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]

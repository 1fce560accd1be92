"""The card of an unfinished match: a picture of its table, its players and its state."""

from datetime import datetime
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget

from tabletop.language.words import Words
from ui.shelf.thumbnails import Thumbnails
from ui.shelf.waiting_card import WaitingCard
from ui.shell.app_context import AppContext
from ui.shell.language import when_text
from ui.style.theme import SMOOTH_HINTS


class UnfinishedMatch(Struct, frozen=True):
    """The description of an unfinished match for the shelf."""

    file: Path
    title: str
    heading: str
    players: str
    time: datetime
    name: str = ""
    """The name that the user gave the match; "" if it has none."""

    def label(self, words: Words) -> str:
        """Return the match's name and its game in one line."""
        return words.join_facts((self.name, self.title))


class TablePicture(QWidget):
    """The thumbnail of a table, with cropped edges and rounded corners."""

    def __init__(self, context: AppContext, thumbnails: Thumbnails, file: Path) -> None:
        super().__init__()
        self._context = context
        self._thumbnails = thumbnails
        self._file = file
        thumbnails.thumbnail_drawn.connect(self._on_drawn)

    def _on_drawn(self, file: Path) -> None:
        if file == self._file:
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        place, picture = QRectF(self.rect()), self._thumbnails.thumbnail_of(self._file)
        shape = QPainterPath()
        shape.addRoundedRect(place, 8, 8)
        with QPainter(self) as painter:
            painter.setRenderHints(SMOOTH_HINTS)
            painter.setClipPath(shape)
            painter.fillRect(place, QColor(self._context.theme.mat))
            if not picture.isNull():
                painter.drawPixmap(place, picture, _centre_crop(picture, place))


class UnfinishedCard(WaitingCard):
    """The card of an unfinished match."""

    continue_requested = Signal(Path)
    """A request to continue the match saved in a file."""
    trash_requested = Signal(Path)
    """A request to move the match in a file to the trash."""
    rename_requested = Signal(Path)
    """A request to name the match in a file."""

    def __init__(
        self, context: AppContext, thumbnails: Thumbnails, waiting: UnfinishedMatch, first: bool
    ) -> None:
        picture = TablePicture(context, thumbnails, waiting.file)
        super().__init__(context, picture, first, quiet=2)
        self.waiting = waiting
        signals = (self.continue_requested, self.rename_requested, self.trash_requested)
        for each, signal in zip(self.buttons, signals, strict=True):
            each.clicked.connect(lambda _=False, signal=signal: signal.emit(waiting.file))
        self.refresh_appearance()

    def refresh_appearance(self) -> None:
        super().refresh_appearance()
        words, waiting = self.context.words, self.waiting
        when = when_text(words, waiting.time)
        self.title.setText(waiting.label(words))
        self.second.setText(waiting.heading)
        self.third.setText(words("{players} · saved {when}", players=waiting.players, when=when))
        which = {"title": waiting.title, "players": waiting.players}
        for each, text, name in zip(
            self.buttons,
            (words("Continue"), words("Name…"), words("Move to trash")),
            (
                words("Continue {title}, {players}", **which),
                words("Name {title}, {players}", **which),
                words("Move {title}, {players} to the trash", **which),
            ),
            strict=True,
        ):
            each.setText(text)
            each.setAccessibleName(name)


def _centre_crop(picture: QPixmap, place: QRectF) -> QRectF:
    """Return the largest centred part of `picture` with the aspect ratio of `place`."""
    width, height = float(picture.width()), float(picture.height())
    shape = place.width() / place.height()
    if width / height > shape:
        part = height * shape
        return QRectF((width - part) / 2, 0, part, height)
    part = width / shape
    return QRectF(0, (height - part) / 2, width, part)

"""A match that waits to be continued: its picture, its players, where it stands."""

from datetime import datetime
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from tabletop.catalogue.catalogue import Kit
from ui.shelf.resting_pointer import RestingPointer
from ui.shelf.thumbnails import Thumbnails
from ui.shell.app_context import AppContext
from ui.shell.language import when_text
from ui.widgets.surface import Paper, Shortened, button, change_kind, in_the_middle

PICTURE = QSize(168, 96)
LOW_PICTURE = QSize(98, 56)


class UnfinishedMatch(Struct, frozen=True):
    """An unfinished match as the shelf shows it."""

    file: Path
    kit: Kit
    title: str
    heading: str
    players: str
    time: datetime
    name: str = ""
    """What somebody has called it."""

    @property
    def called(self) -> str:
        """What stands over it."""
        return f"{self.name} · {self.title}" if self.name else self.title


class TablePicture(QWidget):
    """The picture of a table, cut to the middle, with round corners."""

    def __init__(self, context: AppContext, thumbnails: Thumbnails, file: Path) -> None:
        super().__init__()
        self._context = context
        self._thumbnails = thumbnails
        self._file = file
        thumbnails.drawn.connect(self._note_drawn)
        self.set_low(False)

    def _note_drawn(self, file: Path) -> None:
        if file == self._file:
            self.update()

    def set_low(self, low: bool) -> None:
        """Whether it has little height."""
        self.setFixedSize(LOW_PICTURE if low else PICTURE)

    def paintEvent(self, event: QPaintEvent) -> None:
        place, picture = QRectF(self.rect()), self._thumbnails.picture(self._file)
        shape = QPainterPath()
        shape.addRoundedRect(place, 8, 8)
        with QPainter(self) as painter:
            painter.setRenderHints(
                QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform
            )
            painter.setClipPath(shape)
            painter.fillRect(place, QColor(self._context.theme.mat))
            if not picture.isNull():
                painter.drawPixmap(place, picture, _middle(picture, place))


class UnfinishedCard(Paper):
    """One sheet over the shelf; the first is the one most likely wanted, its button is primary."""

    wanted = Signal(Path)
    unwanted = Signal(Path)
    named = Signal(Path)
    """It is to be called something (else)."""
    pointed = Signal(object)
    """The pointer rests where a match of this kit is gone on with, or the keys have come there."""

    def __init__(
        self, context: AppContext, thumbnails: Thumbnails, waiting: UnfinishedMatch, first: bool
    ) -> None:
        super().__init__()
        self._context = context
        self.waiting = waiting
        self._low = False
        self._picture = TablePicture(context, thumbnails, waiting.file)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._title, self._heading, self._when = (
            Shortened("heading"),
            Shortened(),
            Shortened("caption"),
        )
        self.go = button("primary" if first else "")
        self.go.clicked.connect(lambda: self.wanted.emit(waiting.file))
        RestingPointer(self.go).rested.connect(lambda: self.pointed.emit(waiting.kit))
        self._forget = button("quiet")
        self._forget.clicked.connect(lambda: self.unwanted.emit(waiting.file))
        self._name = button("quiet")
        self._name.clicked.connect(lambda: self.named.emit(waiting.file))
        self.buttons = (self.go, self._name, self._forget)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 6, 16, 6)
        row.setSpacing(4)
        row.addWidget(self._picture)
        row.addSpacing(12)
        row.addLayout(in_the_middle(0, self._title, self._heading, self._when), 1)
        for each in reversed(self.buttons):
            row.addWidget(each)
        self.dress()

    def set_low(self, low: bool) -> None:
        """Whether it has little height."""
        if low != self._low:
            self._low = low
            self._picture.set_low(low)
            self.dress()

    def dress(self) -> None:
        """Put the texts on in the chosen language."""
        words, waiting = self._context.words, self.waiting
        when = when_text(words, waiting.time)
        change_kind(self._title, "strong" if self._low else "heading")
        change_kind(self._heading, "reading" if self._low else "")
        self._title.setText(waiting.called)
        self._heading.setText(waiting.heading)
        self._when.setText(words("{players} · saved {when}", players=waiting.players, when=when))
        self.go.setText(words("Continue"))
        self._name.setText(words("Name…"))
        self._name.setAccessibleName(
            words("Name {title}, {players}", title=waiting.title, players=waiting.players)
        )
        self.go.setAccessibleName(
            words("Continue {title}, {players}", title=waiting.title, players=waiting.players)
        )
        self._forget.setText(words("Move to trash"))
        self._forget.setAccessibleName(
            words(
                "Move {title}, {players} to the trash", title=waiting.title, players=waiting.players
            )
        )


def _middle(picture: QPixmap, place: QRectF) -> QRectF:
    """The largest part of the picture, round its middle, of the place's shape."""
    wide, high = float(picture.width()), float(picture.height())
    shape = place.width() / place.height()
    if wide / high > shape:
        part = high * shape
        return QRectF((wide - part) / 2, 0, part, high)
    part = wide / shape
    return QRectF(0, (high - part) / 2, wide, part)

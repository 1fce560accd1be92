"""The finished matches that were kept, to be watched again."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QKeyEvent, QPainter, QPainterPath, QPixmap
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
)

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import BrokenGame, UnknownGame
from tabletop.files.errors import BadFile
from tabletop.language import labels
from tabletop.storage.saved_matches import Kept
from tabletop.text.phrases import phrase
from ui.shelf.thumbnails import Thumbnails
from ui.shell.app_context import AppContext, named
from ui.shell.language import title, versus, when_text
from ui.style.theme import SMOOTH
from ui.widgets.box_layout import Part, lay
from ui.widgets.surface import Screen, button, label

BUTTONS = (
    ("watch", labels.WATCH_AGAIN),
    ("name", phrase("Name…")),
    ("delete", phrase("Delete")),
    ("open_replay", phrase("Open a replay…")),
    ("leave", phrase("Back to the shelf")),
)
CHOSEN = ("watch", "name", "delete")
"""Those of them that do something with the chosen replay."""
FILE = Qt.ItemDataRole.UserRole
MINIATURE, GAP = QSize(136, 72), 10
"""The picture of a table beside its line with what is free behind it, in pixels."""
BESIDE = 16
"""Free above and below it together, in pixels."""
AnyIndex = QModelIndex | QPersistentModelIndex


class Miniatures(QStyledItemDelegate):
    """Shows beside each replay the picture of its last table, read when its line is first seen."""

    def __init__(self, context: AppContext, thumbnails: Thumbnails, parent: QListWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._thumbnails = thumbnails
        self._icons: dict[int, QIcon] = {}
        """The icon of each picture, by its cache key."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        super().initStyleOption(option, index)
        file = index.data(FILE)
        if file is None:  # a broken file has a sign of its own
            return
        picture = self._thumbnails.picture(file)
        if picture.cacheKey() not in self._icons:
            self._icons[picture.cacheKey()] = self._icon(picture)
        option.icon = self._icons[picture.cacheKey()]
        option.decorationSize = MINIATURE

    def forget(self) -> None:
        """Forget the pictures' placeholders, as the theme has changed."""
        self._icons = {}

    def _icon(self, picture: QPixmap) -> QIcon:
        """The picture with round corners; where there is none yet, an empty table."""
        ratio, theme = 2.0, self._context.theme
        made = QPixmap(MINIATURE * ratio)
        made.setDevicePixelRatio(ratio)
        made.fill(Qt.GlobalColor.transparent)
        place = QRectF(0, 0, MINIATURE.width() - GAP, MINIATURE.height())
        shape = QPainterPath()
        shape.addRoundedRect(place, 6, 6)
        with QPainter(made) as painter:
            painter.setRenderHints(SMOOTH)
            painter.setClipPath(shape)
            painter.fillRect(place, QColor(theme.mat))
            if picture.isNull():
                sign = self._context.icon_pixmap("replay", 28, theme.ink_soft)
                middle = place.center() - QPointF(14, 14)
                painter.drawPixmap(middle, sign)
            else:
                painter.drawPixmap(place, picture, QRectF(picture.rect()))
        icon = QIcon()
        for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected):
            icon.addPixmap(made, mode)
        return icon


class ReplayListWidget(QListWidget):
    """A list whose keys do what its buttons do."""

    asked = Signal(str)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        acts = {
            Qt.Key.Key_Return: "watch",
            Qt.Key.Key_Enter: "watch",
            Qt.Key.Key_F2: "name",
            Qt.Key.Key_Delete: "delete",
        }
        act = acts.get(Qt.Key(event.key()))
        if act:
            self.asked.emit(act)
        else:
            super().keyPressEvent(event)


class ReplayList(Screen):
    """The list of replays; each request carries its file, or None where there is none."""

    asked = Signal(str, object)

    def __init__(self, context: AppContext) -> None:
        super().__init__(context)
        self._kept: Sequence[Kept] = ()
        self._unreadable: Sequence[BadFile] = ()
        self._title = label("title")
        self._none = label(wrap=True)
        self._none.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.shown = ReplayListWidget()
        self.shown.setIconSize(MINIATURE)
        self.thumbnails = Thumbnails(context, self)
        self.thumbnails.drawn.connect(lambda _: self.shown.viewport().update())
        self._miniatures = Miniatures(context, self.thumbnails, self.shown)
        self.shown.setItemDelegate(self._miniatures)
        self.shown.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.shown.itemDoubleClicked.connect(lambda _: self._ask("watch"))
        self.shown.asked.connect(self._ask)
        self.shown.currentItemChanged.connect(lambda *_: self._allow())
        self.buttons: dict[str, QPushButton] = {}
        row = lay(QHBoxLayout(), spacing=10)
        for name, _ in BUTTONS:
            self.buttons[name] = button("primary" if name == "watch" else "")
            self.buttons[name].clicked.connect(lambda _=False, name=name: self._ask(name))
            row.addWidget(self.buttons[name])
            if name == "delete":
                row.addStretch(1)
        rows: list[Part] = [self._title, (self._none, 1), (self.shown, 1), row]
        lay(QVBoxLayout(self), rows, spacing=14, margins=(48, 24, 48, 24))
        self.left.connect(lambda: self._ask("leave"))
        self.apply_looks()

    @property
    def file(self) -> Path | None:
        """The one that is chosen."""
        item = self.shown.currentItem()
        return item.data(FILE) if item else None

    def show_kept(self, kept: Sequence[Kept], unreadable: Sequence[BadFile] = ()) -> None:
        """List these, and keep the choice near where it was; behind them, what is wrong with the
        files that cannot be read."""
        row = max(0, self.shown.currentRow())
        self._kept, self._unreadable = kept, unreadable
        self._list()
        self.shown.setCurrentRow(min(row, len(kept) - 1))
        first = self.shown if kept else self.buttons["open_replay"]
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def apply_looks(self) -> None:
        super().apply_looks()
        words = self.context.words
        self._title.setText(words("Replays"))
        self._none.setText(words("Finished matches appear here. There are none yet."))
        named(self.shown, words("Replays"))
        for name, text in BUTTONS:
            self.buttons[name].setText(words(text))
        row = self.shown.currentRow()
        self._miniatures.forget()
        self._list()
        self.shown.setCurrentRow(row)

    def _list(self) -> None:
        self.shown.clear()
        for kept in self._kept:
            item = QListWidgetItem(self.context.icon("replay", self.context.theme.accent_2), "")
            item.setText(self._text(kept))
            item.setData(FILE, kept.path)
            item.setSizeHint(QSize(0, MINIATURE.height() + BESIDE))
            self.shown.addItem(item)
        for broken in self._unreadable:
            item = QListWidgetItem(self.context.icon("warning", self.context.theme.warn), "")
            item.setText(self.context.words.reason(broken.reason))
            item.setForeground(QColor(self.context.theme.ink_soft))
            item.setFlags(Qt.ItemFlag.ItemIsEnabled)  # to be come to and heard, not to be chosen
            self.shown.addItem(item)
        any_kept = bool(self._kept)
        self._none.setVisible(not any_kept and not self._unreadable)
        self.shown.setVisible(any_kept or bool(self._unreadable))
        for name in CHOSEN:
            self.buttons[name].setVisible(any_kept)

    def _allow(self) -> None:
        for name in CHOSEN:
            self.buttons[name].setEnabled(self.file is not None)

    def _text(self, kept: Kept) -> str:
        """Two lines: what it is called and who played, then when and how it ended."""
        words = self.context.words
        try:
            kit = catalogue.recorded(kept.header.game, kept.header.folder_digest)
        except (UnknownGame, BrokenGame):
            game, players = kept.header.game, words
        else:
            game, players = title(kit, words.language), self.context.of(kit, kept.header.players)
        called = words.join_facts((kept.name, game))
        won = words.join_list(players.seat(seat) for seat in kept.end.winners)
        nobody = words("everyone lost") if kept.end.lost else words("nobody won")
        end = words(labels.WON, names=won) if won else nobody
        scores = f" ({' : '.join(map(str, kept.end.points))})" if kept.end.points else ""
        when = when_text(words, kept.changed)
        return f"{called} · {versus(players, kept.header.players)}\n{when} · {end}{scores}"

    def _ask(self, name: str) -> None:
        self.asked.emit(name, self.file)

"""The shelf: the boxes of all games, the matches that wait, and one quiet row."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from tabletop.games.game_kit import CatalogueEntry
from tabletop.language import labels
from tabletop.storage.saved_matches import SavedMatch
from tabletop.text.phrases import phrase
from ui.shelf.rejoin_card import RejoinCard
from ui.shelf.shelf_board import ShelfBoard, ShelfRows
from ui.shelf.stored_matches import describe_match
from ui.shelf.thumbnails import Thumbnails
from ui.shelf.unfinished_card import UnfinishedCard
from ui.shelf.unfinished_row import UnfinishedList, UnfinishedRow
from ui.shell.app_context import AppContext, name_widget
from ui.shell.language import title
from ui.widgets.box_layout import STRETCH, lay
from ui.widgets.game_box import GameBox
from ui.widgets.styled_widgets import Screen, button, change_kind, label, wear

if TYPE_CHECKING:
    from tabletop.home.known_hosts import RejoinableTable

COUNTED = 100
"""Milliseconds after which the shelf shows how often its games were played, so that it opens
sooner."""
KEPT = 1_000
"""Milliseconds after the shelf is shown: what was drawn for it is kept then for the next start."""
TIGHT = 1200
"""Width of the screen, in pixels, below which the quiet row is closer."""
CLOSE = "QPushButton { padding: 7px 9px; } QPushButton:focus { padding: 5px 7px; }"
BARE = "QPushButton { padding: 7px 7px; } QPushButton:focus { padding: 5px 5px; }"

LONG_AGO = datetime(1970, 1, 2, tzinfo=UTC)

QUIET = {
    "host": phrase("Host"),
    "join": phrase("Join"),
    "open": phrase("Open a file"),
    "replays": phrase("Replays"),
}
"""The buttons under the boxes, by their commands."""
CORNER = {
    "statistics": phrase("Statistics"),
    "rules": labels.RULES,
    "workshop": phrase("Workshop"),
    "settings": phrase("Settings"),
}
"""The icons at the top right, by their commands."""
ICONS = {"replays": "replay"}
"""The icons whose names differ from the commands'."""


class ShelfScreen(Screen):
    """The program's first screen."""

    grows = True
    chosen = Signal(object)
    """Request to set up a new match of this game."""
    played = Signal(object)
    """Request to play this game at once."""
    shared = Signal(object)
    """Request to write this game as one file."""
    wanted = Signal(Path)
    unwanted = Signal(Path)
    named = Signal(Path)
    returning = Signal(object)
    """Request to return to a shared table: its Return."""
    forgotten = Signal(str)
    """Request to forget this shared table."""
    asked = Signal(str)
    """A button was pressed: its name in QUIET or CORNER."""

    def __init__(self, context: AppContext, games: Sequence[CatalogueEntry]) -> None:
        super().__init__(context)
        self._greeting = label("title")
        self._waiting: tuple[SavedMatch | RejoinableTable, ...] = ()
        context.box_counts.changed.connect(self._update_counts)
        self.thumbnails = Thumbnails(context, self)
        self.row = UnfinishedRow(context)
        self.row.opened.connect(self.show_all)
        self.all = UnfinishedList()
        self.back = button()
        self.back.clicked.connect(self.show_boxes)
        self.left.connect(self.show_boxes)
        self.board = ShelfBoard(context, games)
        self.board.chosen.connect(self.chosen)
        self.board.played.connect(self.played)
        self.board.shared.connect(self.shared)
        self.board.unwanted.connect(self._remove)
        self.board.reordered.connect(self._set_tab_order)
        self.board.came.connect(self._show_counts_on)
        self._boxes = scroll = ShelfRows(self.board)
        self.commands = {name: button() for name in QUIET}
        self.commands |= {name: button("quiet") for name in CORNER}
        """The buttons by the names of what they do."""
        for name, each in self.commands.items():
            each.clicked.connect(lambda _=False, name=name: self.asked.emit(name))
        quiet = [self.commands[name] for name in QUIET]
        self._row = row = lay(QHBoxLayout(), [*quiet, STRETCH])
        corner = lay(QHBoxLayout(), [self.commands[name] for name in CORNER], spacing=4)
        head = lay(QHBoxLayout(), [(self._greeting, 1), self.back, corner], spacing=12)
        self._column = lay(QVBoxLayout(self), [head, self.row, (self.all, 1), (scroll, 1), row])
        self.refresh_appearance()
        self.show_boxes()

    @property
    def boxes(self) -> tuple[GameBox, ...]:
        """The boxes in their order."""
        return tuple(self.board.boxes)

    @property
    def cards(self) -> list[UnfinishedCard | RejoinCard]:
        """The sheets of what waits that are on the screen, the most likely wanted first."""
        return self.all.cards or ([self.row.card] if self.row.card else [])

    def show_waiting(
        self, waiting: Sequence[SavedMatch], returns: Sequence[RejoinableTable] = ()
    ) -> None:
        """Lay out what waits, the last played first."""
        self._waiting = tuple(sorted((*returns, *waiting), key=_last_played, reverse=True))
        first = self._sheet(self._waiting[0]) if self._waiting else None
        self.row.show_card(first, len(self._waiting))
        if self.all.cards:
            self.show_all()
        else:
            self.show_boxes()

    def show_all(self) -> None:
        """Show the list of all that waits in place of the boxes."""
        self.all.show_cards([self._sheet(each) for each in self._waiting])
        self._show_part()
        if self.all.cards:
            self.all.cards[0].go.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_boxes(self) -> None:
        """Show the boxes again, and over them the one that is most likely wanted."""
        back = bool(self.all.cards)
        self.all.show_cards(())
        self._show_part()
        if back:
            self.take_focus()

    def take_focus(self) -> None:
        """Focus the game that was played last; at the first start the one to begin with."""
        standing = {box.game.id: box for box in self.boxes}
        played = [game for game in self.context.settings.tables if game in standing]
        begun = [game for game, box in standing.items() if box.game.box.start_here]
        wanted = (*reversed(played), *begun, *standing)
        first = standing[wanted[0]] if wanted else self
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_part(self) -> None:
        listed = bool(self.all.cards)
        self.row.setVisible(self.row.card is not None and not listed)
        self._boxes.setVisible(not listed)
        self.all.setVisible(listed)
        self.back.setVisible(listed)
        self._update_greeting()
        self._set_tab_order()

    def _set_tab_order(self) -> None:
        """Lead the keyboard through the boxes first, as they stand."""
        order = (*self.board.stops, *self.row.buttons, *self.commands.values())
        for one, other in pairwise(order):
            QWidget.setTabOrder(one, other)

    def _sheet(self, each: SavedMatch | RejoinableTable) -> UnfinishedCard | RejoinCard:
        first = each is self._waiting[0]
        if not isinstance(each, SavedMatch):
            again = RejoinCard(self.context, each, first)
            again.wanted.connect(self.returning)
            again.unwanted.connect(self.forgotten)
            return again
        match = describe_match(self.context, each)
        card = UnfinishedCard(self.context, self.thumbnails, match, first)
        card.wanted.connect(self.wanted)
        card.unwanted.connect(self.unwanted)
        card.named.connect(self.named)
        return card

    def _update_greeting(self) -> None:
        words = self.context.words
        listed = bool(self.all.cards)
        self._greeting.setText(
            words("Matches to continue") if listed else words("What shall we play today?")
        )
        name_widget(self, self._greeting.text())
        self.back.setText(words("Back to the boxes"))

    def _remove(self, game: CatalogueEntry) -> None:
        from ui.received.removal import ask_and_remove

        called = title(game, self.context.words.language)
        if ask_and_remove(self.context, self.window(), Path(str(game.folder)), called):
            self.board.follow_received()
            self.take_focus()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.board.follow_received()
        QTimer.singleShot(COUNTED, self, self._show_counts)
        QTimer.singleShot(KEPT, self, self._keep)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.all.show_cards(())
        self._show_part()

    def _show_counts(self) -> None:
        """Say on each box how often it was played, while the shelf is seen."""
        if not self.isVisible():
            return
        self.context.box_counts.read(self.context.settings.players)

    def _update_counts(self) -> None:
        self._show_counts_on(self.boxes)

    def _show_counts_on(self, boxes: Sequence[GameBox]) -> None:
        if self.context.box_counts.known:
            for box in boxes:
                box.show_statistics(self.context.box_counts.boxes.get(box.game.id))

    def _keep(self) -> None:
        self.context.art.keep_shelf()

    def refresh_appearance(self) -> None:
        super().refresh_appearance()
        words = self.context.words
        self._update_greeting()
        for name, each in self.commands.items():
            text = words((QUIET | CORNER)[name])
            each.setIcon(self.context.icon(ICONS.get(name, name), self.context.theme.accent_2))
            if name in QUIET:
                each.setText(text)
            else:
                wear(each, BARE)
                each.setToolTip(text)
                name_widget(each, text)
        self.row.refresh_appearance()
        for card in self.all.cards:
            card.refresh_appearance()
        self.board.refresh_appearance()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit(self.size())

    def fit(self, size: QSize) -> None:
        """Set what depends on the size: letters, margins and distances."""
        low = size.height() < 720
        side = max(24, min(72, size.width() // 22))
        self._column.setContentsMargins(side, 10 if low else 28, side, 10 if low else 28)
        self._column.setSpacing(8 if low else 20)
        tight = size.width() < TIGHT
        self._row.setSpacing(6 if tight else 12)
        for name in QUIET:
            self.commands[name].setStyleSheet(CLOSE if tight else "")
        change_kind(self._greeting, "heading" if low else "title")


def _last_played(each: SavedMatch | RejoinableTable) -> datetime:
    """When it was played; a date of the future says nothing."""
    when = each.changed if isinstance(each, SavedMatch) else each.visited
    return when if when <= datetime.now(UTC) + timedelta(days=1) else LONG_AGO

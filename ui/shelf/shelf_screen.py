"""The shelf, which is the program's first screen, with all games and unfinished matches."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from tabletop.catalogue import catalogue
from tabletop.files import folders
from tabletop.games.game_kit import CatalogueEntry
from tabletop.language import labels
from tabletop.storage.saved_matches import SavedMatch
from tabletop.text.phrases import phrase
from ui.shelf.games_watch import GamesWatch
from ui.shelf.rejoin_card import RejoinCard
from ui.shelf.shelf_board import ShelfBoard, ShelfRows
from ui.shelf.stored_matches import describe_match
from ui.shelf.thumbnails import Thumbnails
from ui.shelf.unfinished_card import UnfinishedCard
from ui.shelf.unfinished_row import UnfinishedList, UnfinishedRow
from ui.shell.app_context import AppContext, name_widget
from ui.shell.language import game_title
from ui.widgets.box_layout import STRETCH, lay
from ui.widgets.game_box import GameBox
from ui.widgets.styled_widgets import Screen, button, label, set_scaled_style, set_style_kind

if TYPE_CHECKING:
    from tabletop.home.known_hosts import RejoinableTable

STATISTICS_DELAY_MS = 100
"""The delay in milliseconds before play statistics are read, so that the shelf opens faster."""
SAVE_PICTURES_DELAY_MS = 1_000
"""The delay in milliseconds before the shelf's pictures are saved for the next start."""
TIGHT_BELOW_PX = 1200
"""The screen width in pixels below which the bottom row is denser."""
TIGHT_BUTTON_STYLE = "QPushButton { padding: 7px 9px; } QPushButton:focus { padding: 5px 7px; }"
ICON_BUTTON_STYLE = "QPushButton { padding: 7px 7px; } QPushButton:focus { padding: 5px 5px; }"

LONG_AGO = datetime(1970, 1, 2, tzinfo=UTC)

BOTTOM_BUTTONS = {
    "host": phrase("Host"),
    "join": phrase("Join"),
    "open": phrase("Open a file"),
    "replays": phrase("Replays"),
}
"""The texts of the buttons below the boxes, by command."""
CORNER_BUTTONS = {
    "statistics": phrase("Statistics"),
    "rules": labels.RULES,
    "workshop": phrase("Workshop"),
    "settings": phrase("Settings"),
}
"""The texts of the icon buttons at the top right, by command."""
ICON_NAMES = {"replays": "replay"}
"""The icons whose names differ from their commands' names, by command."""


class ShelfScreen(Screen):
    """The screen with the boxes of all games and the most recent unfinished match."""

    grows = True
    game_chosen = Signal(object)
    """A request to set up a match of a game: its CatalogueEntry."""
    play_requested = Signal(object)
    """A request to play a game at once: its CatalogueEntry."""
    export_requested = Signal(object)
    """A request to export a game to a file: its CatalogueEntry."""
    continue_requested = Signal(Path)
    """A request to continue the match saved in a file."""
    trash_requested = Signal(Path)
    """A request to move the match in a file to the trash."""
    rename_requested = Signal(Path)
    """A request to name the match in a file."""
    rejoin_requested = Signal(object)
    """A request to return to a shared table: its RejoinableTable."""
    forget_requested = Signal(str)
    """A request to forget a shared table: its ID."""
    command_requested = Signal(str)
    """A button was pressed: its command, which is a key of `BOTTOM_BUTTONS` or `CORNER_BUTTONS`."""

    def __init__(self, context: AppContext, games: Sequence[CatalogueEntry]) -> None:
        super().__init__(context)
        self._greeting = label("title")
        self._unfinished: tuple[SavedMatch | RejoinableTable, ...] = ()
        context.shelf_statistics.changed.connect(self._update_counts)
        self.thumbnails = Thumbnails(context, self)
        self.row = UnfinishedRow(context)
        self.row.list_requested.connect(self.show_list)
        self.list = UnfinishedList()
        self.back_button = button()
        self.back_button.clicked.connect(self.show_boxes)
        self.left.connect(self.show_boxes)
        self.board = ShelfBoard(context, games)
        self.board.game_chosen.connect(self.game_chosen)
        self.board.play_requested.connect(self.play_requested)
        self.board.export_requested.connect(self.export_requested)
        self.board.removal_requested.connect(self._remove)
        self.board.reordered.connect(self._set_tab_order)
        self.board.boxes_added.connect(self._show_counts_on)
        self._boxes = scroll = ShelfRows(self.board)
        self.commands = {name: button() for name in BOTTOM_BUTTONS}
        self.commands |= {name: button("quiet") for name in CORNER_BUTTONS}
        """The command buttons, by command."""
        for name, each in self.commands.items():
            each.clicked.connect(lambda _=False, name=name: self.command_requested.emit(name))
        quiet = [self.commands[name] for name in BOTTOM_BUTTONS]
        self._row = row = lay(QHBoxLayout(), [*quiet, STRETCH])
        corner = lay(QHBoxLayout(), [self.commands[name] for name in CORNER_BUTTONS], spacing=4)
        head = lay(QHBoxLayout(), [(self._greeting, 1), self.back_button, corner], spacing=12)
        self._column = lay(QVBoxLayout(self), [head, self.row, (self.list, 1), (scroll, 1), row])
        self._games_watch = GamesWatch(folders.games(), self)
        self._games_watch.games_changed.connect(self._on_games_changed)
        self.refresh_appearance()
        self.show_boxes()

    @property
    def boxes(self) -> tuple[GameBox, ...]:
        """The boxes of all games, in shelf order."""
        return tuple(self.board.boxes)

    @property
    def cards(self) -> list[UnfinishedCard | RejoinCard]:
        """The visible cards of unfinished matches and shared tables, the most recent first."""
        return self.list.cards or ([self.row.card] if self.row.card else [])

    def show_unfinished(
        self, waiting: Sequence[SavedMatch], returns: Sequence[RejoinableTable] = ()
    ) -> None:
        """Show unfinished matches and rejoinable tables, the last played first."""
        self._unfinished = tuple(sorted((*returns, *waiting), key=_last_played, reverse=True))
        first = self._make_card(self._unfinished[0]) if self._unfinished else None
        self.row.show_card(first, len(self._unfinished))
        if self.list.cards:
            self.show_list()
        else:
            self.show_boxes()

    def show_list(self) -> None:
        """Show the list of all unfinished matches in place of the boxes."""
        self.list.show_cards([self._make_card(each) for each in self._unfinished])
        self._update_view()
        if self.list.cards:
            self.list.cards[0].main_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_boxes(self) -> None:
        """Show the boxes, with the most recent unfinished match above them."""
        back = bool(self.list.cards)
        self.list.show_cards(())
        self._update_view()
        if back:
            self.take_focus()

    def take_focus(self) -> None:
        """Focus the game played last, or the recommended game if no game has been played."""
        standing = {box.game.id: box for box in self.boxes}
        played = [game for game in self.context.settings.tables if game in standing]
        recommended = [game for game, box in standing.items() if box.game.box.start_here]
        candidates = (*reversed(played), *recommended, *standing)
        first = standing[candidates[0]] if candidates else self
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def _update_view(self) -> None:
        listed = bool(self.list.cards)
        self.row.setVisible(self.row.card is not None and not listed)
        self._boxes.setVisible(not listed)
        self.list.setVisible(listed)
        self.back_button.setVisible(listed)
        self._update_greeting()
        self._set_tab_order()

    def _set_tab_order(self) -> None:
        """Set the tab order to the boxes, the unfinished match and the commands."""
        order = (*self.board.tab_stops, *self.row.buttons, *self.commands.values())
        for one, other in pairwise(order):
            QWidget.setTabOrder(one, other)

    def _make_card(self, each: SavedMatch | RejoinableTable) -> UnfinishedCard | RejoinCard:
        first = each is self._unfinished[0]
        if not isinstance(each, SavedMatch):
            again = RejoinCard(self.context, each, first)
            again.rejoin_requested.connect(self.rejoin_requested)
            again.forget_requested.connect(self.forget_requested)
            return again
        match = describe_match(self.context, each)
        card = UnfinishedCard(self.context, self.thumbnails, match, first)
        card.continue_requested.connect(self.continue_requested)
        card.trash_requested.connect(self.trash_requested)
        card.rename_requested.connect(self.rename_requested)
        return card

    def _update_greeting(self) -> None:
        words = self.context.words
        listed = bool(self.list.cards)
        self._greeting.setText(
            words("Matches to continue") if listed else words("What shall we play today?")
        )
        name_widget(self, self._greeting.text())
        self.back_button.setText(words("Back to the boxes"))

    def _remove(self, game: CatalogueEntry) -> None:
        from ui.received.removal import confirm_and_remove_game

        name = game_title(game, self.context.words.language)
        if confirm_and_remove_game(self.context, self.window(), Path(str(game.folder)), name):
            self.board.sync_games()
            self.take_focus()

    def _on_games_changed(self) -> None:
        catalogue.find_added_games()
        if self.isVisible():
            self.board.sync_games()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.board.sync_games()
        QTimer.singleShot(STATISTICS_DELAY_MS, self, self._show_counts)
        QTimer.singleShot(SAVE_PICTURES_DELAY_MS, self, self._save_pictures)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.list.show_cards(())
        self._update_view()

    def _show_counts(self) -> None:
        """Read the play statistics if the shelf is visible; they are shown afterwards."""
        if not self.isVisible():
            return
        self.context.shelf_statistics.read(self.context.settings.players)

    def _update_counts(self) -> None:
        self._show_counts_on(self.boxes)

    def _show_counts_on(self, boxes: Sequence[GameBox]) -> None:
        if self.context.shelf_statistics.is_loaded:
            for box in boxes:
                box.show_statistics(self.context.shelf_statistics.by_game.get(box.game.id))

    def _save_pictures(self) -> None:
        self.context.art.save_shelf_pictures()

    def refresh_appearance(self) -> None:
        super().refresh_appearance()
        words = self.context.words
        self._update_greeting()
        for name, each in self.commands.items():
            text = words((BOTTOM_BUTTONS | CORNER_BUTTONS)[name])
            each.setIcon(self.context.icon(ICON_NAMES.get(name, name), self.context.theme.accent_2))
            if name in BOTTOM_BUTTONS:
                each.setText(text)
            else:
                set_scaled_style(each, ICON_BUTTON_STYLE)
                each.setToolTip(text)
                name_widget(each, text)
        self.row.refresh_appearance()
        for card in self.list.cards:
            card.refresh_appearance()
        self.board.refresh_appearance()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_to_size(self.size())

    def fit_to_size(self, size: QSize) -> None:
        """Adapt the font size, margins and spacing to `size`."""
        low = size.height() < 720
        side = max(24, min(72, size.width() // 22))
        self._column.setContentsMargins(side, 10 if low else 28, side, 10 if low else 28)
        self._column.setSpacing(8 if low else 20)
        tight = size.width() < TIGHT_BELOW_PX
        self._row.setSpacing(6 if tight else 12)
        for name in BOTTOM_BUTTONS:
            self.commands[name].setStyleSheet(TIGHT_BUTTON_STYLE if tight else "")
        set_style_kind(self._greeting, "heading" if low else "title")


def _last_played(each: SavedMatch | RejoinableTable) -> datetime:
    """Return when the match or table was last played. A time in the future counts as long ago."""
    when = each.changed if isinstance(each, SavedMatch) else each.visited
    return when if when <= datetime.now(UTC) + timedelta(days=1) else LONG_AGO

"""The unfinished matches on the shelf and in the *Continue* menu."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu

from tabletop.files import folders
from tabletop.files.errors import BadFile, StorageError
from tabletop.storage.damaged_matches import can_repair, repair_match
from tabletop.storage.saved_matches import SavedMatch
from tabletop.text.phrases import phrase
from ui.shelf import stored_matches
from ui.shelf.match_file_actions import ask_match_name, move_to_trash
from ui.shelf.shelf_screen import ShelfScreen
from ui.shell.app_context import AppContext
from ui.shell.navigator import Navigator
from ui.style.rich_text import escape_mnemonics, menu_text

if TYPE_CHECKING:
    from tabletop.home.known_hosts import RejoinableTable

log = logging.getLogger("tabletop")

MAX_MENU_MATCHES = 10
CONTINUE_DAMAGED = phrase("Continue from the last readable move")


class UnfinishedMatches(QObject):
    """Updates the shelf and the menu with unfinished matches and rejoinable tables."""

    continue_requested = Signal(Path)
    """A request to continue the match saved in a file."""
    list_requested = Signal()
    """A request to show the list of all unfinished matches."""

    def __init__(
        self,
        context: AppContext,
        navigator: Navigator,
        shelf: ShelfScreen,
        menu: QMenu,
        returns: Callable[[], tuple[RejoinableTable, ...]],
    ) -> None:
        """`returns` lists the rejoinable tables.

        It is called only if there may be any, because it loads the network code.
        """
        super().__init__(navigator.window())
        self.context = context
        self._navigator = navigator
        self._shelf = shelf
        self._menu = menu
        self._returns = returns
        self._matches: tuple[SavedMatch, ...] = ()
        self.unreadable: tuple[BadFile, ...] = ()
        """The errors of the matches that can't be read."""
        self._logged: set[str] = set()
        menu.aboutToShow.connect(self._fill_menu)
        shelf.trash_requested.connect(self._move_to_trash)
        shelf.rename_requested.connect(self._ask_for_name)

    def refresh(self) -> None:
        """Reload the unfinished matches from disk, then update the shelf and the menu."""
        self._matches, self.unreadable = stored_matches.list_unfinished(self.context)
        for broken in self.unreadable:
            if str(broken) not in self._logged:  # log each error only once
                self._logged.add(str(broken))
                log.warning("%s", broken)
        self._shelf.show_unfinished(self._matches, self._returns() if _has_known_hosts() else ())
        self._menu.setEnabled(bool(self._matches or self.unreadable))

    @property
    def is_awaiting_hosts(self) -> bool:
        """Whether the user wants to be notified when the host of a shared table is back."""
        return _has_known_hosts() and any(back.awaited for back in self._returns())

    def _fill_menu(self) -> None:
        """Fill the opened menu with the newest matches. The shelf lists all of them."""
        menu, words = self._menu, self.context.words
        menu.clear()
        for saved in self._matches[:MAX_MENU_MATCHES]:
            each = stored_matches.describe_match(self.context, saved)
            facts = (each.label(words), each.heading, each.players)
            action = menu.addAction(menu_text(words.join_facts(facts), words))
            action.triggered.connect(
                lambda _=False, file=each.file: self.continue_requested.emit(file)
            )
        if len(self._matches) > MAX_MENU_MATCHES:
            menu.addAction(words("All…")).triggered.connect(lambda: self.list_requested.emit())
            menu.addSeparator()
        for broken in self.unreadable[:MAX_MENU_MATCHES]:
            action = menu.addAction(escape_mnemonics(words.reason(broken.reason)))
            action.setEnabled(can_repair(broken))
            if action.isEnabled():
                action.setText(words.sentences((action.text(), words(CONTINUE_DAMAGED))))
                action.triggered.connect(lambda _=False, broken=broken: self._repair(broken))

    def show_unreadable(self) -> None:
        """Show why a match can't be read, with a button that repairs it if possible."""
        words, broken = self.context.words, self.unreadable[0]
        message = words.reason(broken.reason)
        if can_repair(broken):
            self._navigator.show_message(
                message, "warning", words(CONTINUE_DAMAGED), lambda: self._repair(broken)
            )
        else:
            self._navigator.show_message(message)

    def _repair(self, broken: BadFile) -> None:
        """Continue a copy of a damaged match after its last readable move."""
        assert broken.path is not None
        words = self.context.words
        try:
            copy, aside = repair_match(broken.path)
        except (BadFile, StorageError) as error:
            self.context.show_error(error.reason)
            return
        self.refresh()
        if copy.parent == broken.path.parent:
            file_name = aside.name
            message = words(
                "The match continues in a copy. The damaged file is kept as “{file}”.",
                file=file_name,
            )
            self.continue_requested.emit(copy)
        else:
            message = words("That match had ended. You'll find it in Replays.")
        self._navigator.show_message(message, "info")

    def _ask_for_name(self, file: Path) -> None:
        """Ask for the match's name and save it."""
        current = next((each.name for each in self._matches if each.path == file), "")
        if ask_match_name(self.context, self._navigator.window(), file, current):
            self.refresh()

    def _move_to_trash(self, file: Path) -> None:
        """Move the match to the trash, and offer to undo that."""
        message, navigator = self.context.words("Match moved to the trash."), self._navigator

        def show(_: Sequence[Path]) -> None:
            navigator.show_shelf()

        move_to_trash(self.context, navigator, (file,), message, None, show, show)


def _has_known_hosts() -> bool:
    """Return whether any shared tables are stored, without loading the network code."""
    try:
        return folders.known_hosts().is_file()
    except OSError:
        return False  # the shelf shows that the data folder can't be read

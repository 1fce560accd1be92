"""The window's part about matches that wait: on the shelf and in the menu."""

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
from ui.shelf.match_file_actions import ask_name, put_away
from ui.shelf.shelf_screen import ShelfScreen
from ui.shell.app_context import AppContext
from ui.shell.navigator import Navigator
from ui.style.rich_text import entry, literal

if TYPE_CHECKING:
    from tabletop.home.known_hosts import RejoinableTable

log = logging.getLogger("tabletop")

NEWEST = 10
"""The matches listed in the menu."""
GO_ON = phrase("Continue from the last readable move")


class UnfinishedMatches(QObject):
    """Unfinished matches: those of this computer, and seats at shared tables."""

    wanted = Signal(Path)
    """A match was chosen in the menu."""
    all_wanted = Signal()
    """Request for the list of all that waits."""

    def __init__(
        self,
        context: AppContext,
        navigator: Navigator,
        shelf: ShelfScreen,
        menu: QMenu,
        returns: Callable[[], tuple[RejoinableTable, ...]],
    ) -> None:
        """`returns` lists the shared tables that somebody here can return to; it is called where
        there may be any."""
        super().__init__(navigator.window())
        self.context = context
        self._navigator = navigator
        self._shelf = shelf
        self._menu = menu
        self._returns = returns
        self._matches: tuple[SavedMatch, ...] = ()
        self.unreadable: tuple[BadFile, ...] = ()
        """The errors of the matches that cannot be read."""
        self._logged: set[str] = set()
        menu.aboutToShow.connect(self._fill_menu)
        shelf.unwanted.connect(self._put_away)
        shelf.named.connect(self._ask_for_name)

    def lay_out(self) -> None:
        """Show them on the shelf and in the menu, as they are on the disk now."""
        self._matches, self.unreadable = stored_matches.list_unfinished(self.context)
        for broken in self.unreadable:
            if str(broken) not in self._logged:  # reported once, however often the shelf is shown
                self._logged.add(str(broken))
                log.warning("%s", broken)
        self._shelf.show_waiting(self._matches, self._returns() if _any_hosts() else ())
        self._menu.setEnabled(bool(self._matches or self.unreadable))

    @property
    def awaits_hosts(self) -> bool:
        """Whether somebody wants to be told when the host of a shared table is there again."""
        return _any_hosts() and any(back.awaited for back in self._returns())

    def _fill_menu(self) -> None:
        """List the newest in the menu, when it is opened; the shelf has all."""
        menu, words = self._menu, self.context.words
        menu.clear()
        for saved in self._matches[:NEWEST]:
            each = stored_matches.describe_match(self.context, saved)
            facts = (each.called(words), each.heading, each.players)
            action = menu.addAction(entry(words.join_facts(facts), words))
            action.triggered.connect(lambda _=False, file=each.file: self.wanted.emit(file))
        if len(self._matches) > NEWEST:
            menu.addAction(words("All…")).triggered.connect(lambda: self.all_wanted.emit())
            menu.addSeparator()
        for broken in self.unreadable[:NEWEST]:
            action = menu.addAction(literal(words.reason(broken.reason)))
            action.setEnabled(can_repair(broken))
            if action.isEnabled():
                action.setText(words.sentences((action.text(), words(GO_ON))))
                action.triggered.connect(lambda _=False, broken=broken: self._go_on(broken))

    def tell_unreadable(self) -> None:
        """Say what is wrong with the first of the matches that cannot be read; a press goes on
        with it, where that may be."""
        words, broken = self.context.words, self.unreadable[0]
        message = words.reason(broken.reason)
        if can_repair(broken):
            self._navigator.tell(message, "warning", words(GO_ON), lambda: self._go_on(broken))
        else:
            self._navigator.tell(message)

    def _go_on(self, broken: BadFile) -> None:
        """Go on with a damaged match from its last good move, in a copy."""
        assert broken.path is not None
        words = self.context.words
        try:
            copy, aside = repair_match(broken.path)
        except (BadFile, StorageError) as error:
            self.context.tell(error.reason)
            return
        self.lay_out()
        if copy.parent == broken.path.parent:
            kept = aside.name
            message = words(
                "The match continues in a copy. The damaged file is kept as “{file}”.", file=kept
            )
            self.wanted.emit(copy)
        else:
            message = words("That match had ended. You'll find it in Replays.")
        self._navigator.tell(message, "info")

    def _ask_for_name(self, file: Path) -> None:
        """Ask what an unfinished match is to be called."""
        now = next((each.name for each in self._matches if each.path == file), "")
        if ask_name(self.context, self._navigator.window(), file, now):
            self.lay_out()

    def _put_away(self, file: Path) -> None:
        """Throw an unfinished match away; a press on the banner brings it back."""
        message, navigator = self.context.words("Match moved to the trash."), self._navigator

        def show(_: Sequence[Path]) -> None:
            navigator.show_shelf()

        put_away(self.context, navigator, (file,), message, None, show, show)


def _any_hosts() -> bool:
    """Whether a shared table is remembered; where none is, nothing of the network is loaded."""
    try:
        return folders.known_hosts().is_file()
    except OSError:
        return False  # the shelf reports a home that cannot be read

"""The window's part about matches that wait: on the shelf and in the menu."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from tabletop.storage import folders
from tabletop.storage.trouble import BadFile
from ui.records import ask_name, put_away
from ui.screens import saves
from ui.screens.continued import Waiting

if TYPE_CHECKING:
    from tabletop.net.keyring import Return
    from ui.app import Window


class WaitingMatches(QObject):
    """What somebody here can go on with: matches of this computer, and seats at shared tables."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self.room = window.room
        self._found: tuple[Waiting, ...] = ()
        self.unreadable: tuple[BadFile, ...] = ()
        """What is wrong with the matches that cannot be read."""
        shelf = window.shelf
        shelf.unwanted.connect(self._put_away)
        shelf.named.connect(self._name)
        shelf.forgotten.connect(self._forget_return)

    def lay_out(self) -> None:
        """Show them on the shelf and in the menu, as they lie on the disk now."""
        self._found, self.unreadable = saves.waiting(self.room)
        self._window.shelf.show_waiting(self._found, self._returns())
        self._fill_menu()

    def draw_late(self) -> bool:
        """Draw the tables that a crash left without their picture; whether there were any."""
        drawn = saves.draw_late(self.room, self._found)
        if drawn:
            self.lay_out()
        return drawn

    def _fill_menu(self) -> None:
        menu = self._window.menus.submenus["continue"]
        menu.clear()
        for each in self._found:
            action = menu.addAction(f"{each.called} · {each.heading} · {each.players}")
            action.triggered.connect(lambda _=False, file=each.file: self._go_on(file))
        menu.setEnabled(bool(self._found))

    def _go_on(self, file: Path) -> None:
        self._window.continue_match(file)

    def _name(self, file: Path) -> None:
        """Ask what an unfinished match is to be called."""
        now = next((each.name for each in self._found if each.file == file), "")
        if ask_name(self._window, file, now):
            self.lay_out()

    def _put_away(self, file: Path) -> None:
        """Throw an unfinished match away; a press on the banner brings it back."""
        words = self.room.words
        put_away(
            self._window, file, words("The match was put away."), None, self._window.show_shelf
        )

    def _returns(self) -> tuple[Return, ...]:
        """The shared tables that somebody here can return to."""
        if not folders.keyring().is_file():
            return ()  # and nothing of the network needs to be loaded
        return self._window.outing.returns

    def _forget_return(self, table: str) -> None:
        self._window.outing.forget(table)
        self.lay_out()

"""The interface of the main window for other parts of the program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from PySide6.QtWidgets import QWidget

from tabletop.catalogue.catalogue import GameKit


class Navigator(Protocol):
    """Switches screens and shows messages. The main window implements it."""

    def window(self) -> QWidget:
        """Return the main window, the parent of dialogs and sessions."""
        ...

    @property
    def stack(self) -> QWidget:
        """The parent widget for new screens, which lets their style be computed only once."""
        ...

    def show_shelf(self) -> None:
        """Leave the current screen and show the shelf."""

    def refresh_shelf(self) -> None:
        """Update the unfinished matches and rejoinable tables on the shelf."""

    def show_screen(self, page: QWidget) -> None:
        """Show `page` in place of the current screen, which is deleted."""

    def show_overlay(self, page: QWidget) -> None:
        """Show `page` above the current screen, which keeps running and reappears afterwards."""

    def try_leave_table(self) -> bool:
        """Leave a shared table if the user agrees, and return whether no table is visited now."""
        ...

    def apply_table_colours(self, kit: GameKit | None) -> None:
        """Apply the table colours of `kit` to the window; None applies the program's own."""

    def show_title(self, game: str, state: str) -> None:
        """Show the game and its state between the menus, and the game in the title bar."""

    def set_commands_enabled(self, allowed: Mapping[str, bool]) -> None:
        """Enable and disable menu commands by name."""

    def show_message(
        self,
        text: str,
        icon: str = "warning",
        button_text: str = "",
        on_click: Callable[[], None] | None = None,
        code: str = "",
    ) -> None:
        """Show `text` in the banner above the screen.

        `icon`: the icon's name. `button_text`, `on_click`: the text and the callback of a button.
        `code`: the code of the displayed Reason, which decides whether the message replaces another
        one.
        """

"""Requests of a part of the program to its window."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from PySide6.QtWidgets import QWidget

from tabletop.catalogue.catalogue import GameKit


class Navigator(Protocol):
    """Leads from screen to screen. The window is one; no part knows more of it than this."""

    def window(self) -> QWidget:
        """The parent of dialogs, and the owner of the parts."""
        ...

    @property
    def stack(self) -> QWidget:
        """The parent of screens: the style of what is made in it is worked out once."""
        ...

    def show_shelf(self) -> None:
        """Go back to the shelf."""

    def renew_shelf(self) -> None:
        """Show on the shelf what waits, as it is on the disk now."""

    def show_page(self, page: QWidget) -> None:
        """Show a screen; the one that was there is taken away for good. A table of the game that is
        to be played next is made ready meanwhile."""

    def show_over(self, page: QWidget) -> None:
        """Show a page over the screen, which goes on below it and comes back when it is left."""

    def may_go(self) -> bool:
        """Whether something else may be shown: a shared table is left only with consent."""
        ...

    def wear(self, kit: GameKit | None) -> None:
        """Take the colours of the table of this game; with None, the program's own."""

    def show_title(self, game: str, state: str) -> None:
        """Show the game and its state between the menus and in the window's title."""

    def allow(self, allowed: Mapping[str, bool]) -> None:
        """Enable and disable commands of the menus by name."""

    def tell(
        self,
        text: str,
        sign: str = "warning",
        act: str = "",
        press: Callable[[], None] | None = None,
        code: str = "",
    ) -> None:
        """Say something above the screen; `act` is the text of a button that does `press`, `code`
        that of the Reason that is said."""

"""A rulebook among other tabs: it is loaded and laid out when it is first wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tabletop.catalogue.catalogue import GameKit
from ui.shell.app_context import AppContext

if TYPE_CHECKING:
    from ui.rulebook.reader import RulebookReader


class RulebookTab(QWidget):
    """The place of one game's rulebook."""

    def __init__(self, context: AppContext, kit: GameKit) -> None:
        super().__init__()
        self._context, self._kit = context, kit
        self._reader: RulebookReader | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    @property
    def reader(self) -> RulebookReader:
        """The rulebook, to be read."""
        if self._reader is None:
            from ui.rulebook.reader import RulebookReader

            self._reader = RulebookReader(self._context, self._kit)
            self._reader.resize(self.size())  # when it is this wide, its contents are beside it
            self._column.addWidget(self._reader)
            self._reader.refresh_appearance()  # scaled like everything on this screen
            self.setFocusProxy(self._reader)
        return self._reader

    def turn_to(self, paragraph: str) -> bool:
        """Open the book at the paragraph of this number, or at the one it is part of."""
        return self.reader.turn_to(paragraph)

    def refresh_appearance(self) -> None:
        """Show every text in the chosen language and theme."""
        if self._reader is not None:
            self._reader.refresh_appearance()

    def showEvent(self, event: QShowEvent) -> None:
        self.reader.show()
        super().showEvent(event)

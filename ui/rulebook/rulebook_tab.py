"""A rulebook in the sidebar. It is loaded when first shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tabletop.catalogue.catalogue import GameKit
from ui.shell.app_context import AppContext

if TYPE_CHECKING:
    from ui.rulebook.reader import RulebookReader


class RulebookTab(QWidget):
    """The sidebar tab with the rulebook of one game."""

    def __init__(self, context: AppContext, kit: GameKit) -> None:
        super().__init__()
        self._context, self._kit = context, kit
        self._reader: RulebookReader | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    @property
    def reader(self) -> RulebookReader:
        """The rulebook reader, created on first use."""
        if self._reader is None:
            from ui.rulebook.reader import RulebookReader

            self._reader = RulebookReader(self._context, self._kit)
            self._reader.resize(self.size())  # the width decides where the contents are
            self._column.addWidget(self._reader)
            self._reader.refresh_appearance()  # apply this screen's text size
            self.setFocusProxy(self._reader)
        return self._reader

    def open_paragraph(self, paragraph: str) -> bool:
        """Scroll to the section with the number `paragraph`, or to one that contains it.

        Return False if there is no such section.
        """
        return self.reader.open_paragraph(paragraph)

    def refresh_appearance(self) -> None:
        """Update all texts for the chosen language and theme."""
        if self._reader is not None:
            self._reader.refresh_appearance()

    def showEvent(self, event: QShowEvent) -> None:
        self.reader.show()
        super().showEvent(event)

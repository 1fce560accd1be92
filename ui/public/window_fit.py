"""How the parts of the public table share its window, which may be upright."""

from typing import NamedTuple

from PySide6.QtWidgets import QWidget

from ui.table.layout.panels_around import reading_height

MAX_BAND_SHARE = 0.28
"""The greatest height of a band below the table, as a share of an upright window's height.

Twelve players' standings fit into it.
"""
MAX_WIDGET_SIZE_PX = 16_777_215
"""The greatest size that Qt allows for a widget, `QWIDGETSIZE_MAX`."""


class WindowFit(NamedTuple):
    """The size of a public table's window in pixels.

    In an upright window, scores, standings and invitations are bands below the table instead of
    columns beside it.
    """

    width: int
    height: int

    @property
    def is_upright(self) -> bool:
        """Whether the window is higher than wide."""
        return self.height > self.width

    @property
    def reading_height(self) -> float:
        """The height that font sizes are a share of, in pixels."""
        return reading_height((self.width, self.height))

    def max_content_height(self, column_share: float) -> float:
        """Return the greatest height of a part's content in pixels.

        `column_share`: the greatest height of a column, as a share of the window's height.
        """
        return self.height * min(column_share, MAX_BAND_SHARE if self.is_upright else 1.0)

    def place_part(self, part: QWidget, size: int) -> None:
        """Make `part` a column `size` pixels wide, or a band `size` pixels high."""
        if self.is_upright:
            part.setMinimumWidth(0)
            part.setMaximumWidth(MAX_WIDGET_SIZE_PX)
            part.setFixedHeight(size)
        else:
            part.setMinimumHeight(0)
            part.setMaximumHeight(MAX_WIDGET_SIZE_PX)
            part.setFixedWidth(size)

"""A compact way to add widgets to box layouts."""

from collections.abc import Iterable
from typing import TypeAlias, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QLayout, QWidget

Box = TypeVar("Box", bound=QBoxLayout)
Part: TypeAlias = (
    QWidget
    | QLayout
    | int
    | tuple[QWidget | QLayout, int]
    | tuple[QWidget, int, Qt.AlignmentFlag]
    | None
)

STRETCH = None
"""A part that takes up the remaining space of a layout."""


def lay(
    box: Box,
    parts: Iterable[Part] = (),
    spacing: int | None = None,
    margins: int | tuple[int, int, int, int] | None = None,
) -> Box:
    """Add `parts` to `box`, and return `box`.

    Args:
        box: the layout to fill.
        parts: widgets and layouts, optionally as a tuple with a stretch factor and an alignment. An
            int adds fixed space in pixels, `STRETCH` a stretch.
        spacing: the space between two parts in pixels; None for the style's default.
        margins: left, top, right and bottom margin in pixels, or one for all; None for the style's
            default.
    """
    if spacing is not None:
        box.setSpacing(spacing)
    if margins is not None:
        box.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    for part in parts:
        match part:
            case None:
                box.addStretch()
            case int():
                box.addSpacing(part)
            case QWidget():
                box.addWidget(part)
            case QLayout():
                box.addLayout(part)
            case (QLayout() as layout, stretch):
                box.addLayout(layout, stretch)
            case _:
                box.addWidget(*part)
    return box

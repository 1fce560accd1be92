"""Rows and columns of widgets."""

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
"""A part that takes the remaining room."""


def lay(
    box: Box,
    parts: Iterable[Part] = (),
    spacing: int | None = None,
    margins: int | tuple[int, int, int, int] | None = None,
) -> Box:
    """Fill a row or a column, and return it. A tuple is a part with its stretch, and maybe its
    alignment; a number leaves this many pixels free. `margins` are left, top, right and bottom, or
    one for all."""
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

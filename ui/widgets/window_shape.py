"""The shape of a window, which decides between layouts."""

from PySide6.QtWidgets import QWidget

MIN_UPRIGHT_ASPECT = 1.3
"""The height of an upright window is more than this number of widths."""


def is_upright(window: QWidget) -> bool:
    """Return whether `window` is so much higher than wide that layouts have more rows."""
    return window.height() > MIN_UPRIGHT_ASPECT * window.width()

"""Shadows of objects on the table."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from ui.style.theme import Theme, is_dark

CONTACT, AMBIENT = (1.0, 1.5, 0.26), (3.0, 5.0, 0.12)
"""The two layers of a card's shadow, each as (vertical offset, spread, opacity); offset and spread
are in device-independent pixels.
"""
DARK_CONTACT, DARK_AMBIENT = (1.0, 1.5, 0.4), (3.0, 5.0, 0.22)
SHADOW_INK = "#2B2A33"
"""Colour of shadows on a light table; they are black on a dark one."""


def shadow_layers(theme: Theme) -> tuple[tuple[float, float, float], ...]:
    """Return the layers of a shadow, each as (vertical offset, spread, opacity), in
    device-independent pixels.

    Empty in the contrast theme.
    """
    if theme.name == "contrast":
        return ()
    return (DARK_AMBIENT, DARK_CONTACT) if is_dark(theme) else (AMBIENT, CONTACT)


def paint_shadow(
    painter: QPainter,
    thing: QRectF,
    corner: float,
    theme: Theme,
    below: float,
    spread: float,
    share: float,
) -> None:
    """Paint one layer of the shadow of `thing`, with the opacity `share`.

    It consists of rounded rectangles of increasing size, which fade out together and are much
    faster than a blur.
    """
    steps = max(3, round(2 * spread))
    tint = QColor("black" if is_dark(theme) else SHADOW_INK)
    tint.setAlphaF(1 - (1 - share) ** (1 / steps))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tint)
    for step in range(steps):
        out = spread * (1 - 2 * step / (steps - 1))
        around = thing.translated(0, below).adjusted(-out, -out, out, out)
        radius = max(1.0, corner + out)
        painter.drawRoundedRect(around, radius, radius)

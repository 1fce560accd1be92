"""A picture of the table as a seat sees it, drawn by the scene itself."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QGraphicsView, QWidget

from tabletop.catalogue.catalogue import GameKit
from tabletop.language.words import Words
from tabletop.match.seat import Seat
from ui.shell.application import create_application
from ui.style.art import Art
from ui.style.png import encode_png
from ui.style.theme import SMOOTH_HINTS
from ui.style.theme import load_theme as theme_named
from ui.table.scene import TableScene
from ui.table.view import TableView

_program: list[QApplication] = []
"""The application made here, where there was none; it must outlive every picture."""


def shot(
    seat: Seat,
    kit: GameKit,
    size: tuple[int, int] = (1280, 800),
    scale: float = 1.0,
    language: str = "en",
    theme: str = "light",
    out: Path | str = "table.png",
    public: bool = False,
) -> None:
    """Draw the table of a seat into a PNG of `size` pixels, `scale` device pixels to each;
    `public` as everybody in the room sees it.

    Raises:
        ValueError: `theme` is none of THEMES.
        OSError: the file cannot be written.
    """
    application()
    colours = theme_named(theme)
    scene = TableScene(kit, Art(colours), Words(language, kit, seat.players), colours)
    scene.stage.is_public = public
    view = TableView(scene)
    view.resize(*size)
    scene.set_size(*size)
    scene.sharpen(scale)
    scene.show_seat(seat)
    draw(view, scale, out)
    scene.clear_seat()
    seat.close()


def application() -> None:
    """Make an application to draw with, without a display, if none runs yet."""
    if QApplication.instance() is None:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        _program.append(create_application())


def draw(view: QWidget, scale: float, out: Path | str) -> None:
    """Draw a view, or a whole window, as it is now into a PNG, `scale` device pixels a pixel.

    Raises:
        OSError: the file cannot be written.
    """
    write(image_of(view, scale), out)


def image_of(view: QWidget, scale: float) -> QImage:
    """A view, or a whole window, as it is now, `scale` device pixels a pixel."""
    size = view.size()
    image = QImage(size * scale, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(scale)
    image.fill(Qt.GlobalColor.white)
    with QPainter(image) as painter:
        painter.setRenderHints(SMOOTH_HINTS)
        if isinstance(view, QGraphicsView):
            view.render(painter, QRect(0, 0, size.width(), size.height()), view.rect())
        else:
            view.render(painter, QPoint())
    return image


def write(image: QImage, out: Path | str) -> None:
    """Write a picture as a PNG.

    Raises:
        OSError: the file cannot be written.
    """
    Path(out).write_bytes(encode_png(image))

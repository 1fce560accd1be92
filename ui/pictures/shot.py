"""Renders pictures of the table as a seat sees it, using the table scene."""

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
"""The application created by `ensure_application`, kept because it must outlive every picture."""


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
    """Render the table of `seat` to a PNG file, and close `seat`.

    Args:
        seat: the viewer's seat.
        kit: the game.
        size: width and height in logical pixels.
        scale: device pixels per logical pixel.
        language: the language code of the texts.
        theme: a name in THEMES.
        out: the path of the PNG file.
        public: whether to show the public table.

    Raises:
        ValueError: `theme` isn't in THEMES.
        OSError: the file can't be written.
    """
    ensure_application()
    colours = theme_named(theme)
    scene = TableScene(kit, Art(colours), Words(language, kit, seat.players), colours)
    scene.stage.is_public = public
    view = TableView(scene)
    view.resize(*size)
    scene.set_size(*size)
    scene.sharpen(scale)
    scene.show_seat(seat)
    render_to_png(view, scale, out)
    scene.clear_seat()
    seat.close()


def ensure_application() -> None:
    """Create an application that needs no display, unless there is an application already."""
    if QApplication.instance() is None:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        _program.append(create_application())


def render_to_png(view: QWidget, scale: float, out: Path | str) -> None:
    """Render `view`, a view or a whole window, to a PNG file.

    Args:
        view: the widget to render.
        scale: device pixels per logical pixel.
        out: the path of the PNG file.

    Raises:
        OSError: the file can't be written.
    """
    write_png(render_to_image(view, scale), out)


def render_to_image(view: QWidget, scale: float) -> QImage:
    """Render `view`, a view or a whole window, with `scale` device pixels per logical pixel."""
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


def write_png(image: QImage, out: Path | str) -> None:
    """Write `image` as a PNG file.

    Raises:
        OSError: the file can't be written.
    """
    Path(out).write_bytes(encode_png(image))

"""Loads the PNG, JPEG and SVG pictures in a game's folder that its cards name."""

from __future__ import annotations

import logging
from base64 import b64encode
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec
from PySide6.QtCore import QByteArray, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QImage, QPainter, QPainterPath
from PySide6.QtSvg import QSvgRenderer

from tabletop.files.regular_file import TooLarge, read_regular
from tabletop.games.data_game import PICTURE_FOLDERS
from ui.style.broken_drawing import UnsafeSvg
from ui.style.clean_svg import sanitize_svg
from ui.style.photograph import UnreadableImage, decode_image
from ui.style.png import encode_png
from ui.style.theme import SMOOTH_HINTS

log = logging.getLogger("tabletop.pictures")

DRAWING = ".svg"
PHOTOGRAPHS = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg"}
"""The image format by file extension."""
KINDS = (*PHOTOGRAPHS, DRAWING)
MAX_BYTES = 16 << 20
PIXELS_PER_UNIT = 2.5
"""Pixels per unit of a card face; a face is 240 units wide."""
CORNER_RADIUS = 10


class CardPictures(msgspec.Struct, frozen=True):
    """The template function `picture`, which returns a picture in `folder` as a data URL."""

    folder: str

    def __call__(self, name: str, width: float, height: float, fill: bool = False) -> str:
        """Return a picture of `width` x `height` face
        units as a data URL, or "" if it can't be shown.

        SVG files and transparent pictures are shown whole, unless `fill` makes them cover the area
        like photographs.
        """
        try:
            return self.data_url(name, width, height, fill) if name else ""
        except (UnreadableImage, OSError) as error:
            _warn_once(self.folder, str(error))
            return ""

    def data_url(self, name: str, width: float, height: float, fill: bool = False) -> str:
        """Return the data URL of a picture.

        Raises:
            UnreadableImage: the picture doesn't exist or can't be drawn.
            OSError: its file can't be read.
        """
        folder = Path(self.folder)
        changed = find_picture(folder, name).stat().st_mtime_ns
        return _data_url(folder, name, changed, width, height, fill)


@lru_cache(1_000)
def _warn_once(folder: str, problem: str) -> None:
    """Log a problem with a picture of `folder`, at most once."""
    log.warning("%s: %s", folder, problem)


def find_picture(folder: Path, name: str) -> Path:
    """Return the path of the picture that a card names.

    Raises:
        UnreadableImage: the file doesn't exist or isn't of an allowed type.
    """
    if not name.lower().endswith(KINDS):
        raise UnreadableImage(f'"{name}" is no picture: it ends with none of {", ".join(KINDS)}')
    home = folder.resolve()
    for place in PICTURE_FOLDERS:
        file = (home / place / name).resolve()
        if file.is_relative_to(home) and file.is_file():
            return file
    raise UnreadableImage(f'there is no picture "{name}" in the folder of the game')


class GamePicture(NamedTuple):
    """A decoded and validated picture from a game's folder."""

    size: QSizeF
    """The size in the picture's own units."""
    draw: Callable[[QPainter, QRectF], None]
    """Function that paints the picture into a rectangle."""
    image: QImage | None = None


def load_game_picture(folder: Path, name: str) -> GamePicture:
    """Return the picture that a game's files call `name`.

    Raises:
        UnreadableImage: the picture doesn't exist or can't be drawn.
        OSError: its file can't be read.
    """
    file = find_picture(folder, name)
    try:
        content = read_regular(file, MAX_BYTES)
        if file.suffix.lower() in PHOTOGRAPHS:
            image = decode_image(content, PHOTOGRAPHS[file.suffix.lower()])
            return GamePicture(
                QSizeF(image.size()), lambda to, place: to.drawImage(place, image), image
            )
        renderer = QSvgRenderer(QByteArray(sanitize_svg(content)))
        if not renderer.isValid():
            raise UnreadableImage("it is no SVG that can be drawn")
        return GamePicture(QSizeF(renderer.defaultSize()), renderer.render)
    except TooLarge as error:
        message = f'"{name}" cannot be drawn: it is larger than {MAX_BYTES >> 20} MiB'
        raise UnreadableImage(message) from error
    except (UnreadableImage, UnsafeSvg) as error:
        raise UnreadableImage(f'"{name}" cannot be drawn: {error}') from error


@lru_cache(maxsize=64)
def _data_url(
    folder: Path, name: str, changed: int, width: float, height: float, fill: bool
) -> str:
    picture = load_game_picture(folder, name)
    size = QSize(round(width * PIXELS_PER_UNIT), round(height * PIXELS_PER_UNIT))
    image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    whole = QRectF(0, 0, size.width(), size.height())
    with QPainter(image) as painter:
        painter.setRenderHints(SMOOTH_HINTS)
        outline = QPainterPath()
        outline.addRoundedRect(
            whole, CORNER_RADIUS * PIXELS_PER_UNIT, CORNER_RADIUS * PIXELS_PER_UNIT
        )
        painter.setClipPath(outline)
        opaque = picture.image is not None and not picture.image.hasAlphaChannel()
        # Opaque photographs cover the area and are cropped; drawings and transparent pictures
        # are shown whole.
        picture.draw(painter, _fit_rect(picture.size, whole, fill or opaque))
    return "data:image/png;base64," + b64encode(encode_png(image)).decode()


def _fit_rect(size: QSizeF, whole: QRectF, fill: bool = False) -> QRectF:
    """Return the largest rectangle with the proportions of `size` inside `whole`, or the smallest
    that covers it if `fill`.
    """
    scale = (max if fill else min)(
        whole.width() / max(size.width(), 1.0), whole.height() / max(size.height(), 1.0)
    )
    place = QRectF(0, 0, size.width() * scale, size.height() * scale)
    place.moveCenter(whole.center())
    return place

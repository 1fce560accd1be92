"""The pictures that cards name: PNG, JPEG and SVG files of a game's folder, made fit for a face."""

from __future__ import annotations

import logging
import re
from base64 import b64encode
from functools import lru_cache
from pathlib import Path

import msgspec
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QImageReader, QImageWriter, QPainter, QPainterPath
from PySide6.QtSvg import QSvgRenderer

from tabletop.games.data_game import PICTURE_PLACES
from ui.style.drawn_elements import draws_too_much
from ui.style.theme import SMOOTH

log = logging.getLogger("tabletop")

KINDS = (".png", ".jpg", ".jpeg", ".svg")
MOST_BYTES = 16 << 20
LARGEST = 8_000
"""Pixels of a side."""
FINE = 2.5
"""Pixels of what is drawn to each unit of a face, which is 240 wide."""
CORNER = 10
_OUTWARDS = re.compile(rb"""href\s*=\s*["'](?!#|data:)|<!ENTITY""", re.IGNORECASE)


class NoPicture(Exception):
    """A file that cannot be on a card: one sentence."""


class CardPictures(msgspec.Struct, frozen=True):
    """The `picture` of a template: gives the data of a picture of this folder."""

    folder: str

    def __call__(self, name: str, width: float, height: float, fill: bool = False) -> str:
        """A picture this large, in units of a face, as an address that an SVG can hold; empty where
        none can be shown. A drawing is shown whole, or with `fill` it covers the place."""
        try:
            file = picture_file(Path(self.folder), name) if name else None
            if file is None:
                return ""
            return _address(file, file.stat().st_mtime_ns, width, height, fill)
        except (NoPicture, OSError) as error:
            log.warning("%s", error)
            return ""


def picture_file(folder: Path, name: str) -> Path:
    """The file of a game's folder that a card names.

    Raises:
        NoPicture: there is none, or it is none that can be on a card.
    """
    if not name.lower().endswith(KINDS):
        raise NoPicture(f'"{name}" is no picture: it ends with none of {", ".join(KINDS)}')
    home = folder.resolve()
    for place in PICTURE_PLACES:
        file = (home / place / name).resolve()
        if file.is_relative_to(home) and file.is_file():
            if file.stat().st_size > MOST_BYTES:
                raise NoPicture(f'"{name}" is larger than {MOST_BYTES >> 20} MiB')
            return file
    raise NoPicture(f'there is no picture "{name}" in the folder of the game')


@lru_cache(maxsize=64)
def _address(file: Path, changed: int, width: float, height: float, fill: bool) -> str:
    size = QSize(round(width * FINE), round(height * FINE))
    image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    whole = QRectF(0, 0, size.width(), size.height())
    with QPainter(image) as painter:
        painter.setRenderHints(SMOOTH)
        outline = QPainterPath()
        outline.addRoundedRect(whole, CORNER * FINE, CORNER * FINE)
        painter.setClipPath(outline)
        if file.suffix.lower() == ".svg":
            _draw_svg(painter, file, whole, fill)
        else:
            _draw_image(painter, file, whole)
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return "data:image/png;base64," + b64encode(content.data()).decode()


def _draw_svg(painter: QPainter, file: Path, whole: QRectF, fill: bool) -> None:
    """A drawing, as large as it fits. It may show nothing but what is in it."""
    content = file.read_bytes()
    if _OUTWARDS.search(content):
        raise NoPicture(f'"{file.name}" names other files: a picture holds all that it shows')
    if draws_too_much(content):
        raise NoPicture(f'"{file.name}" draws more than any picture needs')
    renderer = QSvgRenderer(QByteArray(content))
    if not renderer.isValid():
        raise NoPicture(f'"{file.name}" is no SVG that can be drawn')
    renderer.render(painter, _within(renderer.defaultSize(), whole, fill))


def _draw_image(painter: QPainter, file: Path, whole: QRectF) -> None:
    """A photograph over the whole place, cut where it is too wide or high; what is transparent in
    places, as large as it fits."""
    reader = QImageReader(str(file))
    reader.setAutoTransform(True)
    size = reader.size()
    if not size.isValid() or max(size.width(), size.height()) > LARGEST:
        raise NoPicture(f'"{file.name}" is no picture of at most {LARGEST} x {LARGEST} pixels')
    image = reader.read()
    if image.isNull():
        raise NoPicture(f'"{file.name}" cannot be read: {reader.errorString()}')
    if image.hasAlphaChannel():
        painter.drawImage(_within(image.size(), whole), image)
        return
    scale = max(whole.width() / image.width(), whole.height() / image.height())
    cut = QRectF(0, 0, whole.width() / scale, whole.height() / scale)
    cut.moveCenter(QRectF(image.rect()).center())
    painter.drawImage(whole, image, cut)


def _within(size: QSize, whole: QRectF, fill: bool = False) -> QRectF:
    """The largest rectangle of this shape in the middle of another; with `fill` the smallest one
    that covers it."""
    scale = (max if fill else min)(
        whole.width() / max(size.width(), 1), whole.height() / max(size.height(), 1)
    )
    place = QRectF(0, 0, size.width() * scale, size.height() * scale)
    place.moveCenter(whole.center())
    return place

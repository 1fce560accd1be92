"""Decodes untrusted photographs, using only the declared format instead of one that Qt detects."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QByteArray, QSize
from PySide6.QtGui import QImage, QImageReader

from tabletop.games.data_game import MAX_PIXELS, MAX_SIDE_PX

SIGNATURES = {"png": b"\x89PNG\r\n\x1a\n", "jpeg": b"\xff\xd8\xff", "webp": b"RIFF"}
"""The first bytes of each format."""


class UnreadableImage(Exception):
    """An image that can't be drawn, with the reason."""


def read_image_size(content: bytes, kind: str) -> QSize:
    """Return the size that the header of a photograph states, in pixels.

    Raises:
        UnreadableImage: `content` isn't of the format `kind`, or is too large.
    """
    return _open_reader(content, kind)[0].size()


def decode_image(content: bytes, kind: str) -> QImage:
    """Return the photograph, rotated upright.

    Raises:
        UnreadableImage: `content` isn't of the format `kind`, is too large, or is damaged.
    """
    reader, _ = _open_reader(content, kind)
    image = reader.read()
    if image.isNull():
        raise UnreadableImage(f"it cannot be read: {reader.errorString()}")
    return image


def _open_reader(content: bytes, kind: str) -> tuple[QImageReader, QBuffer]:
    """Return a reader for the format `kind` alone,
    and its buffer, which must outlive the reader.
    """
    if not content.startswith(SIGNATURES[kind]):
        raise UnreadableImage(f"it is no {kind.upper()}")
    buffer = QBuffer()
    buffer.setData(QByteArray(content))
    buffer.open(QBuffer.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(kind.encode()))
    reader.setAutoDetectImageFormat(False)
    reader.setAutoTransform(True)
    size = reader.size()
    if not size.isValid():
        raise UnreadableImage(f"it is no {kind.upper()}")
    sides = max(size.width(), size.height())
    if sides > MAX_SIDE_PX or size.width() * size.height() > MAX_PIXELS:
        raise UnreadableImage(
            f"it has {size.width()} x {size.height()} pixels, more than any screen"
        )
    return reader, buffer

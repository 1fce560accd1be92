"""Photographs of strangers: bytes decoded as the one kind that they are said to be, never as
another that Qt would guess."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QByteArray, QSize
from PySide6.QtGui import QImage, QImageReader

from tabletop.games.data_game import LONGEST_SIDE, MOST_PIXELS

SIGNATURES = {"png": b"\x89PNG\r\n\x1a\n", "jpeg": b"\xff\xd8\xff", "webp": b"RIFF"}
"""The first bytes of each kind."""


class UnreadableImage(Exception):
    """A file that cannot be drawn: one sentence."""


def read_image_size(content: bytes, kind: str) -> QSize:
    """The size that the head of a photograph names, in pixels.

    Raises:
        UnreadableImage: it is none of this kind, or is too large.
    """
    return _open_reader(content, kind)[0].size()


def decode_image(content: bytes, kind: str) -> QImage:
    """The photograph, the right way up. Raises as `read_image_size`."""
    reader, _ = _open_reader(content, kind)
    image = reader.read()
    if image.isNull():
        raise UnreadableImage(f"it cannot be read: {reader.errorString()}")
    return image


def _open_reader(content: bytes, kind: str) -> tuple[QImageReader, QBuffer]:
    """A reader that decodes this kind alone, and what it reads, which must outlive it."""
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
    if sides > LONGEST_SIDE or size.width() * size.height() > MOST_PIXELS:
        raise UnreadableImage(
            f"it has {size.width()} x {size.height()} pixels, more than any screen"
        )
    return reader, buffer

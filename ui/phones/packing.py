"""Encodes pictures for a browser as WebP or PNG."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QImage

WHOLE_PICTURE_QUALITY = 75
"""The WebP quality of a whole picture, from 0 to 100."""
CELLS_QUALITY = 80
"""The WebP quality of changed cells. It is higher because they lose detail at their edges.

Text 10 pixels high stays clean at this quality.
"""
MAX_BYTES_PER_PIXEL = 0.147
"""The greatest size of a whole picture. Larger ones are encoded again at DENSE_PICTURE_QUALITY."""
DENSE_PICTURE_QUALITY = 60
"""The WebP quality of dense pictures, such as a table for twelve, from 0 to 100.

The difference isn't visible even at three times the size.
"""


def encode_image(image: QImage, quality: int = WHOLE_PICTURE_QUALITY) -> tuple[bytes, str]:
    """Return the content of an image file with `image`, and its media type.

    Any thread may call this function. Other threads continue to run meanwhile.

    Raises:
        OSError: this installation of Qt supports neither WebP nor PNG.
    """
    if content := _encode_as(image, "webp", quality):
        is_dense = len(content) > MAX_BYTES_PER_PIXEL * image.width() * image.height()
        if is_dense and quality == WHOLE_PICTURE_QUALITY:
            content = _encode_as(image, "webp", DENSE_PICTURE_QUALITY)
        return content, "image/webp"
    if content := _encode_as(image, "png", -1):
        return content, "image/png"
    raise OSError("Qt can write no picture")


def _encode_as(image: QImage, form: str, fineness: int) -> bytes:
    """Return the content of an image file, or empty bytes if Qt can't write the format `form`."""
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    written = image.save(buffer, form, fineness)  # type: ignore[call-overload]
    return bytes(content.data()) if written else b""

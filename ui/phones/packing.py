"""Encodes pictures for a browser."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QImage

WHOLE_PICTURE_QUALITY = 75
"""The WebP quality of a whole picture, from 0 to 100."""
CELLS_QUALITY = 80
"""The WebP quality of changed cells: higher, as they are small and lose detail at their edges.

Text 10 pixels high stays clean at this quality.
"""
MAX_BYTES_PER_PIXEL = 0.147
"""The size from which a whole picture is encoded again at DENSE_PICTURE_QUALITY."""
DENSE_PICTURE_QUALITY = 60
"""The WebP quality of dense pictures, such as a table for twelve.

Even at three times the size, the difference isn't visible.
"""


def encode_image(image: QImage, quality: int = WHOLE_PICTURE_QUALITY) -> tuple[bytes, str]:
    """Return `image` as a file, and its media type.

    Any thread may call this function, and others run meanwhile.

    Raises:
        OSError: Qt supports neither WebP nor PNG here.
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
    """Return the file, or nothing if Qt can't write `form`."""
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    written = image.save(buffer, form, fineness)  # type: ignore[call-overload]
    return bytes(content.data()) if written else b""

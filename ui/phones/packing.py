"""Pictures as bytes for a browser."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QImage

WHOLE, PART = 75, 80
"""Quality, of a hundred, of a whole picture and of cells, which are small in any case and lose a
little at their edges: letters of 10 pixels are still clean."""
DENSE, COARSER = 0.147, 60
"""With more bytes than these for each of its pixels, as on a table for twelve, a picture is packed
in this quality: beside the other no eye tells them apart at three times their size."""


def pack(image: QImage, quality: int = WHOLE) -> tuple[bytes, str]:
    """A picture as a file, and its media type; any thread may pack, and others go on meanwhile.

    Raises:
        OSError: Qt can write neither WebP nor PNG here.
    """
    if content := _write(image, "webp", quality):
        if len(content) > DENSE * image.width() * image.height() and quality == WHOLE:
            content = _write(image, "webp", COARSER)
        return content, "image/webp"
    if content := _write(image, "png", -1):
        return content, "image/png"
    raise OSError("Qt can write no picture")


def _write(image: QImage, form: str, fineness: int) -> bytes:
    """The file; empty where Qt cannot write this form."""
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    written = image.save(buffer, form, fineness)  # type: ignore[call-overload]
    return bytes(content.data()) if written else b""

"""Pictures as bytes for a browser."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QImage

WHOLE, PART = 73, 80
"""Quality, of a hundred, of a whole picture and of cells, which are small in any case and lose a
little at their edges: letters of 10 pixels are still clean."""


def pack(image: QImage, quality: int = WHOLE) -> tuple[bytes, str]:
    """A picture as a file, and its media type; any thread may pack, and others go on meanwhile.

    Raises:
        OSError: Qt can write neither WebP nor PNG here.
    """
    for form, fineness in (("webp", quality), ("png", -1)):
        content = QByteArray()
        buffer = QBuffer(content)
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        if image.save(buffer, form, fineness):  # type: ignore[call-overload]
            return bytes(content.data()), f"image/{form}"
    raise OSError("Qt can write no picture")

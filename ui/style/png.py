"""Pictures as files in PNG."""

from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QImage, QImageWriter


def encode_png(image: QImage) -> bytes:
    """A picture in PNG. It isn't Qt that writes it to a disk, as it doesn't say why that fails."""
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return bytes(content.data())

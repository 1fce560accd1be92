"""Encodes images as PNG."""

from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QImage, QImageWriter


def encode_png(image: QImage) -> bytes:
    """Return `image` encoded as PNG. Qt doesn't write the file itself, because it wouldn't report
    why writing fails.
    """
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return bytes(content.data())

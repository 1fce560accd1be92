"""A text document that loads no files."""

from PySide6.QtCore import QByteArray, Qt, QUrl
from PySide6.QtGui import QImage, QTextDocument


class SandboxedDocument(QTextDocument):
    """A document that shows only pictures added to it. Qt would otherwise open any file that the
    text names.
    """

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return QByteArray()
        blank = QImage(1, 1, QImage.Format.Format_ARGB32_Premultiplied)
        blank.fill(Qt.GlobalColor.transparent)
        return blank  # without an image, Qt would load the file

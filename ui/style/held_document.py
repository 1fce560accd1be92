"""A text document that shows only what it holds itself."""

from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextDocument


class HeldDocument(QTextDocument):
    """What it shows besides text must have been added to it: Qt would open any file that it
    names."""

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        return None

"""What the lists of the window have in common."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QListWidget

Index = QModelIndex | QPersistentModelIndex
"""The place of an entry, as Qt hands it to a delegate."""


def wrap_entries(shown: QListWidget) -> None:
    """Have a list break an entry that is too wide for it, instead of cutting it or scrolling."""
    shown.setWordWrap(True)
    shown.setResizeMode(QListWidget.ResizeMode.Adjust)
    shown.setTextElideMode(Qt.TextElideMode.ElideNone)
    shown.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

"""Shared helpers for list widgets."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QListWidget

Index = QModelIndex | QPersistentModelIndex
"""The index of an entry, as Qt passes it to delegates and models."""


def wrap_entries(shown: QListWidget) -> None:
    """Make `shown` wrap entries that are too wide,
    instead of cutting them off or scrolling sideways.
    """
    shown.setWordWrap(True)
    shown.setResizeMode(QListWidget.ResizeMode.Adjust)
    shown.setTextElideMode(Qt.TextElideMode.ElideNone)
    shown.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

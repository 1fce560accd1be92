"""Files dropped onto the window."""

from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent

from ui.app import Window


def drop(window: Window, *dropped: Path | QUrl | str) -> None:
    """Drop files or a text onto the window."""
    data = QMimeData()
    files = [
        each if isinstance(each, QUrl) else QUrl.fromLocalFile(str(each))
        for each in dropped
        if not isinstance(each, str)
    ]
    if files:
        data.setUrls(files)
    else:
        data.setText(str(dropped[0]))
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(QPoint(9, 9), Qt.DropAction.CopyAction, data, buttons, keys)
    window.dragEnterEvent(entering)
    assert entering.isAccepted()
    window.dropEvent(QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, data, buttons, keys))

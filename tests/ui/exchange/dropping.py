"""Files dropped onto the window."""

from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent

from ui.app import Window


def drop(window: Window, dropped: Path | str) -> None:
    """Drop a file or a text onto the window."""
    data = QMimeData()
    if isinstance(dropped, Path):
        data.setUrls([QUrl.fromLocalFile(str(dropped))])
    else:
        data.setText(dropped)
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(QPoint(9, 9), Qt.DropAction.CopyAction, data, buttons, keys)
    window.dragEnterEvent(entering)
    assert entering.isAccepted()
    window.dropEvent(QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, data, buttons, keys))

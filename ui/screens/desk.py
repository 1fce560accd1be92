"""What lies in the middle of the table screen."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from ui.table.view import TableView


class Desk(QWidget):
    """The view, and over it the prompt line and the score sheet; they are no children of the view,
    where Tab goes from card to card."""

    resized = Signal()

    def __init__(self, view: TableView) -> None:
        super().__init__()
        self._view = view
        view.setParent(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._view.setGeometry(self.rect())
        self.resized.emit()

"""Dialogs as sheets of paper over the darkened window, without a title bar."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QStyle, QStyleOption, QVBoxLayout, QWidget
from shiboken6 import isValid

from ui.widgets.styled_widgets import PlainLabel, label

SCRIM_COLOUR = QColor(20, 18, 24, 115)
"""Dark enough that the sheet stands out in all themes: 45 % of the ink."""
SHEET_RADIUS_PX = 14
"""The radius of a sheet's corners, as in the style sheet."""


class Scrim(QWidget):
    """Darkens a window below a dialog."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._is_over_sheet = window.property("kind") == "sheet"
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setGeometry(window.rect())
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        radius = SHEET_RADIUS_PX if self._is_over_sheet else 0
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(SCRIM_COLOUR)
            painter.drawRoundedRect(self.rect(), radius, radius)


class _SheetKeeper(QObject):
    """Shows the scrim while a dialog is visible, and keeps the dialog in the window's middle."""

    def __init__(self, dialog: QDialog, window: QWidget) -> None:
        super().__init__(dialog)
        self._dialog, self._window = dialog, window
        self._scrim: Scrim | None = None
        dialog.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if watched is self._dialog:
            if kind is QEvent.Type.Show:
                self._darken_window()
            elif kind is QEvent.Type.Hide:
                self._light_window()
            elif kind is QEvent.Type.Paint:
                _draw_paper(self._dialog)
            elif kind is QEvent.Type.MouseButtonPress:
                self._start_move(event)
        elif kind in (QEvent.Type.Move, QEvent.Type.Resize):
            self._follow_window()
        return False

    def _darken_window(self) -> None:
        if self._scrim is None and isValid(self._window):
            self._scrim = Scrim(self._window)
            self._window.installEventFilter(self)

    def _light_window(self) -> None:
        scrim, self._scrim = self._scrim, None
        if scrim is not None and isValid(scrim) and isValid(self._window):
            self._window.removeEventFilter(self)
            scrim.hide()
            scrim.deleteLater()

    def _follow_window(self) -> None:
        if self._scrim is not None:
            self._scrim.setGeometry(self._window.rect())
        frame = self._dialog.frameGeometry()
        frame.moveCenter(self._window.frameGeometry().center())
        self._dialog.move(frame.topLeft())

    def _start_move(self, event: QEvent) -> None:
        """Allow the user to drag the sheet by its paper, to see the table below."""
        handle = self._dialog.windowHandle()
        is_left = isinstance(event, QMouseEvent) and event.button() is Qt.MouseButton.LeftButton
        if is_left and handle is not None:
            handle.startSystemMove()


def make_sheet(dialog: QDialog, with_title: bool = False) -> None:
    """Make `dialog` a sheet over its parent's window, before it is shown.

    `with_title`: whether to add the window's title, which is invisible otherwise, as a heading.
    """
    parent = dialog.parentWidget()
    assert parent is not None, "a sheet belongs to a window"
    dialog.setWindowFlag(Qt.WindowType.FramelessWindowHint)
    dialog.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
    dialog.setProperty("kind", "sheet")
    if with_title:
        _add_heading(dialog)
    _SheetKeeper(dialog, parent.window())


def _draw_paper(dialog: QDialog) -> None:
    """Draw the background of the style sheet, which Qt doesn't do for a translucent window."""
    option = QStyleOption()
    option.initFrom(dialog)
    with QPainter(dialog) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        dialog.style().drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, dialog)


def _add_heading(dialog: QDialog) -> None:
    column = dialog.layout()
    assert isinstance(column, QVBoxLayout)
    heading: PlainLabel = label("heading", wrap=True, text=dialog.windowTitle())
    column.insertWidget(0, heading)


@contextmanager
def darkened(widget: QWidget) -> Iterator[None]:
    """Darken the window of `widget` for as long as the context is open."""
    scrim = Scrim(widget.window())
    try:
        yield
    finally:
        if isValid(scrim):
            scrim.hide()
            scrim.deleteLater()

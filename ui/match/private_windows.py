"""Hides one player's private windows from the next player (see `WindowPrivacy`)."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from ui.shell.window_privacy import WindowPrivacy, privacy_of

FRAMED_WINDOW_TYPES = (
    Qt.WindowType.Window,
    Qt.WindowType.Dialog,
    Qt.WindowType.Sheet,
    Qt.WindowType.Tool,
)
"""Types of windows with a frame, unlike menus and tooltips."""


class PrivateWindows:
    """Hides and restores players' private windows over one table."""

    def __init__(self, curtain: QWidget) -> None:
        self._curtain = curtain
        self._drafts: dict[int, list[QWidget]] = {}
        """The hidden draft windows by seat."""

    def hide_windows_of(self, seat: int) -> None:
        """Close all menus and the private windows of `seat`, and hide its drafts."""
        while (menu := QApplication.activePopupWidget()) is not None:
            menu.close()
        for window in self._open_windows():
            match privacy_of(window):
                case WindowPrivacy.DRAFT:
                    window.hide()
                    self._drafts.setdefault(seat, []).append(window)
                case WindowPrivacy.PRIVATE:
                    _close(window)

    def restore_drafts(self, seat: int) -> None:
        """Show the hidden drafts of `seat` again."""
        for window in self._drafts.pop(seat, ()):
            if isinstance(window, QDialog):
                window.open()
            else:
                window.show()

    def close_drafts(self) -> None:
        """Close all hidden drafts."""
        for windows in self._drafts.values():
            for window in windows:
                _close(window)
        self._drafts.clear()

    def _open_windows(self) -> list[QWidget]:
        own = self._curtain.window()
        return [
            each
            for each in QApplication.topLevelWidgets()
            if each.isVisible()
            and each is not own
            and each.windowType() in FRAMED_WINDOW_TYPES
            and (parent := each.parentWidget()) is not None
            and parent.window() is own
        ]


def _close(window: QWidget) -> None:
    if isinstance(window, QDialog):
        window.reject()
    else:
        window.close()

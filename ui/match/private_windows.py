"""The windows over a table that not everybody may see (`WindowPrivacy`)."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from ui.shell.window_privacy import WindowPrivacy, privacy_of

OWN_WINDOWS = (Qt.WindowType.Window, Qt.WindowType.Dialog, Qt.WindowType.Sheet, Qt.WindowType.Tool)
"""The types of windows with a frame; menus and tips have others."""


class PrivateWindows:
    """Puts the private windows over one table away, and brings drafts back."""

    def __init__(self, curtain: QWidget) -> None:
        self._curtain = curtain
        self._drafts: dict[int, list[QWidget]] = {}
        """The drafts of each seat that has looked away."""

    def put_away(self, seat: int) -> None:
        """Close the menus and private windows of `seat`, and hide its drafts for `bring_back`."""
        while (menu := QApplication.activePopupWidget()) is not None:
            menu.close()
        for window in self._open_windows():
            match privacy_of(window):
                case WindowPrivacy.DRAFT:
                    window.hide()
                    self._drafts.setdefault(seat, []).append(window)
                case WindowPrivacy.PRIVATE:
                    _close(window)

    def bring_back(self, seat: int) -> None:
        """Show the drafts of `seat` again."""
        for window in self._drafts.pop(seat, ()):
            if isinstance(window, QDialog):
                window.open()
            else:
                window.show()

    def close(self) -> None:
        """Close all drafts: the table is left."""
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
            and each.windowType() in OWN_WINDOWS
            and (parent := each.parentWidget()) is not None
            and parent.window() is own
        ]


def _close(window: QWidget) -> None:
    if isinstance(window, QDialog):
        window.reject()
    else:
        window.close()

"""The windows over a table that show what one viewer alone may see. They go when that viewer looks
away, and what was being written there comes back with them."""

from PySide6.QtWidgets import QApplication, QDialog, QWidget

DRAFTS = frozenset({"NoteSheet"})
"""The kinds of windows that are kept until their viewer looks again."""
PRIVATE = DRAFTS | {"TableReport", "QMessageBox"}


class PrivateWindows:
    """Puts the private windows over one table away, and brings them back."""

    def __init__(self, curtain: QWidget) -> None:
        self._curtain = curtain
        self._kept: dict[int, list[QDialog]] = {}
        """The drafts of each seat that has looked away."""

    def put_away(self, seat: int) -> None:
        """This seat looks away."""
        while (menu := QApplication.activePopupWidget()) is not None:
            menu.close()
        for window in self._open_windows():
            if type(window).__name__ in DRAFTS:
                window.hide()
                self._kept.setdefault(seat, []).append(window)
            else:
                window.reject()

    def bring_back(self, seat: int) -> None:
        """This seat looks again."""
        for window in self._kept.pop(seat, ()):
            window.open()

    def close(self) -> None:
        """The table goes."""
        for windows in self._kept.values():
            for window in windows:
                window.reject()
        self._kept.clear()

    def _open_windows(self) -> list[QDialog]:
        own = self._curtain.window()
        return [
            each
            for each in QApplication.topLevelWidgets()
            if isinstance(each, QDialog)
            and each.isVisible()
            and type(each).__name__ in PRIVATE
            and (parent := each.parentWidget()) is not None
            and parent.window() is own
        ]

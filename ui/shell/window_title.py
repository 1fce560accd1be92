"""The title of the main window."""

from PySide6.QtWidgets import QWidget

from tabletop.files.window_number import WindowNumber
from ui.shell.app_context import AppContext


class WindowTitle:
    """The window's title: the game and the program, with a number if several windows are open."""

    def __init__(self, context: AppContext, window: QWidget) -> None:
        self._context = context
        self._window = window
        self._number = WindowNumber()
        self._game = ""

    def set_game(self, game: str) -> None:
        """Show `game` in the title, or only the program's name if it is ""."""
        self._game = game
        self.refresh_appearance()

    def refresh_appearance(self) -> None:
        """Show the title in the current language."""
        words, number = self._context.words, self._number.number
        name = words("Tabletop 卓")
        numbered = words.with_note(name, words("window {n}", n=number)) if number > 1 else name
        self._window.setWindowTitle(f"{self._game} – {numbered}" if self._game else numbered)

    def release_number(self) -> None:
        """Release the window's number."""
        self._number.release()

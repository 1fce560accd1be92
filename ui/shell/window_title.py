"""The title in the window's frame."""

from PySide6.QtWidgets import QWidget

from tabletop.files.window_number import WindowNumber
from ui.shell.app_context import AppContext


class WindowTitle:
    """The name of the program and of the game; windows that are open together are numbered."""

    def __init__(self, context: AppContext, window: QWidget) -> None:
        self._context = context
        self._window = window
        self._number = WindowNumber()
        self._game = ""

    def name_game(self, game: str) -> None:
        """Name this game from now on, or with "" none."""
        self._game = game
        self.refresh_appearance()

    def refresh_appearance(self) -> None:
        """Show the title in the chosen language."""
        words, number = self._context.words, self._number.number
        name = words("Tabletop 卓")
        numbered = words.with_note(name, words("window {n}", n=number)) if number > 1 else name
        self._window.setWindowTitle(f"{self._game} – {numbered}" if self._game else numbered)

    def end(self) -> None:
        """Leave the number to another window."""
        self._number.release()

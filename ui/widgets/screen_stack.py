"""The screens of the window, one above the other."""

from PySide6.QtWidgets import QStackedWidget, QWidget

from ui.widgets.page_screen import PageScreen


class ScreenStack(QStackedWidget):
    """The shelf, over it at most one screen, and over both at most one page to be read."""

    def __init__(self, shelf: QWidget) -> None:
        super().__init__()
        self._shelf = shelf
        self._screen: QWidget | None = None
        self.page: PageScreen | None = None
        self.addWidget(shelf)

    @property
    def all_shown(self) -> list[QWidget]:
        """The widgets that are in it, the lowest first."""
        return [shown for shown in (self._shelf, self._screen, self.page) if shown is not None]

    def show_shelf(self) -> None:
        """Show the shelf, over which nothing is left."""
        self.setCurrentWidget(self._shelf)

    def show_screen(self, screen: QWidget) -> None:
        """Show a screen over the shelf; the one before has been removed."""
        self._screen = screen
        self.addWidget(screen)
        self.setCurrentWidget(screen)

    def show_page(self, page: PageScreen) -> None:
        """Show a page over what is there, in the place of another page."""
        self.remove_page()
        self.page = page
        self.addWidget(page)
        self.setCurrentWidget(page)

    def leave_page(self) -> None:
        """Show again what is below the page, with what had the focus there."""
        self.setCurrentWidget(self._screen or self._shelf)
        self.remove_page()

    def remove_page(self) -> None:
        """Remove the page for good."""
        page, self.page = self.page, None
        self._remove(page)

    def remove_screen(self) -> None:
        """Remove the screen for good."""
        screen, self._screen = self._screen, None
        self._remove(screen)

    def _remove(self, shown: QWidget | None) -> None:
        if shown is not None:
            self.removeWidget(shown)
            shown.deleteLater()

"""The stack of the window's screens."""

from PySide6.QtWidgets import QStackedWidget, QWidget

from ui.widgets.page_screen import PageScreen


class ScreenStack(QStackedWidget):
    """A stack of the shelf, at most one screen above it, and at most one page on top."""

    def __init__(self, shelf: QWidget) -> None:
        super().__init__()
        self._shelf = shelf
        self._screen: QWidget | None = None
        self.page: PageScreen | None = None
        self.addWidget(shelf)

    @property
    def all_shown(self) -> list[QWidget]:
        """The widgets in the stack, from bottom to top."""
        return [shown for shown in (self._shelf, self._screen, self.page) if shown is not None]

    def show_shelf(self) -> None:
        """Show the shelf. The caller must have removed the screen and the page."""
        self.setCurrentWidget(self._shelf)

    def show_screen(self, screen: QWidget) -> None:
        """Show `screen` above the shelf. The caller must have removed the previous screen."""
        self._screen = screen
        self.addWidget(screen)
        self.setCurrentWidget(screen)

    def show_page(self, page: PageScreen) -> None:
        """Show `page` on top, replacing any other page."""
        self.remove_page()
        self.page = page
        self.addWidget(page)
        self.setCurrentWidget(page)

    def leave_page(self) -> None:
        """Remove the page, and show the widget below it, which regains its focus."""
        self.setCurrentWidget(self._screen or self._shelf)
        self.remove_page()

    def remove_page(self) -> None:
        """Remove and delete the page, if there is one."""
        page, self.page = self.page, None
        self._remove(page)

    def remove_screen(self) -> None:
        """Remove and delete the screen, if there is one."""
        screen, self._screen = self._screen, None
        self._remove(screen)

    def _remove(self, shown: QWidget | None) -> None:
        if shown is not None:
            self.removeWidget(shown)
            shown.deleteLater()

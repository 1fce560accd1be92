"""A help page with a heading, a picture and paragraphs."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui.shell.app_context import AppContext, name_widget
from ui.style.rich_text import paragraphs
from ui.widgets.box_layout import Part, lay
from ui.widgets.page_screen import PageScreen
from ui.widgets.styled_widgets import TextScrollArea, label, rich_label, scale_pixels

PAGE_WIDTH_PX = 720
"""Width of the page in pixels."""
MAX_PICTURE_SIZE = QSize(420, 120)
"""Maximum size of the picture in pixels."""


class HelpPage(PageScreen):
    """A page as tall as its text, which scrolls if the window is lower."""

    def __init__(
        self,
        context: AppContext,
        heading: str,
        tell: Callable[[], Iterable[str]],
        picture: str = "",
    ) -> None:
        """Lay out the page.

        Args:
            heading: an English phrase.
            tell: returns the paragraphs in the current language.
            picture: the path of a drawing, relative to the assets; empty for none.
        """
        super().__init__(context, PAGE_WIDTH_PX)
        self._heading, self._tell, self._drawing = heading, tell, picture
        self._picture, self.text = label(), rich_label(())
        self._picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        inside = QWidget()
        rows: list[Part] = [self._picture, self.text]
        self.column = lay(QVBoxLayout(inside), rows, spacing=8, margins=(0, 0, 12, 0))
        self._picture.setVisible(bool(picture))  # only once its page contains it
        self._roll = TextScrollArea(inside)
        self.lay_page(self._roll)
        layout = self.layout()
        assert layout is not None
        layout.setAlignment(self._sheet, Qt.AlignmentFlag.AlignVCenter)
        HelpPage.refresh_appearance(self)

    def refresh_appearance(self) -> None:
        super().refresh_appearance()
        self.show_heading(self.context.words(self._heading))
        name_widget(self._roll, self.title.text())
        self.text.setText(paragraphs(self._tell()))
        if self._drawing:
            room = QSize(*(scale_pixels(self, side) for side in MAX_PICTURE_SIZE.toTuple()))
            self._picture.setPixmap(
                self.context.art.pixmap(
                    self._drawing, room.width(), room.height(), self.devicePixelRatioF()
                )
            )
        self._roll.fit()

    def take_focus(self) -> None:
        """Focus the text, so the arrow keys scroll it."""
        self._roll.setFocus(Qt.FocusReason.OtherFocusReason)

"""A bar with an icon and a text at the top of a widget."""

from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from ui.shell.app_context import AppContext
from ui.widgets.box_layout import Part, lay
from ui.widgets.styled_widgets import Paper, label

MAX_WIDTH_PX = 860
"""Maximum width of the bar in pixels."""


class TopBar(Paper):
    """Base class of banners and notices, with space for buttons after the text."""

    EDGE, TOP = 16, 44
    """Space in pixels at each side of the bar, and above it."""
    WARNS: tuple[str, ...] = ("warning",)
    """Icons drawn in the warning colour."""

    def __init__(self, context: AppContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._over = parent
        self._sign, self._text = label(), label(wrap=True)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        row: list[Part] = [self._sign, (self._text, 1)]
        self._row = lay(QHBoxLayout(self), row, spacing=12, margins=(16, 6, 8, 6))
        self.hide()

    @property
    def text(self) -> str:
        """The visible text; empty if the bar is hidden."""
        return "" if self.isHidden() else self._text.text()

    def _show(self, text: str, sign: str) -> None:
        theme = self._context.theme
        colour = theme.warn if sign in self.WARNS else theme.accent_2
        self._sign.setPixmap(self._context.icon_pixmap(sign, 22, colour))
        self._text.setText(text)
        self.show()
        self.raise_()
        self.place()

    def place(self) -> None:
        """Move the bar to the top centre of its parent."""
        wide = min(MAX_WIDTH_PX, self._over.width() - 2 * self.EDGE)
        self.setFixedWidth(wide)
        self._row.activate()
        self.resize(wide, max(self.sizeHint().height(), self._row.totalHeightForWidth(wide)))
        self.move((self._over.width() - self.width()) // 2, self.TOP)

"""The corner of the public table that phones come by: a picture for cameras, an address to type."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tabletop.catalogue.catalogue import GameKit
from ui.shell.app_context import AppContext, name_widget
from ui.widgets.box_layout import STRETCH, lay
from ui.widgets.qr_code import QrCodeButton, address_to_type
from ui.widgets.styled_widgets import label

SHARE = 0.3
"""Side of the picture, as a share of the window's height: on a screen half a metre high a camera
reads it from three metres."""
LETTERS = 0.026
"""Height of the letters, as a share of the window's height."""


class PhoneCorner(QWidget):
    """A corner beside the field, shown as long as a seat is free."""

    def __init__(self, context: AppContext, kit: GameKit) -> None:
        super().__init__()
        self._context = context
        self._kit = kit
        self._address = ""
        self._aside = False
        self._size = 24
        """The height of its letters, in pixels."""
        self.picture = QrCodeButton(context, 100)
        self.picture.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # nobody plays at this window
        self.how, self.place, self.code = (label(wrap=True) for _ in range(3))
        lay(QVBoxLayout(self), [STRETCH, self.how, self.picture, self.place, self.code])
        self.hide()

    def invite(self, address: str) -> None:
        """Show this address; empty: nobody else is expected."""
        self._address = address
        if address:
            self.picture.show_text(address)
        self.refresh_appearance()
        self._show()

    def step_aside(self, aside: bool) -> None:
        """Leave its place to the points: the match is over."""
        self._aside = aside
        self._show()

    def _show(self) -> None:
        self.setVisible(bool(self._address) and not self._aside)

    def refresh_appearance(self) -> None:
        """Show the texts in the chosen language."""
        words = self._context.words
        place, _, code = self._address.partition("#")
        self.how.setText(words("Take a seat with your phone"))
        self.place.setText(address_to_type(place))
        self.code.setText(words("Code {code}", code=code))
        name_widget(self.picture, words("QR code of the page's address"))
        self._set_texts()

    def fit(self, height: int) -> None:
        """The window is so high, in pixels."""
        side, margin = round(height * SHARE), round(height * LETTERS)
        self.picture.setFixedSize(side, side)
        self.setFixedWidth(side + 2 * margin)
        column = self.layout()
        if column is not None:
            column.setContentsMargins(margin, margin, margin, margin)
            column.setSpacing(margin // 2)
        self._size = round(height * LETTERS)
        self._set_texts()

    def _set_texts(self) -> None:
        """Set the texts in the size and in the ink of the current table."""
        ink = self._context.look(self._kit).table_ink
        for text in (self.how, self.place, self.code):
            text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            text.setStyleSheet(f"font-size: {self._size}px; font-weight: 700; color: {ink};")

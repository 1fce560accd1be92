"""The invitation on the public table, with a QR code and an address for joining by phone."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tabletop.catalogue.catalogue import GameKit
from ui.shell.app_context import AppContext, name_widget
from ui.widgets.box_layout import STRETCH, lay
from ui.widgets.qr_code import QrCodeButton, address_to_type
from ui.widgets.styled_widgets import label

CODE_SIZE_SHARE = 0.3
"""The side of the QR code, as a share of the window's height.

A camera three metres away can read it from a screen that is half a metre high.
"""
FONT_SHARE = 0.026
"""The font size, as a share of the window's height."""


class PhoneCorner(QWidget):
    """A column beside the table with an invitation. It is visible while a seat is free."""

    def __init__(self, context: AppContext, kit: GameKit) -> None:
        super().__init__()
        self._context = context
        self._kit = kit
        self._address = ""
        self._is_hidden_for_scores = False
        self._font_px = 24
        """The font size in pixels."""
        self.qr_code = QrCodeButton(context, 100)
        self.qr_code.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # nobody plays at this window
        self.title, self.address, self.code = (label(wrap=True) for _ in range(3))
        lay(QVBoxLayout(self), [STRETCH, self.title, self.qr_code, self.address, self.code])
        self.hide()

    def invite(self, address: str) -> None:
        """Show the URL `address` as text and QR code, or hide the invitation if it is empty."""
        self._address = address
        if address:
            self.qr_code.show_text(address)
        self.refresh_appearance()
        self._update_visibility()

    def set_hidden_for_scores(self, aside: bool) -> None:
        """Hide the invitation if `aside`, because the scores need its space, or else show it."""
        self._is_hidden_for_scores = aside
        self._update_visibility()

    def _update_visibility(self) -> None:
        self.setVisible(bool(self._address) and not self._is_hidden_for_scores)

    def refresh_appearance(self) -> None:
        """Update the texts for the chosen language."""
        words = self._context.words
        place, _, code = self._address.partition("#")
        self.title.setText(words("Take a seat with your phone"))
        self.address.setText(address_to_type(place))
        self.code.setText(words("Code {code}", code=code))
        name_widget(self.qr_code, words("QR code of the page's address"))
        self._style_texts()

    def fit_window(self, height: int) -> None:
        """Set all sizes for a window `height` pixels high."""
        side, margin = round(height * CODE_SIZE_SHARE), round(height * FONT_SHARE)
        self.qr_code.setFixedSize(side, side)
        self.setFixedWidth(side + 2 * margin)
        column = self.layout()
        if column is not None:
            column.setContentsMargins(margin, margin, margin, margin)
            column.setSpacing(margin // 2)
        self._font_px = round(height * FONT_SHARE)
        self._style_texts()

    def _style_texts(self) -> None:
        """Set the font size of the texts, and their colour to suit the table's background."""
        ink = self._context.table_theme(self._kit).table_ink
        for text in (self.title, self.address, self.code):
            text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            text.setStyleSheet(f"font-size: {self._font_px}px; font-weight: 700; color: {ink};")

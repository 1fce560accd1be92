"""The invitation on the public table, with a QR code and an address for joining by phone."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from tabletop.catalogue.catalogue import GameKit
from ui.public.window_fit import WindowFit
from ui.shell.app_context import AppContext, name_widget
from ui.widgets.qr_code import QrCodeButton, address_to_type
from ui.widgets.styled_widgets import label

CODE_SIZE_SHARE = 0.3
"""The side of the QR code, as a share of the window's shorter side.

A camera three metres away can read it from a screen that is half a metre high.
"""
FONT_SHARE = 0.026
"""The font size, as a share of the window's shorter side."""


class PhoneCorner(QWidget):
    """An invitation beside the table, or below it in an upright window. It is visible while a seat
    is free.
    """

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
        self._grid = QGridLayout(self)
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

    def fit_window(self, width: int, height: int) -> None:
        """Set all sizes for a window of this size, in pixels."""
        window, shorter_side = WindowFit(width, height), min(width, height)
        side, margin = round(shorter_side * CODE_SIZE_SHARE), round(shorter_side * FONT_SHARE)
        self.qr_code.setFixedSize(side, side)
        self._place_texts(beside_code=window.is_upright)
        self._grid.setContentsMargins(margin, margin, margin, margin)
        self._grid.setSpacing(margin // 2)
        window.place_part(self, side + 2 * margin)
        self._font_px = margin
        self._style_texts()

    def _place_texts(self, beside_code: bool) -> None:
        """Put the texts beside the QR code, or around it in a column at the bottom."""
        column = [self.title, self.qr_code, self.address, self.code]
        for part in column:
            self._grid.removeWidget(part)
        if beside_code:
            column.remove(self.qr_code)
            self._grid.addWidget(self.qr_code, 0, 0, len(column) + 2, 1)
        for row, part in enumerate(column, start=1):
            self._grid.addWidget(part, row, int(beside_code))
        self._grid.setRowStretch(0, 1)
        self._grid.setRowStretch(len(column) + 1, int(beside_code))
        self._grid.setColumnStretch(1, int(beside_code))

    def _style_texts(self) -> None:
        """Set the font size of the texts, and their colour to suit the table's background."""
        ink = self._context.table_theme(self._kit).table_ink
        for text in (self.title, self.address, self.code):
            text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            text.setStyleSheet(f"font-size: {self._font_px}px; font-weight: 700; color: {ink};")

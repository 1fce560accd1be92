"""The card that invites phones to a table, with a QR code and an address to type."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QVBoxLayout

from tabletop.language import labels
from tabletop.language.words import Words
from ui.online.network_choice import NetworkChoice
from ui.online.phone_gateway import PhoneGateway
from ui.setup.encryption_switch import EncryptionSwitch
from ui.shell.app_context import AppContext, name_widget
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.qr_code import QrCodeButton, address_to_type
from ui.widgets.styled_widgets import Paper, button, label, scale_pixels, set_scaled_style

QR_SIDE_PX, NARROW_QR_SIDE_PX = 208, 108
ADDRESS_FONT_SIZE_PX = 21
"""The font size of the address in pixels, large enough to read from across a room."""


class PhonesCard(Paper):
    """The invitation for phones, shown beside the seats of the lobby and in a dialog."""

    other_computers_requested = Signal()
    """A request to show the invitation for other computers instead."""
    help_requested = Signal()
    """A request for help with phones that can't connect."""

    def __init__(self, context: AppContext, gateway: PhoneGateway) -> None:
        super().__init__()
        self._context = context
        self._gateway = gateway
        self._title, self._instructions = label("heading"), label(wrap=True)
        self.address, self.code = _large_label(), _large_label()
        self.network = NetworkChoice(context, brief=True)
        """A menu button for the network by which phones connect."""
        self.network.network_chosen.connect(gateway.set_preferred_address)
        self.encryption = EncryptionSwitch(context)
        self.picture = QrCodeButton(context, QR_SIDE_PX)
        self.help_button, self.more_button = button("quiet", flush=True), button("quiet")
        self.help_button.clicked.connect(self.help_requested)
        self.more_button.clicked.connect(self.other_computers_requested)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(14)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(0, 1)
        under = lay(QHBoxLayout(), [self.help_button, STRETCH, self.more_button])
        rows: list[Part] = [self._grid, self.encryption, under]
        lay(QVBoxLayout(self), rows, spacing=4, margins=(16, 14, 14, 8))
        self._narrow: bool | None = None
        self.set_narrow(False)
        gateway.changed.connect(self.refresh_appearance)

    def set_narrow(self, narrow: bool) -> None:
        """Show a smaller QR code, below the address, if `narrow`."""
        if narrow == self._narrow:
            return
        self._narrow = narrow
        rows = (self._title, self._instructions, self.address, self.code, self.network)
        for row, widget in enumerate(rows):
            beside = not narrow or row > 2
            self._grid.addWidget(widget, row, 0, 1, 1 if beside else 2)
        top = 3 if narrow else 0
        self._grid.addWidget(self.picture, top, 1, 6 - top, 1, Qt.AlignmentFlag.AlignTop)
        self._grid.setRowStretch(5, 1)
        self.refresh_appearance()

    def refresh_appearance(self) -> None:
        """Update all texts, the QR code and sizes."""
        words, addresses = self._context.words, self._gateway.addresses
        side = scale_pixels(self, NARROW_QR_SIDE_PX if self._narrow else QR_SIDE_PX)
        self.picture.setFixedSize(side, side)
        for each in (self.address, self.code):
            set_scaled_style(each, f"font-size: {ADDRESS_FONT_SIZE_PX}px; font-weight: 700;")
        self._title.setText(words("Hands on phones"))
        self._instructions.setText(phone_instructions(words, self._gateway))
        # on a small screen the QR code and address must do
        self._instructions.setVisible(not (self._narrow and addresses))
        self.picture.setVisible(bool(addresses))
        self.address.setVisible(bool(addresses))
        self.code.setVisible(bool(addresses))
        if addresses:
            self.picture.show_text(addresses[0])
            place, _, code = addresses[0].partition("#")
            self.address.setText(address_to_type(place))
            self.code.setText(words("Code {code}", code=code))
            name_widget(
                self.address,
                words("The page's address is {address}", address=address_to_type(place)),
            )
        self.network.show_addresses(self._gateway.host_names, self._gateway.port)
        name_widget(self.picture, words("QR code of the page's address"))
        self.picture.setToolTip(words(labels.ENLARGE))
        self.encryption.refresh_appearance()
        self.help_button.setText(words("Can't connect?"))
        self.more_button.setText(words("Other computers"))


def phone_instructions(words: Words, gateway: PhoneGateway) -> str:
    """Return the instructions for phones, or why phones can't connect."""
    if gateway.addresses:
        return words("Scan the picture with a phone's camera, or open this address:")
    if gateway.error:
        return words("Phones can't connect: {why}", why=gateway.error)
    return words("The page for phones is being set up…")


def _large_label() -> QLabel:
    large = label(wrap=True)
    large.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return large

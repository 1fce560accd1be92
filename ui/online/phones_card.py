"""Hands on phones: the code that a phone's camera reads, and the address that is typed."""

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

SIDE, SIDE_NARROW = 208, 108
"""The side of the picture, in pixels."""
ADDRESS = 21
"""Height of the address's letters, in pixels: it is read across a room, and typed."""


class PhonesCard(Paper):
    """A card beside the seats until all of them are taken."""

    others = Signal()
    """Request for the invitation for other computers instead."""
    unseen = Signal()
    """Request for help with phones that don't find the page."""

    def __init__(self, context: AppContext, gateway: PhoneGateway) -> None:
        super().__init__()
        self._context = context
        self._gateway = gateway
        self._title, self._how = label("heading"), label(wrap=True)
        self.address, self.code = _large_label(), _large_label()
        self.network = NetworkChoice(context, brief=True)
        """The network that phones come by, and the choice of another."""
        self.network.chosen.connect(gateway.prefer)
        self.encryption = EncryptionSwitch(context)
        self.picture = QrCodeButton(context, SIDE)
        self.help, self.more = button("quiet", flush=True), button("quiet")
        self.help.clicked.connect(self.unseen)
        self.more.clicked.connect(self.others)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(14)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(0, 1)
        under = lay(QHBoxLayout(), [self.help, STRETCH, self.more])
        rows: list[Part] = [self._grid, self.encryption, under]
        lay(QVBoxLayout(self), rows, spacing=4, margins=(16, 14, 14, 8))
        self._narrow: bool | None = None
        self.set_narrow(False)
        gateway.changed.connect(self.refresh_appearance)

    def set_narrow(self, narrow: bool) -> None:
        """Use a smaller picture below the address, for a small window."""
        if narrow == self._narrow:
            return
        self._narrow = narrow
        rows = (self._title, self._how, self.address, self.code, self.network)
        for row, widget in enumerate(rows):
            beside = not narrow or row > 2
            self._grid.addWidget(widget, row, 0, 1, 1 if beside else 2)
        top = 3 if narrow else 0
        self._grid.addWidget(self.picture, top, 1, 6 - top, 1, Qt.AlignmentFlag.AlignTop)
        self._grid.setRowStretch(5, 1)
        self.refresh_appearance()

    def refresh_appearance(self) -> None:
        """Show the texts in the chosen language."""
        words, addresses = self._context.words, self._gateway.addresses
        side = scale_pixels(self, SIDE_NARROW if self._narrow else SIDE)
        self.picture.setFixedSize(side, side)
        for each in (self.address, self.code):
            set_scaled_style(each, f"font-size: {ADDRESS}px; font-weight: 700;")
        self._title.setText(words("Hands on phones"))
        self._how.setText(instruction(words, self._gateway))
        # in little room picture and address speak for themselves
        self._how.setVisible(not (self._narrow and addresses))
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
        self.network.show_addresses(self._gateway.hosts, self._gateway.port)
        name_widget(self.picture, words("QR code of the page's address"))
        self.picture.setToolTip(words(labels.ENLARGE))
        self.encryption.refresh_appearance()
        self.help.setText(words("Can't connect?"))
        self.more.setText(words("Other computers"))


def instruction(words: Words, gateway: PhoneGateway) -> str:
    """Instructions for the phones, or the reason why there are none."""
    if gateway.addresses:
        return words("Scan the picture with a phone's camera, or open this address:")
    if gateway.trouble:
        return words("Phones can't connect: {why}", why=gateway.trouble)
    return words("The page for phones is being set up…")


def _large_label() -> QLabel:
    made = label(wrap=True)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made

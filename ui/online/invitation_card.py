"""The card that invites others to a table: its code, link, QR code and addresses."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from tabletop.lan.interfaces import best_hosts
from tabletop.language import labels
from tabletop.protocol.invitation import Address, InviteLink, format_link
from tabletop.protocol.messages import Invitation
from ui.online.network_choice import NetworkChoice
from ui.online.phone_gateway import PhoneGateway
from ui.shell.app_context import AppContext, name_widget
from ui.widgets.box_layout import STRETCH, lay
from ui.widgets.qr_code import QrCodeButton
from ui.widgets.styled_widgets import (
    Paper,
    button,
    label,
    menu_button,
    scale_pixels,
    set_scaled_style,
)

QR_SIDE_PX = 156
COPIED_SHOWN_MS = 2500
"""How long the copy button confirms that the link was copied, in milliseconds."""


class InvitationCard(Paper):
    """The invitation for other computers, which the lobby shows beside the seats."""

    def __init__(self, context: AppContext, gateway: PhoneGateway) -> None:
        """`gateway` holds the network address that the user prefers for guests."""
        super().__init__()
        self._context = context
        self._gateway = gateway
        self._invitation: Invitation | None = None
        self._code = ""
        self._table = ""
        self._title = label("heading")
        self._explanation = label("caption", wrap=True)
        self.code = label()
        font = QFont(self.code.font())
        font.setBold(True)
        font.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, 5)
        self.code.setFont(font)
        self.code.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.picture = QrCodeButton(context, QR_SIDE_PX)
        self.enlarge_button = button()
        """The button that enlarges the QR code; shown if the card is too narrow for a QR code."""
        self.enlarge_button.clicked.connect(self.picture.enlarge)
        self.copy_button = button()
        self.copy_button.clicked.connect(self._copy)
        self.phones_button = button()
        """The button that switches to the invitation for phones; shown to the host only."""
        self.phones_button.hide()
        self.more_button = menu_button()
        """The host's menu button for code and admission; the lobby fills its menu."""
        self.more_button.hide()
        self.network = NetworkChoice(context)
        """A menu button for the network by which guests come; shown on the host's computer."""
        self.network.network_chosen.connect(gateway.set_preferred_address)
        gateway.changed.connect(self._show_link)
        self._addresses = label("caption", wrap=True)
        self._addresses.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        head = lay(QHBoxLayout(), [(self._title, 1), self.more_button])
        links = lay(QHBoxLayout(), [self.copy_button, self.enlarge_button, STRETCH], spacing=6)
        phones = (self.phones_button, 0, Qt.AlignmentFlag.AlignLeft)
        rows = [
            head,
            self.code,
            self._explanation,
            STRETCH,
            self.network,
            self._addresses,
            links,
            phones,
        ]
        texts = lay(QVBoxLayout(), rows, spacing=4)
        picture = (self.picture, 0, Qt.AlignmentFlag.AlignTop)
        lay(QHBoxLayout(self), [(texts, 1), picture], spacing=12, margins=(18, 14, 14, 14))
        self._narrow = self._low = False
        self._copied_timer = QTimer(self, singleShot=True, interval=COPIED_SHOWN_MS)
        self._copied_timer.timeout.connect(self.refresh_appearance)
        self.refresh_appearance()

    @property
    def link(self) -> str:
        """The invitation link; "" while the host's addresses aren't known."""
        invitation = self._invitation
        if invitation is None or not invitation.addresses:
            return ""
        first, *more = best_hosts(self._addresses_of(invitation))
        return format_link(
            InviteLink(
                first,
                invitation.port,
                self._table,
                invitation.code,
                invitation.fingerprint,
                more=tuple(more),
            )
        )

    def show_code(self, code: str, table: str) -> None:
        """Show the table's `code`, which every guest knows; `table` is the table's ID."""
        if (code, table) != (self._code, self._table):
            self._code, self._table = code, table
            self.refresh_appearance()

    def show_invitation(self, invitation: Invitation) -> None:
        """Show the link and the addresses, which only the host knows."""
        if invitation != self._invitation:
            self._invitation = invitation
            self._code = invitation.code
            self._show_link()

    def _addresses_of(self, invitation: Invitation) -> list[str]:
        """Return the host's addresses, the preferred one first."""
        return sorted(
            invitation.addresses, key=lambda each: each != self._gateway.preferred_address
        )

    def _show_link(self) -> None:
        invitation = self._invitation
        if invitation is not None:
            if self.link:
                self.picture.show_text(self.link)
            self.network.show_addresses(self._addresses_of(invitation), invitation.port)
            self.refresh_appearance()

    def set_narrow(self, narrow: bool) -> None:
        """Replace the QR code with a button if `narrow`."""
        if narrow != self._narrow:
            self._narrow = narrow
            self.refresh_appearance()

    def set_low(self, low: bool) -> None:
        """Hide the explanation if `low`, to leave enough space for the code."""
        if low != self._low:
            self._low = low
            self._explanation.setHidden(low)

    def refresh_appearance(self) -> None:
        """Update all texts, icons and sizes."""
        words, invitation = self._context.words, self._invitation
        set_scaled_style(self.code, "QLabel { font-size: 40px; font-weight: 700; }")
        side = scale_pixels(self, QR_SIDE_PX)
        self.picture.setFixedSize(side, side)
        self._title.setText(words("Invite others"))
        self.code.setText(self._code)
        name_widget(self.code, words("The code is {code}", code=" ".join(self._code)))
        self._explanation.setText(
            words("Others on this network see the table under Join, or they type this code.")
        )
        if not self._copied_timer.isActive():
            self.copy_button.setText(words("Copy the link"))
            self.copy_button.setIcon(self._context.icon("copy", self._context.theme.accent_2))
        self.phones_button.setText(words("Hands on phones"))
        self.more_button.setIcon(self._context.icon("dots"))
        name_widget(self.more_button, words("Code and admission"))
        self.copy_button.setVisible(bool(self.link))
        self.picture.setVisible(bool(self.link) and not self._narrow)
        self.enlarge_button.setVisible(bool(self.link) and self._narrow)
        self.enlarge_button.setText(words("QR code"))
        for each in (self.picture, self.enlarge_button):
            name_widget(each, words("QR code of the link"))
            each.setToolTip(words(labels.ENLARGE))
        self.network.refresh_appearance()
        addresses: tuple[str, ...] = ()
        if invitation is not None and not self.network.has_network:
            addresses = best_hosts(self._addresses_of(invitation))
        self._addresses.setText(
            words(
                "Address: {addresses}",
                addresses=words.join_list(Address((a,), invitation.port).name for a in addresses),
            )
            if invitation is not None and addresses
            else ""
        )
        self._addresses.setVisible(bool(addresses))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.link)
        self.copy_button.setText(self._context.words("Copied"))
        self.copy_button.setIcon(self._context.icon("check", self._context.theme.good))
        self._copied_timer.start()

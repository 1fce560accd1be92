"""The invitation of a table: the code, the link and its picture, the addresses."""

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

SIDE = 156
COPIED = 2500
"""The time for which it says that the link was copied, in milliseconds."""


class InvitationCard(Paper):
    """A card beside the seats while somebody is waited for."""

    def __init__(self, context: AppContext, gateway: PhoneGateway) -> None:
        """`gateway` has the address by which others are to come."""
        super().__init__()
        self._context = context
        self._gateway = gateway
        self._invitation: Invitation | None = None
        self._code = ""
        self._table = ""
        self._title = label("heading")
        self._how = label("caption", wrap=True)
        self.code = label()
        font = QFont(self.code.font())
        font.setBold(True)
        font.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, 5)
        self.code.setFont(font)
        self.code.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.picture = QrCodeButton(context, SIDE)
        self.enlarge = button()
        """Shows the picture large, where there is no room for it."""
        self.enlarge.clicked.connect(self.picture.enlarge)
        self.copy = button()
        self.copy.clicked.connect(self._copy)
        self.phones = button()
        """Lets cards be held on phones; shown to who hosts."""
        self.phones.hide()
        self.more = menu_button()
        """The host's menu for code and admission; filled by the screen that shows the card."""
        self.more.hide()
        self.network = NetworkChoice(context)
        """The network that others come by, and the choice of another; shown to who hosts here."""
        self.network.chosen.connect(gateway.prefer)
        gateway.changed.connect(self._show_link)
        self._addresses = label("caption", wrap=True)
        self._addresses.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        head = lay(QHBoxLayout(), [(self._title, 1), self.more])
        links = lay(QHBoxLayout(), [self.copy, self.enlarge, STRETCH], spacing=6)
        phones = (self.phones, 0, Qt.AlignmentFlag.AlignLeft)
        rows = [head, self.code, self._how, STRETCH, self.network, self._addresses, links, phones]
        texts = lay(QVBoxLayout(), rows, spacing=4)
        picture = (self.picture, 0, Qt.AlignmentFlag.AlignTop)
        lay(QHBoxLayout(self), [(texts, 1), picture], spacing=12, margins=(18, 14, 14, 14))
        self._narrow = self._low = False
        self._back = QTimer(self, singleShot=True, interval=COPIED)
        self._back.timeout.connect(self.refresh_appearance)
        self.refresh_appearance()

    @property
    def link(self) -> str:
        """The link that brings others here; empty while it is not known."""
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
        """Show what every guest knows and may pass on."""
        if (code, table) != (self._code, self._table):
            self._code, self._table = code, table
            self.refresh_appearance()

    def show_invitation(self, invitation: Invitation) -> None:
        """Show what the host alone knows."""
        if invitation != self._invitation:
            self._invitation = invitation
            self._code = invitation.code
            self._show_link()

    def _addresses_of(self, invitation: Invitation) -> list[str]:
        """The host's addresses, the preferred one first."""
        return sorted(invitation.addresses, key=lambda each: each != self._gateway.preferred)

    def _show_link(self) -> None:
        invitation = self._invitation
        if invitation is not None:
            if self.link:
                self.picture.show_text(self.link)
            self.network.show_addresses(self._addresses_of(invitation), invitation.port)
            self.refresh_appearance()

    def set_narrow(self, narrow: bool) -> None:
        """Hide the picture beside the seats of a small window, or show it."""
        if narrow != self._narrow:
            self._narrow = narrow
            self.refresh_appearance()

    def set_low(self, low: bool) -> None:
        """Leave out what explains the code where there is hardly room for the code itself."""
        if low != self._low:
            self._low = low
            self._how.setHidden(low)

    def refresh_appearance(self) -> None:
        """Show the texts in the chosen language."""
        words, invitation = self._context.words, self._invitation
        set_scaled_style(self.code, "QLabel { font-size: 40px; font-weight: 700; }")
        side = scale_pixels(self, SIDE)
        self.picture.setFixedSize(side, side)
        self._title.setText(words("Invite others"))
        self.code.setText(self._code)
        name_widget(self.code, words("The code is {code}", code=" ".join(self._code)))
        self._how.setText(
            words("Others on this network see the table under Join, or they type this code.")
        )
        if not self._back.isActive():
            self.copy.setText(words("Copy the link"))
            self.copy.setIcon(self._context.icon("copy", self._context.theme.accent_2))
        self.phones.setText(words("Hands on phones"))
        self.more.setIcon(self._context.icon("dots"))
        name_widget(self.more, words("Code and admission"))
        self.copy.setVisible(bool(self.link))
        self.picture.setVisible(bool(self.link) and not self._narrow)
        self.enlarge.setVisible(bool(self.link) and self._narrow)
        self.enlarge.setText(words("QR code"))
        for each in (self.picture, self.enlarge):
            name_widget(each, words("QR code of the link"))
            each.setToolTip(words(labels.ENLARGE))
        self.network.refresh_appearance()
        addresses: tuple[str, ...] = ()
        if invitation is not None and not self.network.named:
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
        self.copy.setText(self._context.words("Copied"))
        self.copy.setIcon(self._context.icon("check", self._context.theme.good))
        self._back.start()

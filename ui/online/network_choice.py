"""A menu button for the network by which guests reach this computer."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from tabletop.lan.interface_kinds import Kind
from tabletop.lan.interfaces import Network, networks
from tabletop.protocol.invitation import Address
from tabletop.text.phrases import phrase
from ui.shell.app_context import AppContext, name_widget
from ui.style.rich_text import escape_mnemonics
from ui.widgets.box_layout import STRETCH, lay
from ui.widgets.styled_widgets import menu_button, set_scaled_style

KIND_NAMES: dict[Kind, str] = {
    "wifi": phrase("Wi-Fi"),
    "ethernet": phrase("Ethernet"),
    "tunnel": phrase("VPN"),
    "bridge": phrase("Virtual network"),
    "unknown": phrase("Network"),
}
HOME_PREFIX_LENGTH = 24
"""The prefix length, in bits, of typical home networks, whose addresses share three numbers."""


class NetworkChoice(QWidget):
    """A button that names a network and offers the others; hidden if another computer hosts."""

    network_chosen = Signal(str)
    """The user has chosen a network: this computer's address in it."""

    def __init__(self, context: AppContext, brief: bool = False) -> None:
        """`brief`: whether to leave out the network's address, because it is shown elsewhere."""
        super().__init__()
        self._context = context
        self._brief = brief
        self.button = menu_button()
        self._networks: tuple[Network, ...] = ()
        """The networks of this computer in which guests can reach the host."""
        self._current: Network | None = None
        self._port = 0
        lay(QHBoxLayout(self), [self.button, STRETCH], margins=0)
        self.hide()

    def show_addresses(self, addresses: Sequence[str], port: int) -> None:
        """Name the network of the host's first address, and offer the other networks."""
        self._networks = tuple(each for each in networks() if each.address in addresses)
        matches = (each for each in self._networks if each.address == addresses[0])
        self._current = next(matches, None)
        self._port = port
        self.refresh_appearance()

    @property
    def has_network(self) -> bool:
        """Whether the host is in one of this computer's networks."""
        return self._current is not None

    def refresh_appearance(self) -> None:
        """Update the button and its menu."""
        self.setVisible(self.has_network)
        current, words, menu = self._current, self._context.words, self.button.menu()
        if current is None:
            return
        menu.clear()
        for each in self._networks:
            action = menu.addAction(escape_mnemonics(self._name(each)))
            action.setCheckable(True)
            action.setChecked(each is current)
            action.triggered.connect(partial(self.network_chosen.emit, each.address))
        set_scaled_style(self.button, "QToolButton { padding: 2px 0px; min-height: 0px; }")
        place = Address((current.address,), self._port)
        text = self._name(current) if self._brief else self._name(current, place.name)
        self.button.setText(text + (" ▾" if len(self._networks) > 1 else ""))
        hint = words("Others come by this network. Choose another if they can't.")
        self.button.setToolTip(hint)
        name_widget(self.button, text)
        self.setMinimumHeight(self.button.sizeHint().height())

    def _name(self, network: Network, addresses: str = "") -> str:
        """Return the kind of the network, followed by `addresses` or its address range."""
        address, words = network.address, self._context.words
        if "." in address and network.prefix >= HOME_PREFIX_LENGTH:
            address = address.rpartition(".")[0] + ".x"
        kind = words(KIND_NAMES[network.kind])
        return words("{kind}, {addresses}", kind=kind, addresses=addresses or address)

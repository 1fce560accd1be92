"""The network that others come by, named, and the choice of another one."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from tabletop.lan.interface_kinds import Kind
from tabletop.lan.interfaces import Network, networks
from tabletop.protocol.invitation import Address
from tabletop.text.phrases import phrase
from ui.shell.app_context import AppContext, name_widget
from ui.style.rich_text import literal
from ui.widgets.box_layout import STRETCH, lay
from ui.widgets.styled_widgets import menu_button, set_scaled_style

KINDS: dict[Kind, str] = {
    "wifi": phrase("Wi-Fi"),
    "ethernet": phrase("Ethernet"),
    "tunnel": phrase("VPN"),
    "bridge": phrase("Virtual network"),
    "unknown": phrase("Network"),
}
WHOLE = 24
"""The size of most networks at home: addresses in one begin with the same three numbers."""


class NetworkChoice(QWidget):
    """A button with a menu; hidden where the addresses are another computer's."""

    chosen = Signal(str)
    """The address of this computer by which others are to come."""

    def __init__(self, context: AppContext, brief: bool = False) -> None:
        """`brief`: the address is shown elsewhere."""
        super().__init__()
        self._context = context
        self._brief = brief
        self.button = menu_button()
        self._networks: tuple[Network, ...] = ()
        """The networks of this computer in which the host is."""
        self._first: Network | None = None
        self._port = 0
        lay(QHBoxLayout(self), [self.button, STRETCH], margins=0)
        self.hide()

    def show_addresses(self, addresses: Sequence[str], port: int) -> None:
        """Name the network of the first of these addresses of a host, and offer the others."""
        self._networks = tuple(each for each in networks() if each.address in addresses)
        named = (each for each in self._networks if each.address == addresses[0])
        self._first = next(named, None)
        self._port = port
        self.refresh_appearance()

    @property
    def named(self) -> bool:
        """Whether there is a network to name."""
        return self._first is not None

    def refresh_appearance(self) -> None:
        """Show the texts in the chosen language."""
        self.setVisible(self.named)
        first, words, menu = self._first, self._context.words, self.button.menu()
        if first is None:
            return
        menu.clear()
        for each in self._networks:
            action = menu.addAction(literal(self._name(each)))
            action.setCheckable(True)
            action.setChecked(each is first)
            action.triggered.connect(partial(self.chosen.emit, each.address))
        set_scaled_style(self.button, "QToolButton { padding: 2px 0px; min-height: 0px; }")
        place = Address((first.address,), self._port)
        here = self._name(first) if self._brief else self._name(first, place.name)
        self.button.setText(here + (" ▾" if len(self._networks) > 1 else ""))
        hint = words("Others come by this network. Choose another if they can't.")
        self.button.setToolTip(hint)
        name_widget(self.button, here)
        self.setMinimumHeight(self.button.sizeHint().height())

    def _name(self, network: Network, addresses: str = "") -> str:
        """A network as its person knows it: its kind, and the addresses in it, or these of them."""
        address, words = network.address, self._context.words
        if "." in address and network.prefix >= WHOLE:
            address = address.rpartition(".")[0] + ".x"
        kind = words(KINDS[network.kind])
        return words("{kind}, {addresses}", kind=kind, addresses=addresses or address)
